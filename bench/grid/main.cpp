// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// bench_grid: steps of diffusion beside a copy of the same bytes and the obvious loop, and points, in a
// closed world. Bytes are those read and written, 8 a cell and step; processor time. JUXTA_BENCH_CELLS: the
// side of the square, 4096 unless set (the cube has its power of two thirds); JUXTA_BENCH_POINTS: 1,000,000.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/grid/plain.h"
#include "bench/grid/space.h"
#include "bench/support/must.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "benchmark/benchmark.h"
#include "juxta/core/array.h"
#include "juxta/core/random.h"
#include "juxta/core/workspace.h"
#include "juxta/grid/field.h"

namespace juxta::bench {
namespace {

constexpr float kAmount = 0.15F, kDecay = 0.01F;

FieldOptions closed(std::uint32_t dimensions, std::uint32_t side) {
  FieldOptions options;
  options.world.dimensions = dimensions;
  options.world.edges = {Edge::kWall, Edge::kWall, Edge::kWall};
  const auto length = static_cast<float>(side);
  options.world.hi = {length, length, length};
  options.cells = {side, side, dimensions == 2 ? 1 : side};
  return options;
}

/// A field, and plain arrays of the same values.
struct Basin {
  FieldOptions options;
  Field field;
  Array<float> from, to;
  TbbExecutor threads = must(TbbExecutor::build(2));
  Workspace workspace;

  Basin(std::uint32_t dimensions, std::uint32_t side)
      : options(closed(dimensions, side)), field(must(Field::build(options))) {
    start();
    plain();
    diffuse(1, 1);
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (!(std::fabs(field.values()[i] - from[i]) < 1e-5F)) {
        give_up("the loop and the library differ");
      }
    }
    start();
  }

  void start() {
    from.resize_discard(field.cells());
    to.resize_discard(field.cells());
    for (std::size_t i = 0; i < from.size(); ++i) {
      from[i] = field.values()[i] = 1 + 0.5F * std::sin(static_cast<float>(i % 9973));
    }
    std::fill(to.begin(), to.end(), 0.0F);
  }
  [[nodiscard]] Context context(unsigned on) {
    return {.executor = on == 1 ? nullptr : &threads, .workspace = &workspace};
  }
  void diffuse(std::uint32_t steps, unsigned on) {
    must(field.diffuse({.amount = kAmount, .decay = kDecay, .steps = steps}, context(on)));
  }
  void plain() {
    const auto& cells = options.cells;
    if (options.world.dimensions == 2) {
      plain_diffuse(from.data(), to.data(), cells[0], cells[1], kAmount, 1 - kDecay);
    } else {
      plain_diffuse(from.data(), to.data(), cells[0], cells[1], cells[2], kAmount, 1 - kDecay);
    }
    std::swap(from, to);
  }
  template <class Piece>
  void in_pieces(unsigned on, Piece&& piece) {
    executor_or_serial(context(on).executor).parallel_for(from.size(), std::size_t{1} << 16, piece);
  }
  void copy(unsigned on) {
    in_pieces(on, [this](std::size_t first, std::size_t last) {
      copy_loop(from.data() + first, to.data() + first, last - first);
    });
  }
  void copy_memory(unsigned on) {
    in_pieces(on, [this](std::size_t first, std::size_t last) {
      std::memcpy(to.data() + first, from.data() + first, (last - first) * sizeof(float));
    });
  }
};

void register_basin(std::uint32_t dimensions, std::uint32_t side) {
  const auto basin = std::make_shared<Once<Basin>>([=] { return std::make_unique<Basin>(dimensions, side); });
  const std::string name = "diffuse_" + std::to_string(dimensions) + "d_" + std::to_string(side) + "/";
  const auto add = [&](const std::string& row, unsigned steps, auto work) {
    benchmark::RegisterBenchmark(
        (name + row).c_str(),
        [basin, steps, work](benchmark::State& state) {
          Basin& b = **basin;
          for (auto _ : state) {
            work(b);
            benchmark::ClobberMemory();
          }
          const auto cells =
              static_cast<double>(state.iterations()) * steps * static_cast<double>(b.from.size());
          state.counters["s_per_cell"] =
              benchmark::Counter(cells, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
          state.counters["bytes_per_s"] = benchmark::Counter(8 * cells, benchmark::Counter::kIsRate);
        })
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime();
  };
  for (const unsigned on : {1U, 2U}) {
    const std::string threads = on == 1 ? "" : "_2_threads";
    add("memcpy" + threads, 1, [on](Basin& b) { b.copy_memory(on); });
    add("copy_loop" + threads, 1, [on](Basin& b) { b.copy(on); });
    if (on == 1) {
      add("plain_loop", 1, [](Basin& b) { b.plain(); });
    }
    for (const unsigned steps : {1U, 2U, 8U, 32U}) {
      add("juxta_" + std::to_string(steps) + "_steps" + threads, steps,
          [on, steps](Basin& b) { b.diffuse(steps, on); });
    }
  }
}

/// Random points on a square, and where answers go.
struct Visitors {
  Field field;
  std::vector<float> x, y, out, other, amounts;

  Visitors(std::uint32_t side, std::size_t points)
      : field(must(Field::build(closed(2, side)))),
        x(points),
        y(points),
        out(points),
        other(points),
        amounts(points, 1.0F) {
    for (auto [column, purpose] : {std::pair{&x, 0U}, std::pair{&y, 1U}}) {
      fill_random({.seed = 5, .step = 0, .purpose = purpose}, 0, std::span<float>(*column));
      for (float& p : *column) {
        p *= static_cast<float>(side);
      }
    }
    fill_random({.seed = 5, .step = 0, .purpose = 2}, 0, field.values());
    sample(FieldMethod::kLinear);
    plain();
    for (std::size_t i = 0; i < points; ++i) {
      if (!(std::fabs(out[i] - other[i]) < 1e-4F)) {
        give_up("samples differ");
      }
    }
  }
  void sample(FieldMethod method) { must(field.sample(x, y, {}, out, {.method = method})); }
  void plain() {
    plain_sample(field.values().data(), field.options().cells[0], field.options().cells[1], x.data(),
                 y.data(), other.data(), x.size());
  }
};

void register_points(std::uint32_t side, std::size_t points) {
  const auto visitors =
      std::make_shared<Once<Visitors>>([=] { return std::make_unique<Visitors>(side, points); });
  const auto add = [&](const std::string& row, auto work) {
    benchmark::RegisterBenchmark(
        ("points_2d_" + std::to_string(side) + "/" + row).c_str(),
        [visitors, work](benchmark::State& state) {
          Visitors& v = **visitors;
          for (auto _ : state) {
            work(v);
            benchmark::ClobberMemory();
          }
          const auto total = static_cast<double>(state.iterations()) * static_cast<double>(v.x.size());
          state.counters["s_per_point"] =
              benchmark::Counter(total, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
        })
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime();
  };
  add("sample_linear", [](Visitors& v) { v.sample(FieldMethod::kLinear); });
  add("plain_linear", [](Visitors& v) { v.plain(); });
  add("sample_nearest", [](Visitors& v) { v.sample(FieldMethod::kNearest); });
  add("gradient_linear", [](Visitors& v) { must(v.field.gradient(v.x, v.y, {}, v.out, v.other, {})); });
  add("deposit_linear", [](Visitors& v) { must(v.field.deposit(v.x, v.y, {}, v.amounts)); });
  add("deposit_nearest",
      [](Visitors& v) { must(v.field.deposit(v.x, v.y, {}, v.amounts, {.method = FieldMethod::kNearest})); });
}

}  // namespace
}  // namespace juxta::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  }
  const std::size_t side = juxta::bench::number_setting("JUXTA_BENCH_CELLS", 4096);
  const std::size_t points = juxta::bench::number_setting("JUXTA_BENCH_POINTS", 1'000'000);
  const auto cube = static_cast<std::uint32_t>(std::cbrt(static_cast<double>(side * side)) + 0.5);
  juxta::bench::register_basin(2, static_cast<std::uint32_t>(side));
  juxta::bench::register_basin(3, cube);
  juxta::bench::register_points(1024, points);
  juxta::bench::register_points(static_cast<std::uint32_t>(side), points);
  juxta::bench::add_space_rows();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
