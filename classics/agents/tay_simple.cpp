// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <cstdint>
#include <memory>

#include "classics/agents/tay_copies.h"
#include "classics/agents/tay_structures.h"

namespace juxta::classics {
namespace {

/// No structure: one partition holds everybody, and all pairs are tested. The reference of the articles.
template <class Agent, class Part>
class TaySimple {
 public:
  static constexpr bool kEachSeer = false;
  struct Around {};

  void clear(const TayPlan& /*plan*/) { all_ = {}; }
  std::uint32_t part_of(const Agent& /*agent*/) const { return 0; }
  [[nodiscard]] Part& part(std::uint32_t /*zero*/) noexcept { return all_; }
  template <class F>
  void in_order(const F& f) const {
    f(0);
  }
  void start(Around& /*nothing*/) const {}
  template <class F>
  void around(std::uint32_t /*zero*/, const Agent& /*seer*/, Around& /*nothing*/, const F& f) const {
    f(all_);
  }

 private:
  Part all_;
};

}  // namespace

std::unique_ptr<TayWorld> make_tay_simple(const TayTest& test) {
  if (test.boxes) {
    return std::make_unique<TayCopies<TaySimple, TayBox>>(test);
  }
  return std::make_unique<TayCopies<TaySimple, TayPoint>>(test);
}

}  // namespace juxta::classics
