// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a question says, checked. Errors name the field and what it takes.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "juxta/core/error.h"
#include "view/exchange.h"

namespace juxta::view_detail {

/// A finite number; `otherwise` when it is not there.
[[nodiscard]] inline Result<double> number_of(const Json& body, const char* name, double otherwise) {
  const auto found = body.find(name);
  if (found == body.end() || found->is_null()) {
    return otherwise;
  }
  if (!found->is_number() || !std::isfinite(found->get<double>())) {
    return fail(ErrorCode::kInvalidArgument, std::string(name) + ": give a finite number");
  }
  return found->get<double>();
}

/// A whole number from 0 to `most`: a step or a seed, which are of 64 bits on every machine.
[[nodiscard]] inline Result<std::uint64_t> whole_of(const Json& body, const char* name,
                                                    std::uint64_t otherwise, std::uint64_t most) {
  const auto found = body.find(name);
  if (found == body.end() || found->is_null()) {
    return otherwise;
  }
  if (!found->is_number_unsigned() || found->get<std::uint64_t>() > most) {
    return fail(ErrorCode::kInvalidArgument,
                std::string(name) + ": give a whole number from 0 to " + std::to_string(most));
  }
  return found->get<std::uint64_t>();
}

/// How many: a whole number from 0 to `most`.
[[nodiscard]] inline Result<std::size_t> count_of(const Json& body, const char* name, std::size_t otherwise,
                                                  std::size_t most) {
  return whole_of(body, name, otherwise, most).map([](std::uint64_t n) {
    return static_cast<std::size_t>(n);
  });
}

/// N finite numbers; an error when they are not there.
template <std::size_t N>
[[nodiscard]] Result<std::array<double, N>> numbers_of(const Json& body, const char* name) {
  std::array<double, N> all{};
  const auto found = body.find(name);
  bool good = found != body.end() && found->is_array() && found->size() == N;
  for (std::size_t i = 0; good && i < N; ++i) {
    good = (*found)[i].is_number() && std::isfinite((*found)[i].template get<double>());
    all[i] = good ? (*found)[i].template get<double>() : 0;
  }
  if (!good) {
    return fail(ErrorCode::kInvalidArgument,
                std::string(name) + ": give " + std::to_string(N) + " finite numbers");
  }
  return all;
}

/// Null for what JSON has no number for.
[[nodiscard]] inline Json json_number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

[[nodiscard]] inline Json numbers(std::span<const double> values) {
  Json all = Json::array();
  for (const double value : values) {
    all.push_back(json_number(value));
  }
  return all;
}

[[nodiscard]] inline Result<std::string> text_in(const Json& body, const char* name) {
  const auto found = body.find(name);
  if (found == body.end() || !found->is_string()) {
    return fail(ErrorCode::kInvalidArgument, std::string(name) + ": give a text");
  }
  return found->get<std::string>();
}

}  // namespace juxta::view_detail
