// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

// What a programmer without Juxta would write; compiled for this very machine.

#include <cstdint>
#include <span>
#include <vector>

namespace juxta::bench {

template <class Key>
struct KeyValue {
  Key key;
  std::uint32_t value;
};

/// By (key, value): what stability gives when values ascend.
void std_sort(std::vector<KeyValue<std::uint32_t>>& pairs);
void std_sort(std::vector<KeyValue<std::uint64_t>>& pairs);
/// By key.
void std_stable_sort(std::vector<KeyValue<std::uint32_t>>& pairs);
void std_stable_sort(std::vector<KeyValue<std::uint64_t>>& pairs);
/// Key and value in one word, the fastest way to std::sort them.
void std_sort_packed(std::vector<std::uint64_t>& words);

/// A loop.
void plain_gather(std::span<const std::uint32_t> order, std::span<const float> in, std::span<float> out);

}  // namespace juxta::bench
