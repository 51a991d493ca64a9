// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One page, as the network's thread knows it: what it said, and which frame it gets next.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "view/exchange.h"
#include "view/frame.h"

namespace juxta::view_detail {

class Client {
 public:
  using Clock = Exchange::Clock;
  static constexpr std::size_t kMostQuestions = 16;

  /// `send` takes a text for the page; it is called on any thread.
  Client(std::uint64_t number, Exchange& exchange, std::function<void(std::string)> send);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  /// A text from the page. Errors: what it is not; the page is then to be cut off.
  [[nodiscard]] Result<void> hear(std::string_view text);
  /// So many of its questions have no answer yet.
  [[nodiscard]] std::size_t under_way() const { return under_way_; }
  void answered() { --under_way_; }

  struct Turn {
    bool ready = false;                      ///< A frame was written to `out`.
    std::optional<Clock::time_point> later;  ///< Ask again then, and at the next state.
  };
  [[nodiscard]] Turn next_frame(Clock::time_point now, std::string& out);

 private:
  [[nodiscard]] Result<void> watch(const Json& of);
  [[nodiscard]] Result<void> ask(Json message);
  [[nodiscard]] std::vector<int> columns_of(const ViewInfo& info) const;

  std::uint64_t number_;
  Exchange& exchange_;
  std::function<void(std::string)> send_;
  std::shared_ptr<std::atomic<bool>> gone_ = std::make_shared<std::atomic<bool>>(false);
  std::size_t under_way_ = 0;
  std::optional<Watch> watch_;
  std::vector<std::optional<std::string>> colours_;
  bool watch_is_new_ = false;
  FrameWriter writer_;
  std::uint32_t frames_ = 0, got_ = 0;
  std::uint64_t sent_state_ = 0;
  Clock::time_point sent_at_{};
};

/// {"id": id, "answer": ...} or {"id": id, "error": ...}.
[[nodiscard]] std::string answer_text(const Json& id, const Answer& answer);
/// As text; letters that are no UTF-8 are replaced.
[[nodiscard]] std::string text_of(const Json& value);
/// The object that a text holds; an empty text is an empty one. Errors: kParse.
[[nodiscard]] Result<Json> object_in(std::string_view text);

}  // namespace juxta::view_detail
