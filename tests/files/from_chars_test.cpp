// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Numbers of a text where the C++ library cannot read them, compared with one that can.
#include "files/from_chars.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "scenes/draws.h"

namespace juxta::files_detail {
namespace {

void compare(std::string_view text) {
  double ours = 7, theirs = 7;
  const char *const first = text.data(), *const last = first + text.size();
  const auto a = decimal_from_chars(first, last, ours);
  const auto b = std::from_chars(first, last, theirs);
  EXPECT_EQ(a.ec, b.ec) << text;
  EXPECT_EQ(a.ptr - first, b.ptr - first) << text;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(ours), std::bit_cast<std::uint64_t>(theirs)) << text;
}

TEST(FromChars, IsThatOfTheLibraryAtItsEdges) {
  for (const char* text : {"",
                           "-",
                           ".",
                           "-.",
                           "+1",
                           " 1",
                           "0",
                           "-0",
                           "00012",
                           "1.",
                           ".5",
                           "-.5",
                           "1e",
                           "1e+",
                           "1e-",
                           "1e5x",
                           "1E-3",
                           "1e5.5",
                           "1,2",
                           "1;2",
                           "0x10",
                           "1e308",
                           "1.7976931348623157e308",
                           "1.7976931348623159e308",
                           "1e309",
                           "-1e400",
                           "5e-324",
                           "2.4e-324",
                           "2.2250738585072011e-308",
                           "1e-400",
                           "0e999",
                           "0.1",
                           "9007199254740993",
                           "12345678901234567890123456789",
                           "0.000000000000000000000000000000000000000000000000000000001",
                           "4.35",
                           "1e23",
                           "8.5e-5",
                           "--1",
                           "1-",
                           "1..2"}) {
    compare(text);
  }
}

TEST(FromChars, IsThatOfTheLibraryForRandomText) {
  scenes::Draws draws(1);
  constexpr std::string_view kLetters = "0123456789012345678901234567890123456789..ee--+, ";
  std::string text;
  for (int i = 0; i < 300'000; ++i) {
    text.clear();
    for (std::uint32_t n = 1 + draws.below(26); n != 0; --n) {
      text += kLetters[draws.below(static_cast<std::uint32_t>(kLetters.size()))];
    }
    compare(text);
  }
}

TEST(FromChars, IsThatOfTheLibraryForRandomBits) {
  scenes::Draws draws(2);
  char text[64];
  for (int i = 0; i < 300'000; ++i) {
    const auto value = std::bit_cast<double>(draws.next());
    if (value - value == 0) {
      compare({text, static_cast<std::size_t>(std::to_chars(text, text + sizeof text, value).ptr - text)});
    }
  }
}

}  // namespace
}  // namespace juxta::files_detail
