// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/support/settings.h"

#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace juxta::bench {

std::size_t number_setting(const char* variable, std::size_t otherwise) {
  const std::string text = text_setting(variable);
  if (text.empty()) {
    return otherwise;
  }
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value == 0) {
    give_up(std::string(variable) + " must be a whole number from 1, not '" + text + "'.");
  }
  return value;
}

std::string text_setting(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? "" : text;
}

void give_up(const std::string& why) {
  std::cerr << "bench: " << why << '\n';
  std::exit(2);
}

}  // namespace juxta::bench
