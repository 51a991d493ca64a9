// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The one file that sees Boost.Beast, which takes long to compile. One thread, and so no locks in here: what
// other threads have to say is posted to it.
//
//   Listener --accepts--> HttpSession --upgrade--> SocketSession
//
// An HttpSession lives for as long as an operation of its own is under way, a SocketSession until it is
// closed.
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "view/access.h"
#include "view/beast_hub.h"
#include "view/beast_socket.h"
#include "view/client.h"
#include "view/network.h"
#include "view/pages.h"

namespace juxta::view_detail {
namespace {

/// Questions and pages over HTTP, one after the other, until somebody asks for a WebSocket.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(Hub& hub, tcp::socket socket) : hub_(hub), counted_(hub), stream_(std::move(socket)) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(kMostHeader);
    parser_->body_limit(kMostBody);
    stream_.expires_after(kToArrive);
    http::async_read(stream_, heard_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) {
        self->serve();
      } else if (error == http::error::body_limit || error == http::error::header_limit) {
        self->last_ = true;
        self->send({413, "application/json", R"({"error": "that is too long"})", false});
      } else if (error.category() == http::make_error_code(http::error::bad_method).category() &&
                 error != http::error::end_of_stream && error != http::error::partial_message) {
        self->last_ = true;
        self->send({400, "application/json", R"({"error": "this is no HTTP"})", false});
      }
    });
  }

 private:
  [[nodiscard]] std::string_view header(http::field name) const {
    const auto value = parser_->get()[name];
    return {value.data(), value.size()};
  }
  void serve() {
    const auto& request = parser_->get();
    const std::string_view target(request.target().data(), request.target().size());
    last_ = !request.keep_alive();
    head_only_ = request.method() == http::verb::head;
    const std::string_view refusal = hub_.access->refusal(
        {header(http::field::host), header(http::field::origin), header(http::field::authorization), target});
    // A server may have one Host only: with two, another one may have been checked than is meant.
    if (!refusal.empty() || request.count(http::field::host) != 1) {
      last_ = true;
      send(error_reply(403, refusal.empty() ? "give one Host" : refusal));
    } else if (websocket::is_upgrade(request)) {
      upgrade(path_of(target) == "/ws");
    } else {
      answer({request.method_string() == "POST"                   ? Request::kPost
              : request.method() == http::verb::get || head_only_ ? Request::kGet
                                                                  : Request::kOther,
              target, header(http::field::content_type), header(http::field::accept_encoding),
              request.body()});
    }
  }
  void upgrade(bool known) {
    if (!known) {
      send(error_reply(404, "the WebSocket is at /ws"));
      return;
    }
    stream_.expires_never();  // the WebSocket has limits of its own
    std::make_shared<SocketSession>(hub_, std::move(counted_), std::move(stream_))->run(parser_->get());
  }
  /// Pages at once; questions when the engine has the answer.
  void answer(const Request& request) {
    if (auto page = page_of(request)) {
      send(std::move(*page));
      return;
    }
    stream_.expires_never();
    // Called once, on the engine's thread, which must not be the last to hold this session.
    auto reply = [self = shared_from_this(), &context = hub_.context](const Answer& given) mutable {
      asio::post(context,
                 [self = std::move(self), text = reply_of(given)]() mutable { self->send(std::move(text)); });
    };
    Question question{std::string(question_in(request.target)), {}, std::move(reply)};
    auto body = object_in(request.body);
    if (!body) {
      send(error_reply(400, body.error().message));
      return;
    }
    question.body = std::move(*body);
    question.from = ++hub_.clients;
    if (!hub_.exchange.ask(question)) {
      send(error_reply(503, "nothing is shown yet, or too much is asked at once: ask again"));
    }
  }
  void send(Reply reply) {
    response_.emplace(static_cast<http::status>(reply.status), 11);
    response_->set(http::field::content_type, reply.type);
    response_->set(http::field::cache_control, "no-store");
    for (const auto& [name, value] : kSafeHeaders) {
      response_->set(beast::string_view(name.data(), name.size()),
                     beast::string_view(value.data(), value.size()));
    }
    if (reply.gzip) {
      response_->set(http::field::content_encoding, "gzip");
    }
    response_->keep_alive(!last_);
    response_->body() = std::move(reply.body);
    response_->prepare_payload();
    if (head_only_) {
      response_->body().clear();
    }
    stream_.expires_after(kToBeRead);
    http::async_write(stream_, *response_, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error && !self->last_) {
        self->read();
      } else {
        error_code ignored;
        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
      }
    });
  }

  Hub& hub_;
  Counted counted_;
  beast::tcp_stream stream_;
  beast::flat_buffer heard_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
  bool last_ = false, head_only_ = false;
};

class BeastNetwork final : public Network {
 public:
  explicit BeastNetwork(Exchange& exchange) : hub_(exchange), acceptor_(hub_.context), wait_(hub_.context) {}
  ~BeastNetwork() override {
    hub_.exchange.on_state({});
    hub_.exchange.on_news({});
    hub_.context.stop();
    if (thread_.joinable()) {
      thread_.join();
    }
    hub_.sockets.clear();
  }
  [[nodiscard]] std::uint16_t port() const noexcept override { return port_; }

  [[nodiscard]] Result<void> start(const std::string& address, std::uint16_t port, const std::string& token) {
    error_code error;
    const auto ip = asio::ip::make_address(address, error);
    if (error) {
      return fail(ErrorCode::kInvalidArgument,
                  "'" + address + "' is no IP address: give one such as 127.0.0.1");
    }
    if (!ip.is_loopback() && token.empty()) {
      return fail(ErrorCode::kInvalidArgument,
                  "others reach the address " + address + ": give a token that pages must know");
    }
    const tcp::endpoint at(ip, port);
    acceptor_.open(at.protocol(), error);
    if (!error) {
      acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    }
    if (!error) {
      acceptor_.bind(at, error);
    }
    if (!error) {
      acceptor_.listen(asio::socket_base::max_listen_connections, error);
    }
    if (error) {
      return fail(ErrorCode::kIo,
                  "cannot listen on " + address + ", port " + std::to_string(port) + ": " + error.message());
    }
    port_ = acceptor_.local_endpoint(error).port();
    hub_.access.emplace(address, port_, ip.is_loopback(), token);
    listen_to_engine();
    accept();
    thread_ = std::thread([this] { hub_.context.run(); });
    return {};
  }

 private:
  void listen_to_engine() {
    hub_.exchange.on_state([this] {
      asio::post(hub_.context, [this] {
        for (const auto& socket : std::set(hub_.sockets)) {
          socket->pump();
        }
      });
    });
    hub_.exchange.on_news([this](std::shared_ptr<const std::string> news) {
      asio::post(hub_.context, [this, news = std::move(news)] {
        for (const auto& socket : std::set(hub_.sockets)) {
          socket->tell(*news);
        }
      });
    });
  }
  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) {
        return;
      }
      if (error) {  // no more files perhaps: asking again at once would only burn time
        wait_.expires_after(std::chrono::milliseconds(100));
        wait_.async_wait([this](error_code) { accept(); });
        return;
      }
      if (hub_.connections < kMostConnections) {
        error_code ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        std::make_shared<HttpSession>(hub_, std::move(socket))->read();
      }
      accept();
    });
  }

  Hub hub_;
  tcp::acceptor acceptor_;
  asio::steady_timer wait_;
  std::thread thread_;
  std::uint16_t port_ = 0;
};

}  // namespace

Result<std::unique_ptr<Network>> start_network(const std::string& address, std::uint16_t port,
                                               const std::string& token, Exchange& exchange) {
  auto network = std::make_unique<BeastNetwork>(exchange);
  return network->start(address, port, token).map([&]() -> std::unique_ptr<Network> {
    return std::move(network);
  });
}

}  // namespace juxta::view_detail
