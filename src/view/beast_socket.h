// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One WebSocket. Included by beast_network.cpp alone.
#pragma once

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "view/beast_hub.h"
#include "view/client.h"

namespace juxta::view_detail {

/// A page that is open: answers in order, frames when it has got the ones before.
class SocketSession : public std::enable_shared_from_this<SocketSession> {
 public:
  SocketSession(Hub& hub, Counted counted, beast::tcp_stream stream)
      : hub_(hub),
        counted_(std::move(counted)),
        socket_(std::move(stream)),
        frame_later_(hub.context),
        write_limit_(hub.context) {}
  SocketSession(const SocketSession&) = delete;
  SocketSession& operator=(const SocketSession&) = delete;
  ~SocketSession() = default;

  void run(const http::request<http::string_body>& request) {
    websocket::stream_base::timeout limits{kToArrive, kUnused, true};
    socket_.set_option(limits);
    socket_.read_message_max(kMostBody);
    socket_.auto_fragment(false);  // a frame in one piece
    socket_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (!error) {
        self->accepted();
      }
    });
  }
  /// What the page sees next: an answer, or a frame if one is due.
  void pump() {
    if (writing_ || closed_ || !client_) {
      return;
    }
    if (!texts_.empty()) {
      socket_.text(true);
      write(asio::buffer(texts_.front()));
      return;
    }
    const Client::Turn turn = client_->next_frame(Client::Clock::now(), frame_);
    if (turn.ready) {
      socket_.binary(true);
      write(asio::buffer(frame_));
    } else if (turn.later) {
      frame_later_.expires_at(*turn.later);
      frame_later_.async_wait([self = shared_from_this()](error_code error) {
        if (!error) {
          self->pump();
        }
      });
    }
  }
  /// News are worth hearing when the last were heard.
  void tell(const std::string& news) {
    if (client_ && texts_.empty()) {
      queue(news, false);
    }
  }
  void close() {
    if (!closed_) {
      closed_ = true;
      error_code ignored;
      beast::get_lowest_layer(socket_).socket().close(ignored);
      frame_later_.cancel();
      write_limit_.cancel();
      hub_.sockets.erase(shared_from_this());
    }
  }

 private:
  void accepted() {
    hub_.sockets.insert(shared_from_this());
    // Answers come from the engine's thread, perhaps when the page is long gone.
    auto weak = weak_from_this();
    client_.emplace(++hub_.clients, hub_.exchange, [weak, &context = hub_.context](std::string text) {
      asio::post(context, [weak, text = std::move(text)]() mutable {
        if (const auto self = weak.lock()) {
          self->queue(std::move(text), true);
        }
      });
    });
    read();
  }
  [[nodiscard]] bool may_read() const {
    return client_->under_way() < Client::kMostQuestions && unread_ <= kMostUnread;
  }
  void read() {
    if (reading_ || closed_ || !may_read()) {
      return;
    }
    reading_ = true;
    socket_.async_read(heard_, [self = shared_from_this()](error_code error, std::size_t) {
      self->reading_ = false;
      if (error) {
        self->close();
      } else {
        self->heard();
      }
    });
  }
  void heard() {
    const auto bytes = heard_.data();
    const std::string text(static_cast<const char*>(bytes.data()), bytes.size());
    heard_.consume(heard_.size());
    const Result<void> understood =
        socket_.got_text() ? client_->hear(text) : Result<void>(fail(ErrorCode::kParse, "send text"));
    if (!understood) {
      refuse(understood.error().message);
      return;
    }
    pump();
    read();
  }
  void refuse(std::string why) {
    why.resize(std::min<std::size_t>(why.size(), 120));  // what a close frame holds
    if (writing_) {
      close();
      return;
    }
    writing_ = true;
    limit_write();
    socket_.async_close({websocket::close_code::policy_error, why},
                        [self = shared_from_this()](error_code) { self->close(); });
  }
  void queue(std::string text, bool answer) {
    if (answer && client_) {
      client_->answered();
    }
    if (closed_) {
      return;
    }
    unread_ += text.size();
    texts_.push_back(std::move(text));
    pump();
    read();
  }
  void limit_write() {
    write_limit_.expires_after(kToBeRead);
    write_limit_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) {
        self->close();
      }
    });
  }
  void write(asio::const_buffer bytes) {
    writing_ = true;
    limit_write();
    socket_.async_write(bytes, [self = shared_from_this()](error_code error, std::size_t) {
      self->write_limit_.cancel();
      self->writing_ = false;
      if (error) {
        self->close();
        return;
      }
      if (!self->socket_.binary()) {
        self->unread_ -= self->texts_.front().size();
        self->texts_.pop_front();
      }
      self->pump();
      self->read();
    });
  }

  Hub& hub_;
  Counted counted_;
  websocket::stream<beast::tcp_stream> socket_;
  asio::steady_timer frame_later_, write_limit_;
  beast::flat_buffer heard_;
  std::optional<Client> client_;
  std::deque<std::string> texts_;
  std::string frame_;
  std::size_t unread_ = 0;
  bool reading_ = false, writing_ = false, closed_ = false;
};

}  // namespace juxta::view_detail
