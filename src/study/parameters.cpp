// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace juxta {
namespace {

template <class List>
auto find_named(List& all, std::string_view name) noexcept {
  return std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.name == name; });
}

std::string range_text(const Parameter& p) {
  return fmt::format("{} from {} to {}", p.whole ? "a whole number" : "a number", number_text(p.lo),
                     number_text(p.hi));
}

}  // namespace

Parameters::Parameters(std::vector<Parameter> declared) : all_(std::move(declared)) {}

Result<void> Parameters::set(std::string_view name, double value) {
  const auto found = find_named(all_, name);
  if (found == all_.end()) {
    std::string known;
    for (const Parameter& p : all_) {
      known += (known.empty() ? "" : ", ") + p.name;
    }
    return fail(ErrorCode::kNotFound, fmt::format("there is no parameter '{}'{}{}", name,
                                                  known.empty() ? "" : ": give one of ", known));
  }
  const bool inside = value >= found->lo && value <= found->hi;  // a NaN is not
  if (!inside || (found->whole && value != std::floor(value))) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} = {} is not allowed: give {}", name, number_text(value), range_text(*found)));
  }
  found->value = value == 0 ? 0 : value;  // -0 equals 0, and is written as 0
  return {};
}

Result<void> Parameters::set(std::string_view assignment) {
  const std::size_t at = assignment.find('=');
  if (at == std::string_view::npos || at == 0) {
    return fail(ErrorCode::kParse, fmt::format("'{}' is not of the form name=number", assignment));
  }
  const std::string_view text = assignment.substr(at + 1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return fail(ErrorCode::kParse, fmt::format("'{}' in '{}' is no number", text, assignment));
  }
  return set(assignment.substr(0, at), value);
}

double Parameters::operator[](std::string_view name) const noexcept {
  const auto found = find_named(all_, name);
  return found == all_.end() ? std::numeric_limits<double>::quiet_NaN() : found->value;
}

std::size_t Parameters::count(std::string_view name) const noexcept {
  const double value = (*this)[name];
  return value > 0 ? static_cast<std::size_t>(value) : 0;
}

float Parameters::real(std::string_view name) const noexcept {
  return static_cast<float>((*this)[name]);
}

std::string number_text(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace juxta
