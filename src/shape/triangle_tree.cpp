// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Splitting boxes of triangles in two, again and again, where rays are expected to save most.
//
//   cost of a split = area(left) * triangles(left) + area(right) * triangles(right)
//
// tried at the borders of up to 16 bins of each axis. A ray that meets a node meets a part of it with a
// probability in proportion to its area; what it pays there is a go of the kernel for each block of
// triangles.
//
// Source: Wald, "On fast construction of SAH-based bounding volume hierarchies" (RT 2007).
#include "shape/triangle_tree.h"

#include <algorithm>
#include <limits>

namespace juxta::shape_detail {
namespace {

// Of an axis; a few refs are content with the least.
constexpr int kLeastBins = 5, kMostBins = 16;
// Ranges up to here are one task.
constexpr std::uint32_t kTaskRefs = 8192;
// From this level on ranges are halved: 2^28 triangles are gone before kMostBinaryLevels.
constexpr std::uint32_t kHalvingLevel = 48;

// Four lanes each, so that a box is two registers; the last lane means nothing.
struct alignas(16) Bounds {
  float lo[4], hi[4];

  void add(const float* other_lo, const float* other_hi) noexcept {
    for (int lane = 0; lane < 4; ++lane) {
      lo[lane] = other_lo[lane] < lo[lane] ? other_lo[lane] : lo[lane];
      hi[lane] = other_hi[lane] > hi[lane] ? other_hi[lane] : hi[lane];
    }
  }
  // Half of the surface. In doubles, so that no size of the world overflows.
  [[nodiscard]] double area() const noexcept {
    const double x = static_cast<double>(hi[0]) - static_cast<double>(lo[0]);
    const double y = static_cast<double>(hi[1]) - static_cast<double>(lo[1]);
    const double z = static_cast<double>(hi[2]) - static_cast<double>(lo[2]);
    return x * y + y * z + z * x;
  }
};

constexpr Bounds empty() noexcept {
  return {{kInf, kInf, kInf, kInf}, {-kInf, -kInf, -kInf, -kInf}};
}

struct alignas(16) Center {
  float at[4];

  explicit Center(const TriangleRef& ref) noexcept {
    for (int lane = 0; lane < 4; ++lane) {
      at[lane] = ref.lo[lane] * 0.5F + ref.hi[lane] * 0.5F;
    }
  }
};

// Which bin of each axis a centre falls into.
struct alignas(16) Binning {
  float from[4] = {}, scale[4] = {};  // scale 0: all centres are at one place
  float last;
  int bins;

  Binning(const Bounds& centers, std::size_t refs) noexcept {
    bins = refs >= std::size_t{16} * (kMostBins - kLeastBins) ? kMostBins
                                                              : kLeastBins + static_cast<int>(refs / 16);
    last = static_cast<float>(bins - 1);
    for (int axis = 0; axis < 3; ++axis) {
      const float extent = centers.hi[axis] * 0.5F - centers.lo[axis] * 0.5F;
      from[axis] = centers.lo[axis];
      scale[axis] = static_cast<float>(bins) * 0.4999F / extent;
      if (!(extent > 0) || !(scale[axis] < kInf)) {
        scale[axis] = 0;
      }
    }
  }
  // In floats; infinite differences fall into the last one.
  [[nodiscard]] float operator()(const Center& center, int axis) const noexcept {
    const float bin = (center.at[axis] - from[axis]) * scale[axis];
    return bin < last ? bin : last;
  }
};

struct Split {
  double cost = std::numeric_limits<double>::infinity();
  int axis = -1, bin = 0;  // bins below this one go left
};

struct Bins {
  Bounds bounds[3][kMostBins];  // those in use are made empty
  std::uint32_t count[3][kMostBins] = {};
  int bins;

  Bins(std::span<const TriangleRef> refs, const Binning& binning) noexcept : bins(binning.bins) {
    for (auto& axis : bounds) {
      std::fill_n(axis, bins, empty());
    }
    for (const TriangleRef& ref : refs) {
      const Center center(ref);
      for (int axis = 0; axis < 3; ++axis) {
        const int bin = static_cast<int>(binning(center, axis));
        ++count[axis][bin];
        bounds[axis][bin].add(ref.lo, ref.hi);
      }
    }
  }

  void best(int axis, Split& split) const noexcept {
    double right_cost[kMostBins];
    Bounds sum = empty();
    std::uint32_t n = 0;
    for (int bin = bins - 1; bin > 0; --bin) {
      sum.add(bounds[axis][bin].lo, bounds[axis][bin].hi);
      n += count[axis][bin];
      right_cost[bin] =
          n == 0 ? std::numeric_limits<double>::infinity() : sum.area() * static_cast<double>(n);
    }
    sum = empty();
    n = 0;
    for (int bin = 1; bin < bins; ++bin) {
      sum.add(bounds[axis][bin - 1].lo, bounds[axis][bin - 1].hi);
      n += count[axis][bin - 1];
      const double cost = n == 0 ? std::numeric_limits<double>::infinity()
                                 : sum.area() * static_cast<double>(n) + right_cost[bin];
      if (cost < split.cost) {
        split = {cost, axis, bin};
      }
    }
  }
};

// A range that is still to be split.
struct Range {
  std::uint32_t node, first, count, level;
};

class Builder {
 public:
  Builder(std::span<TriangleRef> refs, Array<BinaryNode>& nodes) noexcept : refs_(refs), nodes_(nodes) {}

  /// Splits until ranges are leaves, or hold at most `enough` refs: those are handed to `rest`. New nodes are
  /// taken from `next` on.
  template <class Rest>
  void run(const Range& root, std::uint32_t& next, std::uint32_t enough, const Rest& rest) {
    Range waiting[kMostBinaryLevels + 1];
    std::uint32_t size = 0;
    waiting[size++] = root;
    while (size != 0) {
      const Range range = waiting[--size];
      const std::uint32_t left = split(range);
      if (left == 0) {
        continue;
      }
      BinaryNode& node = nodes_[range.node];
      node.left = next++;
      node.right = next++;
      const Range parts[2] = {{node.right, range.first + left, range.count - left, range.level + 1},
                              {node.left, range.first, left, range.level + 1}};
      for (const Range& part : parts) {
        if (part.count <= enough) {
          rest(part);
        } else {
          waiting[size++] = part;
        }
      }
    }
  }

 private:
  // Writes the node; returns how many refs go left, 0 for a leaf.
  std::uint32_t split(const Range& range) {
    const std::span<TriangleRef> refs = refs_.subspan(range.first, range.count);
    Bounds bounds = empty(), centers = empty();
    for (const TriangleRef& ref : refs) {
      const Center center(ref);
      bounds.add(ref.lo, ref.hi);
      centers.add(center.at, center.at);
    }
    BinaryNode& node = nodes_[range.node];
    node = {{{bounds.lo[0], bounds.lo[1], bounds.lo[2]}, {bounds.hi[0], bounds.hi[1], bounds.hi[2]}},
            range.first,
            range.count,
            0,
            0};
    if (range.count <= 2) {
      return 0;
    }
    Split split;
    const Binning binning(centers, refs.size());
    if (range.level < kHalvingLevel) {
      const Bins bins(refs, binning);
      for (int axis = 0; axis < 3; ++axis) {
        if (binning.scale[axis] > 0) {
          bins.best(axis, split);
        }
      }
    }
    if (split.axis < 0) {
      return range.count / 2;  // nothing tells them apart
    }
    const auto middle = std::partition(refs.begin(), refs.end(), [&](const TriangleRef& ref) {
      return static_cast<int>(binning(Center(ref), split.axis)) < split.bin;
    });
    return static_cast<std::uint32_t>(middle - refs.begin());
  }

  std::span<TriangleRef> refs_;
  Array<BinaryNode>& nodes_;
};

}  // namespace

void build_binary_tree(std::span<TriangleRef> refs, Array<BinaryNode>& nodes, const Executor& executor,
                       std::pmr::memory_resource* resource) {
  // Nodes of the top stand in front; a task of refs [first, first + count) has those from 2 * first on
  // behind.
  const auto n = static_cast<std::uint32_t>(refs.size());
  Array<Range> tasks(resource);
  const std::uint32_t most_top = n <= kTaskRefs ? 1 : 2 * n;
  nodes.resize_discard(std::size_t{most_top} + 2 * std::size_t{n});
  Builder builder(refs, nodes);
  std::uint32_t next = 1;
  const auto keep = [&](const Range& range) {
    tasks.resize(tasks.size() + 1);
    tasks[tasks.size() - 1] = range;
  };
  if (n <= kTaskRefs) {
    keep({0, 0, n, 0});
  } else {
    builder.run({0, 0, n, 0}, next, kTaskRefs, keep);
  }
  executor.parallel_for(tasks.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      std::uint32_t own = most_top + 2 * tasks[i].first;
      builder.run(tasks[i], own, 0, [](const Range&) {});
    }
  });
}

}  // namespace juxta::shape_detail
