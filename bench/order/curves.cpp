// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/order/curves.h"

#include <memory>
#include <string>
#include <vector>

#include "bench/order/rows.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "juxta/core/array.h"
#include "juxta/core/isa.h"
#include "juxta/core/random.h"

namespace juxta::bench {
namespace {

struct Cells {
  Array<std::uint16_t> x, y;
  Array<std::uint32_t> codes;

  explicit Cells(std::size_t n) : x(n), y(n), codes(n) {
    std::vector<std::uint32_t> words(n);
    fill_random({.seed = 5, .step = 0, .purpose = 0}, 0, std::span(words));
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = static_cast<std::uint16_t>(words[i]);
      y[i] = static_cast<std::uint16_t>(words[i] >> 16);
    }
    batch();
    for (std::size_t i = 0; i < n; ++i) {
      if (codes[i] != hilbert2(x[i], y[i])) {
        give_up("the Hilbert codes differ at " + std::to_string(i));
      }
    }
  }
  void batch() {
    if (const auto done = hilbert2_codes(x.span(), y.span(), codes.span()); !done) {
      give_up(done.error().message);
    }
  }
  void one_by_one() {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes[i] = hilbert2(x[i], y[i]);
    }
  }
};

}  // namespace

void register_curves() {
  const std::size_t n = bench_elements();
  const auto cells = std::make_shared<Once<Cells>>([n] { return std::make_unique<Cells>(n); });
  const auto add = [&](const std::string& name, auto work) {
    benchmark::RegisterBenchmark(name.c_str(),
                                 [cells, n, work](benchmark::State& state) {
                                   Cells& c = **cells;
                                   measure(
                                       state, n, [] {}, [&] { work(c); });
                                 })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  };
  const auto usual = active_isa();
  if (!usual) {
    give_up(usual.error().message);
  }
  add("hilbert2/juxta", [](Cells& c) { c.batch(); });
  for (const Isa isa : available_isas()) {
    add("hilbert2/juxta_" + std::string(isa_name(isa)), [isa, usual = *usual](Cells& c) {
      static_cast<void>(force_isa(isa));
      c.batch();
      static_cast<void>(force_isa(usual));
    });
  }
  add("hilbert2/one_by_one", [](Cells& c) { c.one_by_one(); });
}

}  // namespace juxta::bench
