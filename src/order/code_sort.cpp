// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Curve codes use few bits: four cells for a box, so log2(n) + 2 of them, and two more for the size class.
// On one thread all of them are sorted at once, lowest digit first, and code and index travel as one word:
//
//   codes   | c0 c1 c2 ... |      bits in use:   | size class | hole | digit 1 | digit 0 |
//             \ first pass: scattered by digit 0, with the index
//   words   | code:index ... |
//             \ last pass
//   order   | index ... |   codes   | code ... |
//
// Limit: one store a box and pass, to a line of the second cache; 100k boxes take two passes.

#include "order/code_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

#include "juxta/order/radix_sort.h"
#include "order/fill_identity.h"
#include "order/radix_buffers.h"

namespace juxta::order_detail {
namespace {

constexpr std::size_t kFewest = 512;                 // below, histograms cost more than they save
constexpr std::size_t kMost = std::size_t{1} << 18;  // both copies fit 4 MiB of cache
constexpr unsigned kMostBits = 11;
constexpr unsigned kMostDigits = 4;

struct Digit {
  unsigned shift, bits;
};

// The digits that differ, lowest first.
struct Digits {
  std::array<Digit, kMostDigits> at;
  unsigned count = 0;

  explicit Digits(std::uint32_t differing) {
    constexpr unsigned kClass = 30;  // where the size class begins (box_codes_kernel.h)
    const auto bits = static_cast<unsigned>(std::bit_width(differing & ((1U << kClass) - 1)));
    const unsigned digits = (bits + kMostBits - 1) / kMostBits;
    for (unsigned i = 0, shift = 0; i < digits; ++i) {
      const unsigned width = (bits - shift) / (digits - i);
      at[count++] = {shift, width};
      shift += width;
    }
    if (differing >> kClass != 0) {
      at[count++] = {kClass, 2};
    }
  }
};

using Counter = std::array<std::uint32_t, std::size_t{1} << kMostBits>;

std::uint32_t digit_of(std::uint32_t code, Digit digit) {
  return code >> digit.shift & ((1U << digit.bits) - 1);
}

// Where each digit value begins, for all digits from one reading.
void count_digits(std::span<const std::uint32_t> codes, const Digits& digits, Counter* counters) {
  const auto count = [&]<unsigned kDigits>() {
    for (const std::uint32_t code : codes) {
      for (unsigned d = 0; d < kDigits; ++d) {
        ++counters[d][digit_of(code, digits.at[d])];
      }
    }
  };
  for (unsigned d = 0; d < digits.count; ++d) {
    std::fill_n(counters[d].begin(), std::size_t{1} << digits.at[d].bits, 0U);
  }
  switch (digits.count) {
    case 1:
      count.template operator()<1>();
      break;
    case 2:
      count.template operator()<2>();
      break;
    case 3:
      count.template operator()<3>();
      break;
    default:
      count.template operator()<4>();
  }
  for (unsigned d = 0; d < digits.count; ++d) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < std::size_t{1} << digits.at[d].bits; ++i) {
      sum += std::exchange(counters[d][i], sum);
    }
  }
}

constexpr std::uint64_t word_of(std::uint32_t code, std::size_t index) {
  return std::uint64_t{code} << 32 | index;
}

void sort_serial(std::span<std::uint32_t> codes, std::span<std::uint32_t> order, const Digits& digits,
                 Workspace& workspace) {
  const Workspace::Scope scope(workspace);
  const std::size_t n = codes.size();
  std::uint64_t* from = workspace.take<std::uint64_t>(n).data();
  std::uint64_t* to = digits.count > 2 ? workspace.take<std::uint64_t>(n).data() : nullptr;
  std::array<Counter, kMostDigits> counters;
  count_digits(codes, digits, counters.data());
  std::uint32_t* next = counters[0].data();
  for (std::size_t i = 0; i < n; ++i) {
    from[next[digit_of(codes[i], digits.at[0])]++] = word_of(codes[i], i);
  }
  for (unsigned d = 1; d + 1 < digits.count; ++d) {
    next = counters[d].data();
    for (std::size_t i = 0; i < n; ++i) {
      to[next[digit_of(static_cast<std::uint32_t>(from[i] >> 32), digits.at[d])]++] = from[i];
    }
    std::swap(from, to);
  }
  next = counters[digits.count - 1].data();
  for (std::size_t i = 0; i < n; ++i) {
    const auto code = static_cast<std::uint32_t>(from[i] >> 32);
    const std::uint32_t place = digits.count == 1 ? static_cast<std::uint32_t>(i)
                                                  : next[digit_of(code, digits.at[digits.count - 1])]++;
    codes[place] = code;
    order[place] = static_cast<std::uint32_t>(from[i]);
  }
}

}  // namespace

void sort_codes(std::span<std::uint32_t> codes, std::span<std::uint32_t> order, Workspace& workspace,
                const Executor& executor) {
  const std::size_t n = codes.size();
  if (&executor == &serial_executor() && n >= kFewest && n <= kMost) {
    if (const KeySpread<std::uint32_t> spread = key_spread(codes.data(), 0, n); !spread.sorted) {
      sort_serial(codes, order, Digits(spread.differing), workspace);
      return;
    }
  }
  fill_identity(order, executor);
  (void)sort_pairs(codes, order, {.executor = &executor, .workspace = &workspace});  // lengths agree and fit
}

}  // namespace juxta::order_detail
