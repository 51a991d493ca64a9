// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The kernels against their plain twins, on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory_resource>
#include <numeric>

#include "points/clouds.h"
#include "points/nearest_kernel.h"
#include "points/neighbours_kernel.h"
#include "points/prepare.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using namespace points_detail;

template <int D, class Real>
struct Lists {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> index, pairs, nearest;
  std::vector<std::int64_t> index64, pairs64;
  std::vector<Real> distance, displacement, distance2, way;
  std::vector<std::uint32_t> counts;
  friend bool operator==(const Lists&, const Lists&) = default;
};

/// Everything that there is to find, by the kernels or by their twins.
template <int D, class Real>
Lists<D, Real> find_all(const Search<D>& search, const NeighbourOptions& options, std::uint32_t k,
                        bool plain) {
  const std::size_t seers = search.seers.count;
  const std::uint32_t blocks = search.seers.block_count();
  Lists<D, Real> lists;
  lists.counts.resize(seers);
  lists.offsets.resize(seers + 1);
  std::vector<std::uint32_t*> list_of(seers);
  ListMemory memory(std::pmr::new_delete_resource());
  memory.reset(1000);
  const FindTask find{options.half,   options.sorted, options.measured, lists.offsets.data() + 1,
                      list_of.data(), &memory};
  SearchWork work;
  if (plain) {
    count_blocks_plain(search, options.half, 0, blocks, lists.counts.data());
    find_blocks_plain(search, find, 0, blocks);
  } else {
    count_blocks(search, options.half, 0, blocks, lists.counts.data(), work);
    find_blocks(search, find, 0, blocks, work);
  }
  std::partial_sum(lists.offsets.begin(), lists.offsets.end(), lists.offsets.begin());
  const std::size_t found = lists.offsets.back();
  lists.index.resize(found);
  lists.index64.resize(found);
  lists.pairs.resize(2 * found);
  lists.pairs64.resize(2 * found);
  WriteTask<Real> write{options.sorted,     options.measured,     lists.offsets.data(), list_of.data(),
                        lists.index.data(), lists.index64.data(), lists.pairs.data(),   lists.pairs64.data()};
  if (options.measured) {
    lists.distance.resize(found);
    lists.displacement.resize(found * D);
    write.distance = lists.distance.data();
    write.displacement = lists.displacement.data();
  }
  lists.nearest.resize(seers * k);
  lists.distance2.resize(seers * k);
  lists.way.resize(seers * k * D);
  const NearestTask<Real> near{k, lists.nearest.data(), lists.distance2.data(), lists.way.data(), &memory};
  if (plain) {
    write_blocks_plain(search, write, 0, blocks);
    (void)nearest_blocks_plain(search, near, 0, blocks);
  } else {
    write_blocks(search, write, 0, blocks);
    (void)nearest_blocks(search, near, 0, blocks, work);
  }
  std::replace_if(
      lists.way.begin(), lists.way.end(), [](Real d) { return d != d; }, Real(77));
  return lists;
}

template <int D, class Real>
void compare() {
  scenes::Draws draws(29);
  for (const test::Cloud cloud : {test::Cloud::kUniform, test::Cloud::kLattice, test::Cloud::kClumps}) {
    for (const unsigned axes : {0U, 3U}) {
      const auto points = test::draw_cloud<D, Real>(cloud, 210, draws);
      const auto tree = BasicPointTree<D, Real>::build(points, test::periodic_space<D, Real>(axes, 0, 1));
      ASSERT_TRUE(tree);
      for (const Real radius : {Real(0.06), Real(0.45)}) {
        Limit limit;
        const Search<D> search = search_own(Access::store(*tree), radius, limit);
        for (const bool half : {false, true}) {
          for (const bool sorted : {false, true}) {
            for (const bool measured : {false, true}) {
              const NeighbourOptions options{half, sorted, measured};
              const std::uint32_t k = half ? sorted ? 1 : 5 : sorted ? 9 : 20;
              ASSERT_TRUE((find_all<D, Real>(search, options, k, false) ==
                           find_all<D, Real>(search, options, k, true)));
            }
          }
        }
      }
    }
  }
}

TEST(PointKernels, AreTheirPlainTwins) {
  test::for_each_isa([](Isa) {
    compare<2, float>();
    compare<3, float>();
    compare<2, double>();
    compare<3, double>();
  });
}

}  // namespace
}  // namespace juxta
