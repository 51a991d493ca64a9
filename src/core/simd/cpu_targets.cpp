// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the processor has and the operating system saves, in Highway's terms: a set is there if everything is
// that Highway uses for it, and that its compiler flags (hwy/ops/set_macros-inl.h) let compilers use.
//
// Written from Intel's manual (CPUID leaves 1, 7 and 0x80000001; XCR0). A test compares it with Highway's own
// answer where its library is installed.
#include "core/simd/dispatch.h"

#include <cstdint>
#include <initializer_list>

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace juxta::core_detail {

#if HWY_ARCH_X86
namespace {

struct CpuRegisters {
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
};

/// Zeros: the processor has no such leaf.
CpuRegisters read_leaf(std::uint32_t leaf) noexcept {
  CpuRegisters r;
  __get_cpuid_count(leaf, 0, &r.a, &r.b, &r.c, &r.d);
  return r;
}

/// Which registers the operating system saves when threads change. Needs OSXSAVE.
std::uint64_t saved_registers() noexcept {
  std::uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}

constexpr std::uint32_t all_bits(std::initializer_list<unsigned> numbers) noexcept {
  std::uint32_t all = 0;
  for (const unsigned number : numbers) {
    all |= 1u << number;
  }
  return all;
}

constexpr bool has_all(std::uint32_t value, std::uint32_t wanted) noexcept {
  return (value & wanted) == wanted;
}

}  // namespace

std::int64_t supported_targets() noexcept {
  const CpuRegisters basic = read_leaf(1), more = read_leaf(7), extended = read_leaf(0x80000001);
  std::int64_t targets = HWY_SCALAR | HWY_EMU128;
  // SSE2; SSE3, SSSE3
  if (!has_all(basic.d, all_bits({25, 26})) || !has_all(basic.c, all_bits({0, 9}))) {
    return targets;
  }
  targets |= HWY_SSSE3;
  // PCLMUL, SSE4.1, SSE4.2, POPCNT, AES
  if (!has_all(basic.c, all_bits({1, 19, 20, 23, 25}))) {
    return targets;
  }
  targets |= HWY_SSE4;
  // FMA, OSXSAVE, AVX, F16C; BMI, AVX2, BMI2; LZCNT
  if (!has_all(basic.c, all_bits({12, 27, 28, 29})) || !has_all(more.b, all_bits({3, 5, 8})) ||
      !has_all(extended.c, all_bits({5}))) {
    return targets;
  }
  const std::uint64_t saved = saved_registers();
  constexpr std::uint64_t kXmmYmm = 0x6, kMasksZmm = 0xE0;
  if ((saved & kXmmYmm) != kXmmYmm) {
    return targets;
  }
  targets |= HWY_AVX2;
  // AVX-512 F, DQ, CD, BW, VL
  if ((saved & kMasksZmm) != kMasksZmm || !has_all(more.b, all_bits({16, 17, 28, 30, 31}))) {
    return targets;
  }
  targets |= HWY_AVX3;
  // VBMI, VBMI2, VAES, VPCLMULQDQ, VNNI, BITALG, VPOPCNTDQ
  if (has_all(more.c, all_bits({1, 6, 9, 10, 11, 12, 14}))) {
    targets |= HWY_AVX3_DL;
  }
  return targets;
}

#else

// Other machines run what the compiler was told to use (NEON is part of every 64-bit Arm), or the emulation.
std::int64_t supported_targets() noexcept {
  return HWY_STATIC_TARGET | HWY_SCALAR | HWY_EMU128;
}

#endif

}  // namespace juxta::core_detail
