// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Labels of points and sizes drawn from fuzz bytes: when each appears against every pair of boxes, and views
// against every label.
#include "juxta/ranked/labels.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/ranked/point_set.h"

namespace juxta::fuzz {
namespace {

template <class Coordinate, class Rank>
struct Labels : PointSet<Coordinate, Rank> {
  std::vector<float> widths, heights;
  RankedLabelsOptions options;

  explicit Labels(Draw& draw) : PointSet<Coordinate, Rank>(draw, draw.below(8) == 0 ? 300 : 60) {
    const std::vector<float> sizes{1.0F / 64, 1, 7.5F, 80, 4096};
    const bool mixed = draw.below(2) == 0;
    for (std::size_t i = 0; i < this->x.size(); ++i) {
      widths.push_back(mixed ? draw.one_of(sizes) : 80);
      heights.push_back(mixed ? draw.one_of(sizes) : 20);
    }
    const std::vector<double> units{1, 0.01, 300, 1e-150, 1e150};
    options = {.widths = widths, .heights = heights, .units_per_pixel = draw.one_of(units)};
    options.first_zoom = static_cast<unsigned>(draw.below(12));
    options.last_zoom = options.first_zoom + static_cast<unsigned>(draw.below(12));
  }

  bool overlap(std::size_t a, std::size_t b, unsigned zoom) const {
    const double half = options.units_per_pixel * std::exp2(-static_cast<double>(zoom)) / 2;
    return std::abs(static_cast<double>(this->x[a]) - static_cast<double>(this->x[b])) <
               (double{widths[a]} + double{widths[b]}) * half &&
           std::abs(static_cast<double>(this->y[a]) - static_cast<double>(this->y[b])) <
               (double{heights[a]} + double{heights[b]}) * half;
  }

  /// The first zoom of each point, by the definition. `order`: all points, best first.
  std::vector<std::uint8_t> appears(const std::vector<std::uint32_t>& order) const {
    std::vector<std::uint8_t> zooms(this->x.size(), RankedLabels::kNever);
    std::vector<std::uint32_t> shown;
    for (unsigned zoom = options.first_zoom; zoom <= options.last_zoom; ++zoom) {
      for (const std::uint32_t i : order) {
        if (zooms[i] == RankedLabels::kNever &&
            std::ranges::none_of(shown, [&](std::uint32_t s) { return overlap(i, s, zoom); })) {
          zooms[i] = static_cast<std::uint8_t>(zoom);
          shown.push_back(i);
        }
      }
    }
    return zooms;
  }
};

template <class Coordinate, class Rank>
void check(Draw& draw) {
  const Labels<Coordinate, Rank> set(draw);
  const auto labels = RankedLabels::build(set.x, set.y, set.rank, set.options);
  JUXTA_FUZZ_CHECK(labels.has_value());
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto zooms = set.appears(set.inside({-kInfinity, -kInfinity, kInfinity, kInfinity}));
  JUXTA_FUZZ_CHECK(std::ranges::equal(labels->appears_at_zoom(), zooms));
  for (int i = 0; i < 8; ++i) {
    const RectD view = set.rectangle(draw);
    const double zoom = static_cast<double>(draw.below(100)) / 4;
    auto right = set.inside(view);
    const double limit = std::min(std::floor(zoom), static_cast<double>(set.options.last_zoom));
    std::erase_if(right, [&](std::uint32_t p) { return zooms[p] > limit; });
    std::vector<std::uint32_t> out(draw.below(2) == 0 ? right.size() : draw.below(20));
    const QueryResult result = labels->top(view, zoom, out);
    JUXTA_FUZZ_CHECK(result.found == right.size() && result.written == std::min(out.size(), right.size()));
    JUXTA_FUZZ_CHECK(
        std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(result.written), right.begin()));
  }
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta::fuzz;
  Draw draw(data, size);
  switch (draw.value<std::uint8_t>() % 3) {
    case 0:
      check<float, std::int32_t>(draw);
      break;
    case 1:
      check<double, std::int64_t>(draw);
      break;
    default:
      check<double, double>(draw);
  }
  return 0;
}
