// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/client.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "juxta/core/try.h"

namespace juxta::view_detail {
namespace {

constexpr std::uint32_t kMostUnderWay = 2;  // frames that the page has not got yet

tl::unexpected<Error> wrong(std::string what) {
  return fail(ErrorCode::kParse, std::move(what));
}

Result<std::array<float, 16>> matrix_in(const Json& value) {
  std::array<float, 16> matrix{};
  if (!value.is_array() || value.size() != matrix.size()) {
    return wrong("matrix: give 16 numbers");
  }
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (!value[i].is_number()) {
      return wrong("matrix: give 16 numbers");
    }
    matrix[i] = value[i].get<float>();
    if (!std::isfinite(matrix[i])) {
      return wrong("matrix: give finite numbers");
    }
  }
  return matrix;
}

}  // namespace

std::string text_of(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string answer_text(const Json& id, const Answer& answer) {
  Json text = {{"id", id}};
  if (answer) {
    text["answer"] = *answer;
  } else {
    text["error"] = answer.error().message;
  }
  return text_of(text);
}

Result<Json> object_in(std::string_view text) {
  if (text.empty()) {
    return Json::object();
  }
  Json value = Json::parse(text, nullptr, false);
  if (!value.is_object()) {
    return wrong("give a JSON object");
  }
  return value;
}

Client::Client(std::uint64_t number, Exchange& exchange, std::function<void(std::string)> send)
    : number_(number), exchange_(exchange), send_(std::move(send)) {
  exchange_.count_client(1);
}

Client::~Client() {
  gone_->store(true, std::memory_order_relaxed);
  exchange_.leave(number_);
  exchange_.count_client(-1);
}

Result<void> Client::hear(std::string_view text) {
  JUXTA_TRY_LET(Json message, object_in(text));
  if (message.contains("ask")) {
    return ask(std::move(message));
  }
  if (message.contains("watch")) {
    return watch(message["watch"]);
  }
  if (const auto got = message.find("got"); got != message.end() && got->is_number_unsigned()) {
    // No more than were sent: a page that says more would get frames without end.
    got_ = std::max(got_,
                    static_cast<std::uint32_t>(std::min<std::uint64_t>(got->get<std::uint64_t>(), frames_)));
    return {};
  }
  return wrong("a message has one of ask, watch and got");
}

Result<void> Client::ask(Json message) {
  const Json id = message.contains("id") ? message["id"] : Json();
  if (!id.is_number_integer() || !message["ask"].is_string()) {
    return wrong("a question has a whole number as id, and a name as ask");
  }
  ++under_way_;
  Question question{message["ask"].get<std::string>(), {}, [id, send = send_](const Answer& answer) {
                      send(answer_text(id, answer));
                    }};
  question.gone = gone_;
  question.from = number_;
  message.erase("id");
  message.erase("ask");
  question.body = std::move(message);
  if (!exchange_.ask(question)) {
    send_(answer_text(id, fail(ErrorCode::kCancelled, "too much is asked at once: ask again")));
  }
  return {};
}

Result<void> Client::watch(const Json& of) {
  Watch wanted;
  std::vector<std::optional<std::string>> colours;
  if (!of.is_object()) {
    return wrong("watch: give an object");
  }
  if (const auto matrix = of.find("matrix"); matrix != of.end() && !matrix->is_null()) {
    JUXTA_TRY_LET(wanted.matrix, matrix_in(*matrix));
  }
  if (const auto rate = of.find("rate"); rate != of.end()) {
    if (!rate->is_number() || !(rate->get<double>() >= 1 && rate->get<double>() <= 60)) {
      return wrong("rate: give a number from 1 to 60");
    }
    wanted.rate = rate->get<double>();
  }
  if (const auto most = of.find("most"); most != of.end()) {
    if (!most->is_number_unsigned()) {
      return wrong("most: give a whole number");
    }
    wanted.most = std::min<std::uint64_t>(most->get<std::uint64_t>(), 4'000'000);
  }
  if (const auto names = of.find("colour"); names != of.end()) {
    if (!names->is_array() || names->size() > 256) {
      return wrong("colour: give a list of names and null");
    }
    for (const Json& name : *names) {
      colours.push_back(name.is_string() ? std::optional(name.get<std::string>()) : std::nullopt);
    }
  }
  watch_ = std::move(wanted);
  watch_is_new_ = true;
  colours_ = std::move(colours);
  exchange_.want_colours(number_, colours_);
  return {};
}

std::vector<int> Client::columns_of(const ViewInfo& info) const {
  std::vector<int> columns(info.groups.size(), -1);
  for (std::size_t g = 0; g < columns.size() && g < colours_.size(); ++g) {
    const auto& names = info.groups[g].columns;
    const auto found = colours_[g] ? std::ranges::find(names, *colours_[g]) : names.end();
    columns[g] = found != names.end() ? static_cast<int>(found - names.begin()) : -1;
  }
  return columns;
}

Client::Turn Client::next_frame(Clock::time_point now, std::string& out) {
  if (!watch_ || frames_ - got_ >= kMostUnderWay) {
    return {};
  }
  const auto due =
      sent_at_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / watch_->rate));
  if (now < due) {
    return {false, due};
  }
  const auto state = exchange_.state();
  const auto info = exchange_.info();
  if (!state || !info || (state->number == sent_state_ && !watch_is_new_)) {
    exchange_.want_state();
    return {};
  }
  watch_->colour = columns_of(*info);
  const std::uint64_t skipped =
      sent_state_ == 0 || state->number <= sent_state_ ? 0 : state->number - sent_state_ - 1;
  writer_.write(*state, *info, *watch_, ++frames_,
                static_cast<std::uint32_t>(std::min<std::uint64_t>(skipped, 0xFFFF'FFFF)), out);
  watch_is_new_ = false;
  sent_state_ = state->number;
  sent_at_ = now;
  exchange_.want_state();
  return {true, {}};
}

}  // namespace juxta::view_detail
