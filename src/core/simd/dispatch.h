// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which instruction set's copy of a kernel a call runs. Takes the place of Highway's HWY_EXPORT and
// HWY_DYNAMIC_DISPATCH, which need Highway's library; Juxta needs its headers alone.
//
//   JUXTA_KERNEL(Sweep);                         a table of one function for each instruction set, best first
//   JUXTA_CALL_KERNEL(Sweep)(columns, rows);     the one for this machine, or for force_isa()
//
// Cost: an atomic load, a bit count and an indirect call, about 10 ns with cold caches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "hwy/targets.h"
#include "juxta/core/export.h"

namespace juxta::core_detail {

/// Instruction sets of this machine and its operating system that Highway has kernels for, as bits of
/// HWY_TARGETS (cpu_targets.cpp).
[[nodiscard]] std::int64_t supported_targets() noexcept;

/// What JUXTA_CALL_KERNEL asks: the best of supported_targets() unless something else was chosen (isa.cpp).
[[nodiscard]] JUXTA_API hwy::ChosenTarget& chosen_target() noexcept;

/// The same, without a call: until chosen_target() runs for the first time, its GetIndex() is 0.
extern JUXTA_API hwy::ChosenTarget chosen_target_state;

/// Where the tables below have the copy to run. One of its own in each file, for GetIndex() knows the sets
/// that its file is compiled for.
[[nodiscard]] static HWY_INLINE std::size_t kernel_index() noexcept {
  const std::size_t index = chosen_target_state.GetIndex();
  return index != 0 ? index : chosen_target().GetIndex();
}

}  // namespace juxta::core_detail

#if HWY_IS_DEBUG_BUILD
// Highway's assertions, which builds without optimisation and with sanitizers have, call this function of its
// library. Inline, because a program may link that library too.
namespace hwy {
inline HWY_NORETURN void Abort(const char* file, int line, const char* format, ...) {
  static_cast<void>(std::fprintf(stderr, "%s:%d: Highway: %s\n", file, line, format));
  std::abort();
}
}  // namespace hwy
#endif

#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0  // one instruction set: no table
#define JUXTA_KERNEL(function) static_assert(true)
#define JUXTA_CALL_KERNEL(function) HWY_STATIC_DISPATCH(function)
#else
// Highway counts from 1; its entry 0 chooses at the first call, which kernel_index() does.
#define JUXTA_KERNEL(function)                                                             \
  static decltype(&HWY_STATIC_DISPATCH(function)) const HWY_DISPATCH_TABLE(                \
      function)[HWY_MAX_DYNAMIC_TARGETS + 2] = {nullptr, HWY_CHOOSE_TARGET_LIST(function), \
                                                HWY_CHOOSE_FALLBACK(function)}
#define JUXTA_CALL_KERNEL(function) (*(HWY_DISPATCH_TABLE(function)[::juxta::core_detail::kernel_index()]))
#endif
