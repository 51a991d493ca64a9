// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// HTTP and WebSocket, on a thread of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "juxta/core/error.h"
#include "view/exchange.h"

namespace juxta::view_detail {

class Network {
 public:
  virtual ~Network() = default;  ///< Closes everything and joins the thread.
  [[nodiscard]] virtual std::uint16_t port() const noexcept = 0;
};

/// Listens. `exchange` outlives it. Errors: kInvalidArgument (no IP address; one that others reach, without a
/// token), kIo (the system refuses the port).
[[nodiscard]] Result<std::unique_ptr<Network>> start_network(const std::string& address, std::uint16_t port,
                                                             const std::string& token, Exchange& exchange);

}  // namespace juxta::view_detail
