// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What every module of the npm package exports: memory, and the last error. Numbers and addresses go in,
// numbers come out; what needs more goes through scratch(), whose layout js/src/ knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "juxta/core/error.h"

/// A function that JavaScript calls by its name.
#define JUXTA_JS(result, name) extern "C" __attribute__((export_name(#name))) result name

namespace juxta::wasm {

/// JavaScript asks error_code() and so on after a call that failed.
void keep_error(Error&& error) noexcept;

/// Whether there is a value; an error is kept.
template <class T>
[[nodiscard]] bool ok(Result<T>& result) noexcept {
  if (!result) {
    keep_error(std::move(result.error()));
    return false;
  }
  return true;
}

/// Errors of calls that return a number.
inline constexpr double kFailed = -1;

/// What a Result<T> holds, on the heap; null: failed.
template <class T>
[[nodiscard]] T* to_heap(Result<T>&& result) {
  return ok(result) ? new T(std::move(*result)) : nullptr;
}

template <class Count>
[[nodiscard]] double number(Count count) noexcept {
  return static_cast<double>(count);
}

/// For what JavaScript writes beside the scalars: filters, regions, results of several numbers.
inline constexpr std::size_t kScratchBytes = 1024;
[[nodiscard]] std::byte* scratch_bytes() noexcept;
template <class T>
[[nodiscard]] T* scratch_as() noexcept {
  static_assert(sizeof(T) <= kScratchBytes);
  return reinterpret_cast<T*>(scratch_bytes());
}

}  // namespace juxta::wasm
