// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the sessions of beast_network.cpp share. Included there alone: Boost.Beast takes long to compile.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "view/access.h"
#include "view/exchange.h"

namespace juxta::view_detail {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;

inline constexpr std::size_t kMostConnections = 128, kMostHeader = 8 << 10, kMostBody = 64 << 10;
/// Answers that a page has not read: beyond this many bytes it is not listened to until it reads.
inline constexpr std::size_t kMostUnread = 1 << 20;
inline constexpr auto kToArrive = std::chrono::seconds(10), kToBeRead = std::chrono::seconds(20),
                      kUnused = std::chrono::seconds(60);

class SocketSession;

/// What all sessions share.
struct Hub {
  Exchange& exchange;
  std::optional<Access> access;
  std::size_t connections = 0;
  std::uint64_t clients = 0;
  std::set<std::shared_ptr<SocketSession>> sockets;  ///< Until they are closed.
  asio::io_context context{1};  // last, so first to go, and with it the sessions: they use what is above

  explicit Hub(Exchange& with) : exchange(with) {}
};

/// Counts a connection for as long as it lives.
class Counted {
 public:
  explicit Counted(Hub& hub) : hub_(&hub) { ++hub.connections; }
  Counted(Counted&& other) noexcept : hub_(std::exchange(other.hub_, nullptr)) {}
  Counted& operator=(Counted&&) = delete;
  ~Counted() {
    if (hub_ != nullptr) {
      --hub_->connections;
    }
  }

 private:
  Hub* hub_;
};

}  // namespace juxta::view_detail
