// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Lists by a plain grid: a counting sort, cells side by side in a row are one run, one comparison after the
// other. Either `if` it is near it is stored, as one writes it first; or it is stored always and kept if it
// is near, so that no branch is mispredicted.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "bench/agents/list_makers.h"

namespace juxta::bench {
namespace {

template <std::size_t D>
struct Agent {
  std::array<float, D> p, v;
  std::uint32_t number;
};

template <std::size_t D, bool periodic, bool branchless>
class GridLists final : public ListMaker {
 public:
  void set(const Start& start) override {
    start_ = start;
    agents_.resize(start.size);
    for (std::uint32_t i = 0; i < start.size; ++i) {
      for (std::size_t a = 0; a < D; ++a) {
        agents_[i].p[a] = start.position[a][i];
        agents_[i].v[a] = start.velocity[a][i];
      }
      agents_[i].number = i;
    }
    if (edge_ == 0) {
      choose_edge();
    }
  }
  void move() override {
    for (Agent<D>& agent : agents_) {
      for (std::size_t a = 0; a < D; ++a) {
        move_along(start_, agent.p[a], agent.v[a]);
      }
    }
  }
  void list() override { list_with(edge_); }
  [[nodiscard]] WrittenLists written() const override {
    WrittenLists all{offsets_, rows_, {}, {}};
    for (const Agent<D>& agent : agents_) {
      all.number.push_back(agent.number);
    }
    return all;
  }

 private:
  using Cell = std::array<int, 3>;

  void list_with(float edge) {
    sort(edge);
    const int reach = static_cast<int>(std::ceil(start_.radius / edge * 0.9999F));
    offsets_.resize(agents_.size() + 1);
    at_ = 0;
    for (std::uint32_t i = 0; i < agents_.size(); ++i) {
      offsets_[i] = at_;
      const Cell cell = cell_of(agents_[i].p);
      for (int z = D == 3 ? cell[2] - reach : 0; z <= (D == 3 ? cell[2] + reach : 0); ++z) {
        for (int y = cell[1] - reach; y <= cell[1] + reach; ++y) {
          list_along(i, {cell[0] - reach, y, z}, cell[0] + reach);
        }
      }
    }
    offsets_[agents_.size()] = at_;
  }
  void sort(float edge) {
    // A periodic world has whole cells, so that they are no narrower than asked for.
    cells_ = std::max(1, static_cast<int>((start_.hi - start_.lo) / edge) + (periodic ? 0 : 1));
    inverse_ = periodic ? static_cast<float>(cells_) / (start_.hi - start_.lo) : 1 / edge;
    const auto n = static_cast<std::size_t>(cells_);
    begins_.assign((D == 3 ? n * n * n : n * n) + 1, 0);
    of_.resize(agents_.size());
    for (std::size_t i = 0; i < agents_.size(); ++i) {
      of_[i] = index(cell_of(agents_[i].p));
      ++begins_[of_[i] + 1];
    }
    for (std::size_t c = 1; c < begins_.size(); ++c) {
      begins_[c] += begins_[c - 1];
    }
    next_.assign(begins_.begin(), begins_.end() - 1);
    sorted_.resize(agents_.size());
    for (std::size_t i = 0; i < agents_.size(); ++i) {
      sorted_[next_[of_[i]]++] = agents_[i];
    }
    agents_.swap(sorted_);
  }
  [[nodiscard]] Cell cell_of(const std::array<float, D>& p) const {
    Cell cell{};
    for (std::size_t a = 0; a < D; ++a) {
      cell[a] = std::min(static_cast<int>((p[a] - start_.lo) * inverse_), cells_ - 1);
    }
    return cell;
  }
  [[nodiscard]] std::size_t index(const Cell& c) const {
    const auto n = static_cast<std::size_t>(cells_);
    return (static_cast<std::size_t>(c[2]) * (D == 3 ? n : 0) + static_cast<std::size_t>(c[1])) * n +
           static_cast<std::size_t>(c[0]);
  }
  /// The cells from `cell` to x = last.
  void list_along(std::uint32_t i, Cell cell, int last) {
    std::array<float, D> shift{};
    const float period = start_.hi - start_.lo;
    for (std::size_t a = 1; a < D; ++a) {
      if (cell[a] < 0 || cell[a] >= cells_) {
        if (!periodic) {
          return;
        }
        shift[a] = cell[a] < 0 ? -period : period;
        cell[a] += cell[a] < 0 ? cells_ : -cells_;
      }
    }
    if (cell[0] < 0 && periodic) {
      shift[0] = -period;
      list_run(i, {cell[0] + cells_, cell[1], cell[2]}, cells_ - 1, shift);
    }
    if (last >= cells_ && periodic) {
      shift[0] = period;
      list_run(i, {0, cell[1], cell[2]}, last - cells_, shift);
    }
    shift[0] = 0;
    list_run(i, {std::max(cell[0], 0), cell[1], cell[2]}, std::min(last, cells_ - 1), shift);
  }
  void list_run(std::uint32_t i, const Cell& first, int last, const std::array<float, D>& shift) {
    const std::size_t row = index({0, first[1], first[2]});
    const std::uint32_t begin = begins_[row + static_cast<std::size_t>(first[0])],
                        end = begins_[row + static_cast<std::size_t>(last) + 1];
    if (rows_.size() < at_ + (end - begin)) {
      rows_.resize(2 * (at_ + (end - begin)));
    }
    const float reach2 = start_.radius * start_.radius;
    const Agent<D>* const agents = agents_.data();
    const std::array<float, D> p = agents[i].p;
    std::uint32_t* out = rows_.data() + at_;
    for (std::uint32_t j = begin; j < end; ++j) {
      float distance2 = 0;
      for (std::size_t a = 0; a < D; ++a) {
        const float d = periodic ? agents[j].p[a] - p[a] + shift[a] : agents[j].p[a] - p[a];
        distance2 += d * d;
      }
      if constexpr (branchless) {
        *out = j;
        out += static_cast<int>(distance2 <= reach2) & static_cast<int>(j != i);
      } else if (distance2 <= reach2 && j != i) {
        *out++ = j;
      }
    }
    at_ = static_cast<std::size_t>(out - rows_.data());
  }

  /// The fastest of the second lists at each size.
  void choose_edge() {
    double least = std::numeric_limits<double>::infinity();
    for (const float share : {0.34F, 0.5F, 1.0F, 1.5F, 2.0F}) {
      const float edge = share * start_.radius;
      if (std::pow((start_.hi - start_.lo) / edge, static_cast<double>(D)) >
          16.0 * double(start_.size) + 4096) {
        continue;
      }
      list_with(edge);
      const auto begin = std::chrono::steady_clock::now();
      list_with(edge);
      const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (took < least) {
        least = took;
        edge_ = edge;
      }
    }
  }

  Start start_;
  std::vector<Agent<D>> agents_, sorted_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint32_t> rows_, begins_, next_;
  std::vector<std::size_t> of_;
  std::size_t at_ = 0;
  int cells_ = 1;
  float inverse_ = 1, edge_ = 0;
};

/// Which of them it is follows from what it is first given.
template <bool branchless>
class AnyGridLists final : public ListMaker {
 public:
  void set(const Start& start) override {
    if (maker_ == nullptr) {
      if (start.dimensions == 2) {
        maker_ = start.periodic ? make<2, true>() : make<2, false>();
      } else {
        maker_ = start.periodic ? make<3, true>() : make<3, false>();
      }
    }
    maker_->set(start);
  }
  void move() override { maker_->move(); }
  void list() override { maker_->list(); }
  [[nodiscard]] WrittenLists written() const override { return maker_->written(); }

 private:
  template <std::size_t D, bool periodic>
  static std::unique_ptr<ListMaker> make() {
    return std::make_unique<GridLists<D, periodic, branchless>>();
  }
  std::unique_ptr<ListMaker> maker_;
};

}  // namespace

std::unique_ptr<ListMaker> make_grid_lists(std::uint32_t /*dimensions*/) {
  return std::make_unique<AnyGridLists<false>>();
}
std::unique_ptr<ListMaker> make_branchless_grid_lists(std::uint32_t /*dimensions*/) {
  return std::make_unique<AnyGridLists<true>>();
}

}  // namespace juxta::bench
