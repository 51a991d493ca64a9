// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/pages.h"

#include <algorithm>

#include "view/access.h"
#include "view/assets.h"
#include "view/client.h"

namespace juxta::view_detail {
namespace {

constexpr const char* kJson = "application/json";

bool is_name(std::string_view word) {
  return !word.empty() && word.size() <= 32 &&
         std::ranges::all_of(word, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

}  // namespace

Reply error_reply(unsigned status, std::string_view sentence) {
  return {status, kJson, text_of({{"error", sentence}})};
}

Reply reply_of(const Answer& answer) {
  return answer ? Reply{200, kJson, text_of(*answer)} : error_reply(400, answer.error().message);
}

std::string_view question_in(std::string_view target) {
  constexpr std::string_view kPrefix = "/api/";
  const std::string_view path = path_of(target);
  return path.starts_with(kPrefix) && is_name(path.substr(kPrefix.size())) ? path.substr(kPrefix.size())
                                                                           : std::string_view{};
}

std::optional<Reply> page_of(const Request& request) {
  if (!question_in(request.target).empty()) {
    // A form of another site can send text, but not JSON without asking first.
    if (request.method == Request::kPost && !request.content_type.starts_with(kJson)) {
      return error_reply(415, "give Content-Type: application/json");
    }
    return request.method == Request::kOther ? std::optional(error_reply(405, "use GET or POST"))
                                             : std::nullopt;
  }
  if (request.method != Request::kGet) {
    return error_reply(405, "use GET for pages");
  }
  const std::string_view path = path_of(request.target);
  const auto all = assets();
  const auto found = std::ranges::find(all, path, &Asset::path);
  if (found == all.end()) {
    return error_reply(404, all.empty() && path == "/"
                                ? "this build has no pages, for there was no npm: ./run view builds them. "
                                  "Questions are answered at /api/info and its like"
                                : "there is no such page: begin at /");
  }
  if (request.accept_encoding.find("gzip") == std::string_view::npos) {
    return error_reply(406, "pages are sent compressed: use a browser, or curl --compressed");
  }
  return Reply{200, std::string(found->type),
               std::string(reinterpret_cast<const char*>(found->gzip.data()), found->gzip.size()), true};
}

}  // namespace juxta::view_detail
