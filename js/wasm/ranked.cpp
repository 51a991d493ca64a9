// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta/ranked for JavaScript: RankedPoints. Labels are in labels.cpp.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "common.h"
#include "juxta/ranked/ranked_points.h"
#include "ranked_columns.h"

using namespace juxta;
using namespace juxta::wasm;

namespace {

/// How to build, in the scratch memory. Addresses are 0 where there is no such column.
struct PlainPoints {
  std::uint32_t xs, ys, size, coordinate_type, ranks, rank_type, categories, flags;
  std::uint32_t values[2], value_types[2];
};
constexpr std::uint32_t kBorrow = 1, kKeepRanks = 2;

template <class Use>
auto with_columns(Use&& use) {
  const PlainPoints& in = *scratch_as<PlainPoints>();
  const auto at = [](std::uint32_t address) { return reinterpret_cast<const void*>(address); };
  const auto value = [&](int i) {
    return ValueColumn(ranks(at(in.values[i]), in.size, static_cast<Number>(in.value_types[i])));
  };
  const ValueColumn values[] = {value(0), value(1)};
  const std::size_t value_count = in.values[0] == 0 ? 0 : in.values[1] == 0 ? 1 : 2;
  RankedPointsOptions options{.borrow_coordinates = (in.flags & kBorrow) != 0,
                              .keep_ranks = (in.flags & kKeepRanks) != 0,
                              .values = std::span(values, value_count)};
  if (in.categories != 0) {
    options.categories = {static_cast<const std::uint64_t*>(at(in.categories)), in.size};
  }
  return use(coordinates(at(in.xs), in.size, static_cast<Number>(in.coordinate_type)),
             coordinates(at(in.ys), in.size, static_cast<Number>(in.coordinate_type)),
             ranks(at(in.ranks), in.size, static_cast<Number>(in.rank_type)), options);
}

const PlainQuestion& question() noexcept {
  return *scratch_as<PlainQuestion>();
}

}  // namespace

JUXTA_JS(RankedPoints*, ranked_build)() {
  return with_columns([](auto xs, auto ys, auto rank, const auto& options) {
    return to_heap(RankedPoints::build(xs, ys, rank, options));
  });
}
JUXTA_JS(bool, ranked_rebuild)(RankedPoints* points) {
  return with_columns([&](auto xs, auto ys, auto rank, const auto& options) {
    auto done = points->rebuild(xs, ys, rank, options);
    return ok(done);
  });
}
JUXTA_JS(void, ranked_free)(RankedPoints* points) {
  delete points;
}

// ---- rectangles: numbers only, for a question takes a tenth of a microsecond

JUXTA_JS(std::size_t, ranked_top)
(const RankedPoints* points, double lx, double ly, double hx, double hy, std::size_t k, std::uint32_t* out) {
  return points->top(RectD{lx, ly, hx, hy}, k, {out, k}).written;
}
JUXTA_JS(std::size_t, ranked_count)(const RankedPoints* points, double lx, double ly, double hx, double hy) {
  return points->count(RectD{lx, ly, hx, hy}).found;
}

// ---- filters, regions and cursors are in the scratch memory

JUXTA_JS(std::size_t, ranked_top_of)(const RankedPoints* points, std::size_t k, std::uint32_t* out) {
  return points->top(question().region.region(), k, {out, k}, question().filter.filter()).written;
}
JUXTA_JS(std::size_t, ranked_count_of)(const RankedPoints* points) {
  return points->count(question().region.region(), question().filter.filter()).found;
}
JUXTA_JS(double, ranked_top_after)(const RankedPoints* points, std::size_t k, std::uint32_t* out) {
  const RankedCursor after(question().rank.value(), question().index);
  auto done = points->top_after(after, question().region.region(), k, {out, k}, question().filter.filter());
  return ok(done) ? number(done->written) : kFailed;
}
JUXTA_JS(bool, ranked_top_many)
(const RankedPoints* points, const RectD* rects, std::size_t count, std::size_t k, std::uint32_t* out,
 std::uint32_t* counts, bool filtered) {
  const std::span in(rects, count);
  const std::span<std::uint32_t> written(counts, count), indices(out, count * k);
  auto done = filtered ? points->top(in, k, indices, written, question().filter.filter())
                       : points->top(in, k, indices, written);
  return ok(done);
}
JUXTA_JS(bool, ranked_count_many)
(const RankedPoints* points, const RectD* rects, std::size_t count, std::uint32_t* counts) {
  auto done = points->count(std::span(rects, count), std::span(counts, count), question().filter.filter());
  return ok(done);
}
JUXTA_JS(std::size_t, ranked_nearest)
(const RankedPoints* points, double x, double y, std::size_t k, std::uint32_t* out, double* distances,
 double most_important, double max_distance) {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const RankedNearestOptions options{
      .most_important = most_important < number(kAll) ? static_cast<std::size_t>(most_important) : kAll,
      .filter = question().filter.filter(),
      .max_distance = max_distance};
  return points->nearest(x, y, k, {out, k}, {distances, k}, options).written;
}
JUXTA_JS(double, ranked_count_cells)
(const RankedPoints* points, double lx, double ly, double hx, double hy, std::size_t columns,
 std::size_t rows, std::uint32_t* counts) {
  auto done = points->count_cells({lx, ly, hx, hy}, columns, rows, {counts, columns * rows});
  return ok(done) ? number(done->found) : kFailed;
}

// ---- state

JUXTA_JS(std::size_t, ranked_size)(const RankedPoints* points) {
  return points->size();
}
JUXTA_JS(std::size_t, ranked_memory_bytes)(const RankedPoints* points) {
  return points->memory_bytes();
}
JUXTA_JS(void, ranked_bounds)(const RankedPoints* points) {
  *scratch_as<RectD>() = points->bounds();
}
JUXTA_JS(void, ranked_categories)(const RankedPoints* points) {
  *scratch_as<std::uint64_t>() = points->categories();
}

// ---- files, which js/src/wasi.js keeps in memory

JUXTA_JS(bool, ranked_save)
(const RankedPoints* points, const char* path, std::size_t path_size, const std::byte* attachment,
 std::size_t attachment_size) {
  auto done = points->save({path, path_size}, {attachment, attachment_size});
  return ok(done);
}
JUXTA_JS(RankedPoints*, ranked_load)(const char* path, std::size_t path_size) {
  return to_heap(RankedPoints::load({path, path_size}));
}
JUXTA_JS(const std::byte*, ranked_attachment)(const RankedPoints* points) {
  return points->attachment().data();
}
JUXTA_JS(std::size_t, ranked_attachment_size)(const RankedPoints* points) {
  return points->attachment().size();
}
