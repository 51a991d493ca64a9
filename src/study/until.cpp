// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/until.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "juxta/study/parameters.h"

namespace juxta {
namespace {

/// In the order of Until::Op.
constexpr std::array<std::string_view, 6> kOps = {"<", "<=", ">", ">=", "==", "!="};

constexpr std::string_view kOpCharacters = "<>=!";

std::string_view trimmed(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

tl::unexpected<Error> form(std::string_view text) {
  return fail(
      ErrorCode::kParse,
      fmt::format("'{}' is no stop condition: give REPORT OP NUMBER, like 'infected == 0', with one of "
                  "<, <=, >, >=, ==, !=",
                  text));
}

}  // namespace

bool Until::met_by(double reported) const noexcept {
  switch (op) {
    case Op::kLess:
      return reported < value;
    case Op::kLessOrEqual:
      return reported <= value;
    case Op::kGreater:
      return reported > value;
    case Op::kGreaterOrEqual:
      return reported >= value;
    case Op::kEqual:
      return reported == value;
    case Op::kNotEqual:
      return reported < value || reported > value;
  }
  return false;
}

Result<std::size_t> Until::column_in(std::span<const std::string> names) const {
  const auto found = std::ranges::find(names, report);
  if (found == names.end()) {
    std::string all;
    for (const std::string& name : names) {
      all += (all.empty() ? "" : ", ") + name;
    }
    return fail(ErrorCode::kNotFound,
                fmt::format("until: the model reports no '{}': give one of {}", report, all));
  }
  if (const auto read = parse_until(text()); !read || read->report != report) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("until: '{}' cannot be written down: the name of the report may not begin or end with "
                    "a space or end with an operator, and the value is a number",
                    text()));
  }
  return static_cast<std::size_t>(found - names.begin());
}

std::string Until::text() const {
  return fmt::format("{} {} {}", report, kOps[static_cast<std::size_t>(op)], number_text(value));
}

Result<Until> parse_until(std::string_view text) {
  const std::size_t last = text.find_last_of("<>=");
  if (last == std::string_view::npos) {
    return form(text);
  }
  const bool two =
      last > 0 && text[last] == '=' && kOpCharacters.find(text[last - 1]) != std::string_view::npos;
  const std::size_t first = two ? last - 1 : last;
  const auto op = std::ranges::find(kOps, text.substr(first, last - first + 1));
  const std::string_view report = trimmed(text.substr(0, first)), number = trimmed(text.substr(last + 1));
  Until until{std::string(report), {}, 0};
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), until.value);
  if (op == kOps.end() || report.empty() || kOpCharacters.find(report.back()) != std::string_view::npos ||
      error != std::errc() || end != number.data() + number.size() || std::isnan(until.value)) {
    return form(text);
  }
  until.op = static_cast<Until::Op>(op - kOps.begin());
  return until;
}

}  // namespace juxta
