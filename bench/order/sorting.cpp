// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bench/order/rows.h"
#include "bench/order/std_peer.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "juxta/core/array.h"
#include "juxta/core/random.h"
#include "juxta/core/workspace.h"
#include "juxta/order/ordered_key.h"
#include "juxta/order/radix_sort.h"
#include "juxta/order/reorder.h"

namespace juxta::bench {
namespace {

// One input, its sorted order by the standard library, and room for every contender.
template <class Key>
struct SortData {
  std::vector<Key> input;
  std::vector<KeyValue<Key>> pairs_input, pairs, sorted;
  Array<Key> keys;
  Array<std::uint32_t> values;
  Workspace workspace;

  explicit SortData(std::vector<Key> given)
      : input(std::move(given)), pairs_input(input.size()), keys(input.size()), values(input.size()) {
    for (std::size_t i = 0; i < input.size(); ++i) {
      pairs_input[i] = {input[i], static_cast<std::uint32_t>(i)};
    }
    sorted = pairs_input;
    std_stable_sort(sorted);
    check();
  }
  void fill_columns() {
    std::copy(input.begin(), input.end(), keys.begin());
    identity_order(values.span());
  }
  void sort_columns(const Executor* executor) {
    if (const auto done =
            sort_pairs(keys.span(), values.span(), {.executor = executor, .workspace = &workspace});
        !done) {
      give_up(done.error().message);
    }
  }

 private:
  void check() {
    fill_columns();
    sort_columns(nullptr);
    pairs = pairs_input;
    std_sort(pairs);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (keys[i] != sorted[i].key || values[i] != sorted[i].value || pairs[i].value != sorted[i].value) {
        give_up("the sorts differ at " + std::to_string(i));
      }
    }
  }
};

template <class Key>
using Make = std::vector<Key> (*)(std::size_t n);

template <class Key>
std::vector<Key> uniform(std::size_t n) {
  std::vector<Key> keys(n);
  fill_random({.seed = 1, .step = 0, .purpose = 0}, 0, std::span(keys));
  return keys;
}

// Floats in [0, 1): half of them share one exponent, so one bucket in 256 gets far more than its share.
std::vector<std::uint32_t> fractions(std::size_t n) {
  std::vector<float> values(n);
  fill_random({.seed = 2, .step = 0, .purpose = 0}, 0, std::span(values));
  std::vector<std::uint32_t> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    keys[i] = ordered_key(values[i]);
  }
  return keys;
}

void finish(benchmark::internal::Benchmark* row) {
  row->UseManualTime()->Unit(benchmark::kMicrosecond);
}

template <class Key>
void register_sort(const std::string& workload, std::size_t n, Make<Key> make, const Executor* two) {
  const auto data =
      std::make_shared<Once<SortData<Key>>>([n, make] { return std::make_unique<SortData<Key>>(make(n)); });
  const auto columns = [data, n](benchmark::State& state, const Executor* executor) {
    SortData<Key>& d = **data;
    measure(
        state, n, [&] { d.fill_columns(); }, [&] { d.sort_columns(executor); });
    state.counters["workspace_bytes"] = static_cast<double>(d.workspace.memory_bytes());
  };
  const auto pairs = [data, n](benchmark::State& state, void (*sort)(std::vector<KeyValue<Key>>&)) {
    SortData<Key>& d = **data;
    measure(
        state, n, [&] { d.pairs = d.pairs_input; }, [&] { sort(d.pairs); });
  };
  const auto add = [&](const char* contender, auto body) {
    finish(benchmark::RegisterBenchmark((workload + "/" + contender).c_str(), body));
  };
  add("juxta", [columns](benchmark::State& state) { columns(state, nullptr); });
  if (two != nullptr) {
    add("juxta_2_threads", [columns, two](benchmark::State& state) { columns(state, two); });
  }
  add("std_sort", [pairs](benchmark::State& state) { pairs(state, std_sort); });
  add("std_stable_sort", [pairs](benchmark::State& state) { pairs(state, std_stable_sort); });
}

void register_packed(const std::string& workload, std::size_t n) {
  finish(benchmark::RegisterBenchmark((workload + "/std_sort_packed").c_str(), [n](benchmark::State& state) {
    const auto keys = uniform<std::uint32_t>(n);
    std::vector<std::uint64_t> input(n), words(n);
    for (std::size_t i = 0; i < n; ++i) {
      input[i] = std::uint64_t{keys[i]} << 32 | i;
    }
    measure(
        state, n, [&] { words = input; }, [&] { std_sort_packed(words); });
  }));
}

void register_gather(const Executor* two) {
  struct Columns {
    Array<std::uint32_t> order;
    Array<float> in, out;
  };
  const std::size_t n = bench_elements();
  const auto columns = std::make_shared<Once<Columns>>([n] {
    auto made = std::make_unique<Columns>(Columns{Array<std::uint32_t>(n), Array<float>(n), Array<float>(n)});
    fill_random({.seed = 3, .step = 0, .purpose = 0}, 0, made->order.span());
    fill_random({.seed = 4, .step = 0, .purpose = 0}, 0, made->in.span());
    for (std::uint32_t& entry : made->order) {
      entry = static_cast<std::uint32_t>(std::uint64_t{entry} * n >> 32);
    }
    std::vector<float> want(n);
    plain_gather(made->order.span(), made->in.span(), want);
    const Columns& c = *made;
    if (!gather(c.order.span(), c.in.span(), made->out.span()) ||
        !std::equal(want.begin(), want.end(), made->out.begin())) {
      give_up("the gathered columns differ");
    }
    return made;
  });
  const auto add = [&](const char* name, auto work) {
    finish(benchmark::RegisterBenchmark(name, [columns, n, work](benchmark::State& state) {
      Columns& c = **columns;
      measure(
          state, n, [] {}, [&] { work(c); });
    }));
  };
  const auto library = [](Columns& c, const Executor* executor) {
    const Columns& from = c;
    if (!gather(from.order.span(), from.in.span(), c.out.span(), {.executor = executor})) {
      give_up("the gather was refused");
    }
  };
  add("gather_f32/juxta", [library](Columns& c) { library(c, nullptr); });
  if (two != nullptr) {
    add("gather_f32/juxta_2_threads", [library, two](Columns& c) { library(c, two); });
  }
  add("gather_f32/plain", [](Columns& c) { plain_gather(c.order.span(), c.in.span(), c.out.span()); });
}

}  // namespace

void register_sorting() {
  static const auto two_threads = TbbExecutor::build(2);
  const Executor* const two = two_threads ? &*two_threads : nullptr;
  const std::size_t n = bench_elements();
  register_sort<std::uint32_t>("sort_u32", n, uniform<std::uint32_t>, two);
  register_packed("sort_u32", n);
  register_sort<std::uint32_t>("sort_fractions", n, fractions, two);
  register_sort<std::uint64_t>("sort_u64", n, uniform<std::uint64_t>, two);
  register_sort<std::uint32_t>("sort_u32_100", 100, uniform<std::uint32_t>, nullptr);
  register_sort<std::uint32_t>("sort_u32_1k", 1000, uniform<std::uint32_t>, nullptr);
  register_sort<std::uint32_t>("sort_u32_10k", 10'000, uniform<std::uint32_t>, nullptr);
  register_sort<std::uint32_t>("sort_u32_100k", 100'000, uniform<std::uint32_t>, nullptr);
  register_gather(two);
}

}  // namespace juxta::bench
