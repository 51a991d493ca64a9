// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Whatever is written as CSV is read back bit by bit: any finite numbers, any names, any delimiter and line
// end.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "juxta/files/read_points.h"

namespace juxta {
namespace {

std::string shortest(double value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof(text), value).ptr};
}

std::string quoted_cell(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    out += c == '"' ? "\"\"" : std::string(1, c);
  }
  return out + "\"";
}

/// Any finite double: every exponent, both signs, subnormals and zeros.
double any_finite() {
  const auto value = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
  return std::isfinite(value) ? value : static_cast<double>(*rc::gen::arbitrary<int>());
}

void check_round_trip() {
  const auto names = *rc::gen::arbitrary<std::vector<std::string>>();
  const char delimiter = *rc::gen::element(',', ';', '\t');
  const std::string end = *rc::gen::element<std::string>("\n", "\r\n");
  const std::string d(1, delimiter);
  std::string text = "x" + d + "name" + d + "rank" + d + "y" + end;
  std::vector<double> x, y, rank;
  for (const std::string& name : names) {
    x.push_back(any_finite());
    y.push_back(any_finite());
    rank.push_back(any_finite());
    text +=
        shortest(x.back()) + d + quoted_cell(name) + d + shortest(rank.back()) + d + shortest(y.back()) + end;
  }
  const auto table = parse_points_csv(text);
  RC_ASSERT(table.has_value());
  RC_ASSERT(table->size() == names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    RC_ASSERT(std::bit_cast<std::uint64_t>(table->x[i]) == std::bit_cast<std::uint64_t>(x[i]));
    RC_ASSERT(std::bit_cast<std::uint64_t>(table->y[i]) == std::bit_cast<std::uint64_t>(y[i]));
    RC_ASSERT(std::bit_cast<std::uint64_t>(table->rank[i]) == std::bit_cast<std::uint64_t>(rank[i]));
    RC_ASSERT(table->name(i) == names[i]);
  }
}

TEST(PointsCsvProperty, WrittenIsRead) {
  EXPECT_TRUE(rc::check("round trip", check_round_trip));
}

}  // namespace
}  // namespace juxta
