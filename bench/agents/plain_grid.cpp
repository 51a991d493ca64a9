// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a competent program of some dozens of lines does: agents in the order of cells, cells side by side in
// a row are one run, a counting sort each step. Agents move in memory with the sort, so that a million of
// them stand near their neighbours too.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "bench/agents/contenders.h"
#include "scenes/agents.h"

namespace juxta::bench {
namespace {

template <std::size_t D>
struct Agent {
  std::array<float, D> p, v;
  std::uint32_t number;
};
template <std::size_t D>
struct Seen {
  float n = 0;
  std::array<float, D> sum{};
};

template <std::size_t D, bool periodic>
class Grid {
 public:
  std::vector<Agent<D>> agents, sorted;
  std::vector<Seen<D>> seen;

  void look(const Start& start, float edge) {
    sort(start, edge);
    const int reach = static_cast<int>(std::ceil(start.radius / edge * 0.9999F));
    seen.resize(agents.size());
    for (std::uint32_t i = 0; i < agents.size(); ++i) {
      Seen<D> mine;
      const auto cell = cell_of(agents[i].p);
      for (int z = D == 3 ? cell[2] - reach : 0; z <= (D == 3 ? cell[2] + reach : 0); ++z) {
        for (int y = cell[1] - reach; y <= cell[1] + reach; ++y) {
          look_along(start, i, {cell[0] - reach, y, z}, cell[0] + reach, mine);
        }
      }
      seen[i] = mine;
    }
  }

 private:
  using Cell = std::array<int, 3>;

  void sort(const Start& start, float edge) {
    // A periodic world has whole cells, so that they are no narrower than asked for.
    cells_ = std::max(1, static_cast<int>((start.hi - start.lo) / edge) + (periodic ? 0 : 1));
    lo_ = start.lo;
    inverse_ = periodic ? static_cast<float>(cells_) / (start.hi - start.lo) : 1 / edge;
    begins_.assign(
        static_cast<std::size_t>(D == 3 ? cells_ * cells_ : cells_) * static_cast<std::size_t>(cells_) + 1,
        0);
    of_.resize(agents.size());
    for (std::size_t i = 0; i < agents.size(); ++i) {
      of_[i] = index(cell_of(agents[i].p));
      ++begins_[of_[i] + 1];
    }
    for (std::size_t c = 1; c < begins_.size(); ++c) {
      begins_[c] += begins_[c - 1];
    }
    next_.assign(begins_.begin(), begins_.end() - 1);
    sorted.resize(agents.size());
    for (std::size_t i = 0; i < agents.size(); ++i) {
      sorted[next_[of_[i]]++] = agents[i];
    }
    agents.swap(sorted);
  }
  [[nodiscard]] Cell cell_of(const std::array<float, D>& p) const {
    Cell cell{};
    for (std::size_t a = 0; a < D; ++a) {
      cell[a] = std::min(static_cast<int>((p[a] - lo_) * inverse_), cells_ - 1);
    }
    return cell;
  }
  [[nodiscard]] std::size_t index(const Cell& c) const {
    return (static_cast<std::size_t>(c[2]) * static_cast<std::size_t>(D == 3 ? cells_ : 0) +
            static_cast<std::size_t>(c[1])) *
               static_cast<std::size_t>(cells_) +
           static_cast<std::size_t>(c[0]);
  }
  /// The cells from `cell` to x = last.
  void look_along(const Start& start, std::uint32_t i, Cell cell, int last, Seen<D>& mine) const {
    std::array<float, D> shift{};
    for (std::size_t a = 1; a < D; ++a) {
      if (cell[a] < 0 || cell[a] >= cells_) {
        if (!periodic) {
          return;
        }
        shift[a] = cell[a] < 0 ? start.lo - start.hi : start.hi - start.lo;
        cell[a] += cell[a] < 0 ? cells_ : -cells_;
      }
    }
    if (cell[0] < 0 && periodic) {
      shift[0] = start.lo - start.hi;
      meet(start, i, {cell[0] + cells_, cell[1], cell[2]}, cells_ - 1, shift, mine);
    }
    if (last >= cells_ && periodic) {
      shift[0] = start.hi - start.lo;
      meet(start, i, {0, cell[1], cell[2]}, last - cells_, shift, mine);
    }
    shift[0] = 0;
    meet(start, i, {std::max(cell[0], 0), cell[1], cell[2]}, std::min(last, cells_ - 1), shift, mine);
  }
  void meet(const Start& start, std::uint32_t i, const Cell& first, int last,
            const std::array<float, D>& shift, Seen<D>& mine) const {
    const std::size_t row = index({0, first[1], first[2]});
    const std::uint32_t end = begins_[row + static_cast<std::size_t>(last) + 1];
    const float reach2 = start.radius * start.radius;
    for (std::uint32_t j = begins_[row + static_cast<std::size_t>(first[0])]; j < end; ++j) {
      float distance2 = 0;
      for (std::size_t a = 0; a < D; ++a) {
        float d = agents[j].p[a] - agents[i].p[a];
        if constexpr (periodic) {
          d += shift[a];
        }
        distance2 += d * d;
      }
      if (distance2 <= reach2 && j != i) {
        mine.n += 1;
        for (std::size_t a = 0; a < D; ++a) {
          mine.sum[a] += agents[j].v[a];
        }
      }
    }
  }

  int cells_ = 1;
  float lo_ = 0, inverse_ = 1;
  std::vector<std::uint32_t> begins_, next_;
  std::vector<std::size_t> of_;
};

template <std::size_t D, bool periodic>
class PlainGrid final : public World {
 public:
  void set(const Start& start) override {
    start_ = start;
    grid_.agents.resize(start.size);
    for (std::uint32_t i = 0; i < start.size; ++i) {
      for (std::size_t a = 0; a < D; ++a) {
        grid_.agents[i].p[a] = start.position[a][i];
        grid_.agents[i].v[a] = start.velocity[a][i];
      }
      grid_.agents[i].number = i;
    }
    if (edge_ == 0) {
      choose_edge();
    }
  }
  void look() override { grid_.look(start_, edge_); }
  void act() override {
    for (Agent<D>& agent : grid_.agents) {
      for (std::size_t a = 0; a < D; ++a) {
        float& p = agent.p[a];
        if constexpr (periodic) {
          p += agent.v[a];
          p = p >= start_.hi ? p - (start_.hi - start_.lo) : p < start_.lo ? p + (start_.hi - start_.lo) : p;
          p = p >= start_.hi ? start_.lo : p;
        } else {
          scenes::move_reflected(p, agent.v[a], start_.lo, start_.hi);
        }
      }
    }
  }
  void read(State& state) const override {
    state.seen.resize(start_.size);
    for (std::size_t a = 0; a < D; ++a) {
      state.position[a].resize(start_.size);
      state.velocity[a].resize(start_.size);
      state.sums[a].resize(start_.size);
    }
    for (std::size_t i = 0; i < start_.size; ++i) {
      const Agent<D>& agent = grid_.agents[i];
      state.seen[agent.number] = grid_.seen.empty() ? 0 : grid_.seen[i].n;
      for (std::size_t a = 0; a < D; ++a) {
        state.position[a][agent.number] = agent.p[a];
        state.velocity[a][agent.number] = agent.v[a];
        state.sums[a][agent.number] = grid_.seen.empty() ? 0 : grid_.seen[i].sum[a];
      }
    }
  }

 private:
  /// The fastest of the second looks at each size.
  void choose_edge() {
    double least = std::numeric_limits<double>::infinity();
    for (const float share : {0.34F, 0.5F, 1.0F, 2.0F, 3.0F}) {
      const float edge = share * start_.radius;
      if (std::pow((start_.hi - start_.lo) / edge, static_cast<double>(D)) >
          16.0 * double(start_.size) + 4096) {
        continue;
      }
      grid_.look(start_, edge);
      const auto begin = std::chrono::steady_clock::now();
      grid_.look(start_, edge);
      const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (took < least) {
        least = took;
        edge_ = edge;
      }
    }
  }

  Start start_;
  Grid<D, periodic> grid_;
  float edge_ = 0;
};

/// Which of the four it is follows from what it is first given.
class AnyGrid final : public World {
 public:
  void set(const Start& start) override {
    if (grid_ == nullptr) {
      if (start.dimensions == 2) {
        grid_ = start.periodic ? make<2, true>() : make<2, false>();
      } else {
        grid_ = start.periodic ? make<3, true>() : make<3, false>();
      }
    }
    grid_->set(start);
  }
  void look() override { grid_->look(); }
  void act() override { grid_->act(); }
  void read(State& state) const override { grid_->read(state); }

 private:
  template <std::size_t D, bool periodic>
  static std::unique_ptr<World> make() {
    return std::make_unique<PlainGrid<D, periodic>>();
  }
  std::unique_ptr<World> grid_;
};

}  // namespace

std::unique_ptr<World> make_plain_grid() {
  return std::make_unique<AnyGrid>();
}

}  // namespace juxta::bench
