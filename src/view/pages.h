// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What is answered without the engine: pages, and requests that are none of ours.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "view/exchange.h"

namespace juxta::view_detail {

struct Request {
  enum Method : std::uint8_t { kGet, kPost, kOther } method;
  std::string_view target, content_type, accept_encoding, body;
};

struct Reply {
  unsigned status;
  std::string type, body;
  bool gzip = false;
};

/// With every reply: nothing but our own scripts runs in our pages, and no other site shows them in a frame.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSafeHeaders = {
    {{"Content-Security-Policy",
      "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data: blob:; style-src 'self'; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
     {"X-Content-Type-Options", "nosniff"},
     {"Referrer-Policy", "no-referrer"},
     {"Cross-Origin-Resource-Policy", "same-origin"},
     {"Cross-Origin-Opener-Policy", "same-origin"}}};

/// None: it is a question for the engine.
[[nodiscard]] std::optional<Reply> page_of(const Request& request);
/// "top" of "/api/top?x"; empty: no question.
[[nodiscard]] std::string_view question_in(std::string_view target);
[[nodiscard]] Reply reply_of(const Answer& answer);
[[nodiscard]] Reply error_reply(unsigned status, std::string_view sentence);

}  // namespace juxta::view_detail
