// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The plain twins of the kernels: every pair, in plain C++.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>
#include <vector>

#include "points/nearest_kernel.h"
#include "points/neighbours_kernel.h"
#include "points/pairs_kernel.h"

namespace juxta::points_detail {

template <int D>
void count_blocks_plain(const Search<D>& search, bool half, std::uint32_t first, std::uint32_t last,
                        std::uint32_t* counts) noexcept {
  const std::uint32_t end = std::min(last * kLanes, search.seers.count);
  for (std::uint32_t seer = first * kLanes; seer < end; ++seer) {
    std::uint32_t count = 0;
    for (std::uint32_t lane = 0; lane < search.tree.count; ++lane) {
      count += is_near(search, half, seer, lane) ? 1 : 0;
    }
    counts[search.seers.number[seer]] = count;
  }
}

template <int D>
void find_blocks_plain(const Search<D>& search, const FindTask& task, std::uint32_t first,
                       std::uint32_t last) noexcept {
  const std::uint32_t* const number = search.tree.number;
  const std::uint32_t end = std::min(last * kLanes, search.seers.count);
  for (std::uint32_t seer = first * kLanes; seer < end; ++seer) {
    const Room room = task.memory->take(search.tree.count + kBehindList, {});
    if (room.at == nullptr) {
      return;
    }
    std::uint32_t* to = room.at;
    for (std::uint32_t lane = 0; lane < search.tree.count; ++lane) {
      if (is_near(search, task.half, seer, lane)) {
        *to++ = task.lanes ? lane : number[lane];
      }
    }
    task.list_of[seer] = room.at;
    task.counts[search.seers.number[seer]] = static_cast<std::uint64_t>(to - room.at);
    if (task.sorted && to - room.at > std::ptrdiff_t{kShortList}) {
      std::sort(room.at, to,
                [&](std::uint32_t a, std::uint32_t b) { return task.lanes ? number[a] < number[b] : a < b; });
    }
  }
}

template <int D, class Real>
void write_blocks_plain(const Search<D>& search, const WriteTask<Real>& task, std::uint32_t first,
                        std::uint32_t last) noexcept {
  const std::uint32_t end = std::min(last * kLanes, search.seers.count);
  for (std::uint32_t seer = first * kLanes; seer < end; ++seer) {
    const std::uint32_t own = search.seers.number[seer];
    const std::size_t begin = task.offsets[own], count = task.offsets[own + 1] - begin;
    const std::uint32_t* const list = task.list_of[seer];
    const auto number = [&](std::size_t i) { return task.lanes ? search.tree.number[list[i]] : list[i]; };
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t at = begin + i;
      if (task.sorted) {
        at = begin;
        for (std::size_t j = 0; j < count; ++j) {
          at += number(j) < number(i) ? 1 : 0;
        }
      }
      const auto set = [&](auto* out, std::size_t where, std::uint32_t value) {
        if (out != nullptr) {
          out[where] = value;
        }
      };
      set(task.index, at, number(i));
      set(task.index64, at, number(i));
      set(task.pairs, 2 * at, own);
      set(task.pairs, 2 * at + 1, number(i));
      set(task.pairs64, 2 * at, own);
      set(task.pairs64, 2 * at + 1, number(i));
      if (task.distance != nullptr) {
        task.distance[at] = std::sqrt(apart(search, seer, list[i], Real()).d2);
      }
      for (std::size_t axis = 0; axis < D && task.displacement != nullptr; ++axis) {
        task.displacement[at * D + axis] = apart(search, seer, list[i], Real()).d[axis];
      }
    }
  }
}

template <int D, class Real>
std::size_t nearest_blocks_plain(const Search<D>& search, const NearestTask<Real>& task, std::uint32_t first,
                                 std::uint32_t last) noexcept {
  const std::uint32_t end = std::min(last * kLanes, search.seers.count);
  std::size_t found = 0;
  std::vector<std::tuple<Real, std::uint32_t, std::uint32_t>> all;  // d2, number, lane
  for (std::uint32_t seer = first * kLanes; seer < end; ++seer) {
    all.clear();
    for (std::uint32_t lane = 0; lane < search.tree.count; ++lane) {
      if (is_near(search, false, seer, lane)) {
        all.emplace_back(apart(search, seer, lane, Real()).d2, search.tree.number[lane], lane);
      }
    }
    std::sort(all.begin(), all.end());
    for (std::uint32_t i = 0; i < task.k; ++i) {
      const std::size_t at = std::size_t{search.seers.number[seer]} * task.k + i;
      task.index[at] = i < all.size() ? std::get<1>(all[i]) : kNoPoint;
      if (task.distance2 != nullptr) {
        task.distance2[at] = i < all.size() ? std::get<0>(all[i]) : std::numeric_limits<Real>::infinity();
      }
      for (std::size_t axis = 0; axis < D && task.displacement != nullptr; ++axis) {
        task.displacement[at * D + axis] = i < all.size()
                                               ? apart(search, seer, std::get<2>(all[i]), Real()).d[axis]
                                               : std::numeric_limits<Real>::quiet_NaN();
      }
      found += i < all.size() ? 1 : 0;
    }
  }
  return found;
}

template <int D>
bool pair_blocks_plain(const Search<D>& search, PairSink& sink, std::uint32_t first,
                       std::uint32_t last) noexcept {
  const std::uint32_t end = std::min(last * kLanes, search.tree.count);
  const std::uint32_t* const number = search.tree.number;
  for (std::uint32_t seer = first * kLanes; seer < end; ++seer) {
    for (std::uint32_t lane = seer + 1; lane < search.tree.count; ++lane) {
      if (sink.end - sink.at < PairSink::kLeastRoom && !sink.more(sink)) {
        return false;
      }
      if (is_near(search, false, seer, lane)) {
        *sink.at++ = {std::min(number[seer], number[lane]), std::max(number[seer], number[lane])};
      }
    }
  }
  return true;
}

template bool pair_blocks_plain(const Search<2>&, PairSink&, std::uint32_t, std::uint32_t) noexcept;
template bool pair_blocks_plain(const Search<3>&, PairSink&, std::uint32_t, std::uint32_t) noexcept;
template void count_blocks_plain(const Search<2>&, bool, std::uint32_t, std::uint32_t,
                                 std::uint32_t*) noexcept;
template void count_blocks_plain(const Search<3>&, bool, std::uint32_t, std::uint32_t,
                                 std::uint32_t*) noexcept;
template void find_blocks_plain(const Search<2>&, const FindTask&, std::uint32_t, std::uint32_t) noexcept;
template void find_blocks_plain(const Search<3>&, const FindTask&, std::uint32_t, std::uint32_t) noexcept;
template void write_blocks_plain(const Search<2>&, const WriteTask<float>&, std::uint32_t,
                                 std::uint32_t) noexcept;
template void write_blocks_plain(const Search<3>&, const WriteTask<float>&, std::uint32_t,
                                 std::uint32_t) noexcept;
template void write_blocks_plain(const Search<2>&, const WriteTask<double>&, std::uint32_t,
                                 std::uint32_t) noexcept;
template void write_blocks_plain(const Search<3>&, const WriteTask<double>&, std::uint32_t,
                                 std::uint32_t) noexcept;

template std::size_t nearest_blocks_plain(const Search<2>&, const NearestTask<float>&, std::uint32_t,
                                          std::uint32_t) noexcept;
template std::size_t nearest_blocks_plain(const Search<3>&, const NearestTask<float>&, std::uint32_t,
                                          std::uint32_t) noexcept;
template std::size_t nearest_blocks_plain(const Search<2>&, const NearestTask<double>&, std::uint32_t,
                                          std::uint32_t) noexcept;
template std::size_t nearest_blocks_plain(const Search<3>&, const NearestTask<double>&, std::uint32_t,
                                          std::uint32_t) noexcept;

}  // namespace juxta::points_detail
