// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/pair_tracker.h"

#include <cstdint>
#include <utility>

#include "juxta/order/radix_sort.h"

namespace juxta {
namespace {

/// Pairs as numbers: their order is that of (a, b).
std::uint64_t key_of(Pair pair) noexcept {
  return std::uint64_t{pair.a} << 32 | pair.b;
}
Pair pair_of(std::uint64_t key) noexcept {
  return {static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key)};
}

/// How many keys are left when each stays once.
std::size_t unique(std::span<std::uint64_t> sorted) noexcept {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sorted[kept] = sorted[i];
    kept += i + 1 == sorted.size() || sorted[i] != sorted[i + 1];
  }
  return kept;
}

/// How many keys both have. No branch but the loop's: which side is lower is as good as random.
std::size_t count_common(std::span<const std::uint64_t> keys, std::span<const Pair> pairs) noexcept {
  std::size_t i = 0, j = 0, common = 0;
  while (i < keys.size() && j < pairs.size()) {
    const std::uint64_t a = keys[i], b = key_of(pairs[j]);
    common += a == b;
    i += a <= b;
    j += b <= a;
  }
  return common;
}

/// What only `a` has to `only_a`, what only `b` has to `only_b`. Both are exactly as long as that, and
/// may be written one past their ends, as Arrays are.
void split(std::span<const Pair> a, std::span<const Pair> b, Pair* only_a, Pair* only_b) noexcept {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const std::uint64_t key_a = key_of(a[i]), key_b = key_of(b[j]);
    *only_a = a[i];
    *only_b = b[j];
    only_a += key_a < key_b;
    only_b += key_b < key_a;
    i += key_a <= key_b;
    j += key_b <= key_a;
  }
  for (; i < a.size(); ++i) {
    *only_a++ = a[i];
  }
  for (; j < b.size(); ++j) {
    *only_b++ = b[j];
  }
}

/// A quarter more than needed, so that slowly growing frames seldom allocate; never nothing, since split()
/// writes one past the end.
void resize(Array<Pair>& array, std::size_t size) {
  if ((size + 1 + kArrayPadding) * sizeof(Pair) > array.memory_bytes()) {
    array.resize_discard(size + size / 4 + 1);
  }
  array.resize_discard(size);
}

}  // namespace

PairTracker::PairTracker(std::pmr::memory_resource* resource)
    : now_(resource), last_(resource), begun_(resource), ended_(resource) {}

Result<void> PairTracker::update(std::span<const Pair> pairs, Workspace& workspace,
                                 const Executor* executor) {
  const Workspace::Scope scope(workspace);
  std::span<std::uint64_t> keys = workspace.take<std::uint64_t>(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    keys[i] = key_of(pairs[i]);
  }
  if (auto sorted = sort_keys(keys, workspace, executor); !sorted) {
    return sorted;
  }
  keys = keys.first(unique(keys));

  // Everything is allocated before the frame changes.
  const std::size_t common = count_common(keys, now_.span());
  resize(begun_, keys.size() - common);
  resize(ended_, now_.size() - common);
  resize(last_, keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    last_[i] = pair_of(keys[i]);
  }
  std::swap(now_, last_);
  split(now_.span(), last_.span(), begun_.data(), ended_.data());
  return {};
}

void PairTracker::clear() noexcept {
  for (Array<Pair>* array : {&now_, &last_, &begun_, &ended_}) {
    array->resize_discard(0);
  }
}

}  // namespace juxta
