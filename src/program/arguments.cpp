// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "program/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>
#include <system_error>

namespace juxta::program_detail {
namespace {

bool takes_numbers(const std::string& option) {
  return option == "--rect" || option == "--box" || option == "--ray" || option == "--segment" ||
         option == "--nearest" || option == "--from" || option == "--to" || option == "--shift" ||
         option == "--eye" || option == "--at" || option == "--video-centre" || option == "--centre";
}

/// "-k=1": CLI11 takes the = of a short option for a part of the value.
bool is_short_with_value(const std::string& argument) {
  return argument.size() > 3 && argument[0] == '-' && argument[2] == '=' &&
         ((argument[1] >= 'a' && argument[1] <= 'z') || (argument[1] >= 'A' && argument[1] <= 'Z'));
}

/// One number and nothing else: "-3", "inf".
bool is_number(const char* text) {
  float number = 0;
  const char* last = text + std::strlen(text);
  const auto [end, error] = std::from_chars(text, last, number);
  return error == std::errc{} && end == last;
}

}  // namespace

std::vector<std::string> joined_arguments(int argc, char** argv) {
  std::vector<std::string> arguments;
  bool options_ended = false;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    options_ended = options_ended || argument == "--";
    if (!options_ended && is_short_with_value(argument)) {
      argument.erase(2, 1);
    }
    if (takes_numbers(argument) && i + 1 < argc) {
      argument += std::string("=") + argv[++i];
      if (is_number(argv[i])) {  // a number alone is never enough: those that follow belong to it
        while (i + 1 < argc && is_number(argv[i + 1])) {
          argument += std::string(",") + argv[++i];
        }
      }
    }
    if ((argument == "--checkpoint" || argument == "--record") && i + 1 < argc &&
        std::string_view(argv[i + 1]) == "every") {
      ++i;  // "--checkpoint every 100", as one says it
    }
    arguments.push_back(std::move(argument));
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw CLI::ValidationError("--seed", fmt::format("'{}' is no whole number from 0 to {}", text,
                                                     std::numeric_limits<std::uint64_t>::max()));
  }
  return seed;
}

}  // namespace juxta::program_detail
