// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// What a program does whose nodes have no parents, and never will: a local transform is a world transform,
// so that there is one, in columns of numbers. Plain loops; the compiler vectorises them.
#include <algorithm>
#include <memory>

#include "bench/support/settings.h"
#include "bench/transform/lane_frame-inl.h"
#include "juxta/core/array.h"

namespace juxta::bench {
namespace {

class NoParents final : public WholeWorld {
 public:
  void build(const Forest& forest) override {
    nodes_ = forest.trees.nodes.size();
    if (forest.trees.roots.size() != nodes_) {
      give_up("no_parents is for nodes that have no parents.");
    }
    stride_ = (nodes_ + 31) / 32 * 32 + 16;  // columns do not fight for sets of the cache
    columns_.resize_discard(stride_ * kColumns);
    std::fill(columns_.begin(), columns_.end(), 0.0F);
    for (std::size_t i = 0; i < nodes_; ++i) {
      const auto& [local, parent, stretch, context, inherit] = forest.trees.nodes[i];
      const float numbers[kColumns] = {local.rotation.x, local.rotation.y, local.rotation.z, local.rotation.w,
                                       local.position.x, local.position.y, local.position.z, local.scale,
                                       stretch.x,        stretch.y,        stretch.z};
      for (std::size_t k = 0; k < kColumns; ++k) {
        columns_[k * stride_ + i] = numbers[k];
      }
    }
  }
  PositionSum sum_frame(const Turn& by) override {
    SumReader reader;
    frame(by, reader);
    return reader.sum.total();
  }
  void matrix_frame(const Turn& by, std::span<Matrix34> out) override {
    MatrixReader matrices{out.data()};
    frame(by, matrices);
  }
  [[nodiscard]] std::size_t matrix_count() const override { return stride_; }
  [[nodiscard]] std::uint32_t matrix_of(std::uint32_t node) const override { return node; }
  [[nodiscard]] Qvvs world(std::uint32_t node) const override {
    const auto column = [&](std::size_t k) { return columns_[k * stride_ + node]; };
    return {{column(0), column(1), column(2), column(3)},
            {column(4), column(5), column(6)},
            0,
            {column(8), column(9), column(10)},
            column(7)};
  }
  [[nodiscard]] std::size_t nodes() const override { return nodes_; }
  [[nodiscard]] std::size_t bytes() const override { return columns_.memory_bytes(); }

 private:
  static constexpr std::size_t kColumns = 11;

  template <class Reader>
  void frame(const Turn& by, Reader& reader) {
    float* const local = columns_.data();
    for (std::size_t at = 0; at < nodes_; at += 16) {
      const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(16, nodes_ - at));
      reader.read(turned(local + at, stride_, by), local + at + 8 * stride_, stride_, at, count);
    }
  }

  Array<float> columns_;
  std::size_t nodes_ = 0, stride_ = 0;
};

}  // namespace

std::unique_ptr<WholeWorld> make_no_parents() {
  return std::make_unique<NoParents>();
}

}  // namespace juxta::bench
