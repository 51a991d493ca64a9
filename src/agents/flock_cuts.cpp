// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/flock_cuts.h"

#include <algorithm>
#include <numeric>

namespace juxta::agents_detail {
namespace {

/// Where `work` is cut into parts of as much: the first element of each, and how many there are.
std::vector<std::uint32_t> cut_evenly(std::span<const double> work, std::uint32_t parts) {
  const double total = std::accumulate(work.begin(), work.end(), 0.0);
  std::vector<std::uint32_t> cuts(1, 0);
  double before = 0;
  for (std::uint32_t i = 0; i < work.size(); ++i) {
    while (cuts.size() < parts && before + work[i] / 2 >= total * static_cast<double>(cuts.size()) / parts) {
      cuts.push_back(i);
    }
    before += work[i];
  }
  cuts.resize(std::size_t{parts} + 1, static_cast<std::uint32_t>(work.size()));
  return cuts;
}

/// In which part `i` is.
std::uint32_t part_of(const std::vector<std::uint32_t>& cuts, std::uint32_t i) noexcept {
  return static_cast<std::uint32_t>(std::upper_bound(cuts.begin(), cuts.end() - 1, i) - cuts.begin() - 1);
}

}  // namespace

std::uint32_t blocks_of_layers(std::uint32_t across, std::uint32_t layers, std::uint32_t ranks) noexcept {
  // Rows that a rank sees on its borders, were all rows as much to do. One block has borders to two sides
  // only; where ranks do not divide among the blocks, some have rows in two of them. (Others may, too: blocks
  // begin at whole layers.)
  std::uint32_t best = 1;
  double least = 2.0 * layers;
  for (std::uint32_t blocks = 2; blocks <= std::min(layers, ranks); ++blocks) {
    const double thick = static_cast<double>(layers) / blocks,
                 wide = static_cast<double>(across) * blocks / ranks,
                 seen = 2 * (ranks % blocks == 0 ? thick + wide : 2 * thick + wide);
    if (seen < least) {
      least = seen;
      best = blocks;
    }
  }
  return best;
}

FlockCuts::FlockCuts(std::uint32_t across, std::span<const double> work, std::uint32_t ranks)
    : across_(across) {
  const auto layers = static_cast<std::uint32_t>(work.size() / across);
  std::vector<double> of_layers(layers);
  for (std::uint32_t z = 0; z < layers; ++z) {
    const std::span<const double> layer = work.subspan(std::size_t{z} * across, across);
    of_layers[z] = std::accumulate(layer.begin(), layer.end(), 0.0);
  }
  layers_ = cut_evenly(of_layers, blocks_of_layers(across, layers, ranks));
  std::vector<double> by_turn(work.size());
  for (std::uint32_t turn = 0; turn < by_turn.size(); ++turn) {
    by_turn[turn] = work[row_at(turn)];
  }
  cuts_ = cut_evenly(by_turn, ranks);
}

std::uint32_t FlockCuts::turn_of(std::uint32_t row) const noexcept {
  const std::uint32_t y = row % across_, z = row / across_, block = part_of(layers_, z),
                      first = layers_[block], thick = layers_[block + 1] - first;
  return first * across_ + y * thick + (z - first);
}

std::uint32_t FlockCuts::row_at(std::uint32_t turn) const noexcept {
  const std::uint32_t block = part_of(layers_, turn / across_), first = layers_[block],
                      thick = layers_[block + 1] - first, within = turn - first * across_;
  return (first + within % thick) * across_ + within / thick;
}

std::uint32_t FlockCuts::owner(std::uint32_t row) const noexcept {
  return part_of(cuts_, turn_of(row));
}

std::vector<std::uint32_t> FlockCuts::rows_of(std::uint32_t rank) const {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t turn = cuts_[rank]; turn < cuts_[rank + 1]; ++turn) {
    rows.push_back(row_at(turn));
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace juxta::agents_detail
