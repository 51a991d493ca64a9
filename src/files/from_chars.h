// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: std::from_chars() of doubles, also where the C++ library has none (libc++ before version 20).
#pragma once

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <system_error>

namespace juxta::files_detail {

/// std::from_chars() by strtod(), for programs whose locale is "C". Its strtod() must round once, as those of
/// glibc and wasi-libc do. "inf" and "nan" are no numbers here: callers refuse both anyhow.
inline std::from_chars_result decimal_from_chars(const char* first, const char* last, double& value) {
  const char* at = first;
  bool zero = true;
  const auto digits = [&] {
    const char* const from = at;
    for (; at != last && *at >= '0' && *at <= '9'; ++at) {
      zero = zero && *at == '0';
    }
    return at - from;
  };
  at += at != last && *at == '-' ? 1 : 0;
  auto all = digits();
  if (at != last && *at == '.') {
    ++at;
    all += digits();
  }
  if (all == 0) {
    return {first, std::errc::invalid_argument};
  }
  const bool is_zero = zero;
  // An e without digits behind it is not part of the number.
  if (const char* const end = at; at != last && (*at == 'e' || *at == 'E')) {
    ++at;
    at += at != last && (*at == '-' || *at == '+') ? 1 : 0;
    at = digits() == 0 ? end : at;
  }
  const std::string text(first, at);
  const double read = std::strtod(text.c_str(), nullptr);
  if (!std::isfinite(read) || (read == 0 && !is_zero)) {
    return {at, std::errc::result_out_of_range};
  }
  value = read;
  return {at, std::errc{}};
}

#if defined(__wasi__)
inline std::from_chars_result from_chars(const char* first, const char* last, double& value) {
  return decimal_from_chars(first, last, value);
}
#else
using std::from_chars;
#endif

}  // namespace juxta::files_detail
