// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/order/std_peer.h"

#include <algorithm>

namespace juxta::bench {
namespace {

template <class Key>
void sort_both(std::vector<KeyValue<Key>>& pairs) {
  std::sort(pairs.begin(), pairs.end(), [](const KeyValue<Key>& a, const KeyValue<Key>& b) {
    return a.key < b.key || (a.key == b.key && a.value < b.value);
  });
}

template <class Key>
void stable_sort_by_key(std::vector<KeyValue<Key>>& pairs) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const KeyValue<Key>& a, const KeyValue<Key>& b) { return a.key < b.key; });
}

}  // namespace

void std_sort(std::vector<KeyValue<std::uint32_t>>& pairs) {
  sort_both(pairs);
}
void std_sort(std::vector<KeyValue<std::uint64_t>>& pairs) {
  sort_both(pairs);
}
void std_stable_sort(std::vector<KeyValue<std::uint32_t>>& pairs) {
  stable_sort_by_key(pairs);
}
void std_stable_sort(std::vector<KeyValue<std::uint64_t>>& pairs) {
  stable_sort_by_key(pairs);
}
void std_sort_packed(std::vector<std::uint64_t>& words) {
  std::sort(words.begin(), words.end());
}

void plain_gather(std::span<const std::uint32_t> order, std::span<const float> in, std::span<float> out) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    out[i] = in[order[i]];
  }
}

}  // namespace juxta::bench
