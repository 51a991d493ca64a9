// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One hash for every instruction set of this machine, on one thread and on several: how to test that a result
// of yours does not depend on either. docs/how-to/determinism.md explains it.
#include <juxta/core/executor.h>
#include <juxta/core/isa.h>
#include <juxta/core/random.h>
#include <juxta/core/try.h>
#include <juxta/layer/find_pairs.h>

#include <cstdio>
#include <span>
#include <vector>

/// FNV-1a over the bytes of a column: one number to compare a whole result with. T has no padding.
template <class T>
std::uint64_t hash_of(std::span<const T> values, std::uint64_t hash = 0xcbf29ce484222325U) {
  for (const std::byte byte : std::as_bytes(values)) {
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3U;
  }
  return hash;
}

/// The work to test: here all overlapping pairs of a crowd, in the order in which they are found.
juxta::Result<std::uint64_t> hash_of_run(const juxta::Executor* executor) {
  std::vector<juxta::Aabb3> boxes;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const juxta::Vec3 lo{60 * juxta::random_float({1, 0, 0}, i), 60 * juxta::random_float({1, 0, 1}, i), 0};
    boxes.push_back({lo, lo + juxta::Vec3::all(1)});
  }
  std::vector<juxta::Pair> pairs(20 * boxes.size());
  JUXTA_TRY_LET(const juxta::Layer layer, juxta::Layer::build(boxes, {}, {.executor = executor}));
  JUXTA_TRY_LET(const juxta::QueryResult result, juxta::find_pairs(layer, pairs, {}, {.executor = executor}));
  return hash_of<juxta::Pair>(std::span(pairs).first(result.written));
}

int main() {
  const auto threads = juxta::TbbExecutor::build(4);  // none in a library built without oneTBB
  const std::uint64_t expected = hash_of_run(nullptr).value_or(0);
  bool same = expected != 0;
  for (const juxta::Isa isa : juxta::available_isas()) {
    same = same && juxta::force_isa(isa).has_value();
    const std::uint64_t one = hash_of_run(nullptr).value_or(0);
    const std::uint64_t four = hash_of_run(threads ? &*threads : nullptr).value_or(0);
    same = same && one == expected && four == expected;
    std::printf("%-5s %016llx on one thread, %016llx on four\n", juxta::isa_name(isa).data(),
                static_cast<unsigned long long>(one), static_cast<unsigned long long>(four));
  }
  std::printf("%s\n", same ? "the same bits" : "THEY DIFFER");
  return same ? 0 : 1;
}
