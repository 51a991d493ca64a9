// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "ranked/orientation.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace juxta::ranked_detail {
namespace {

/// A sum of doubles that is not rounded: terms of ascending size, none overlapping the next.
class ExactSum {
 public:
  /// Adds x: each sum with a term leaves what was rounded off as a term of its own.
  void add(double x) noexcept {
    for (std::size_t i = 0; i < size_; ++i) {
      const double sum = x + terms_[i];
      const double of_term = sum - x;
      terms_[i] = (x - (sum - of_term)) + (terms_[i] - of_term);
      x = sum;
    }
    terms_[size_++] = x;
  }
  void add_product(double a, double b) noexcept {
    const double product = a * b;
    add(std::fma(a, b, -product));
    add(product);
  }
  /// Of the largest term that is not 0.
  [[nodiscard]] int sign() const noexcept {
    for (std::size_t i = size_; i-- > 0;) {
      if (terms_[i] != 0) {
        return terms_[i] > 0 ? 1 : -1;
      }
    }
    return 0;
  }

 private:
  std::array<double, 16> terms_{};
  std::size_t size_ = 0;
};

/// ax by - ay bx + bx py - by px + px ay - py ax: twice the area of the triangle, as six products.
int exact_orientation(double ax, double ay, double bx, double by, double px, double py) noexcept {
  ExactSum sum;
  sum.add_product(ax, by);
  sum.add_product(-ay, bx);
  sum.add_product(bx, py);
  sum.add_product(-by, px);
  sum.add_product(px, ay);
  sum.add_product(-py, ax);
  return sum.sign();
}

}  // namespace

int orientation(double ax, double ay, double bx, double by, double px, double py) noexcept {
  const double left = (bx - ax) * (py - ay), right = (by - ay) * (px - ax);
  const double area = left - right;
  constexpr double kBound = 3.3306690738754716e-16;  // (3 + 16 u) u with u = 2^-53, Shewchuk's ccwerrboundA
  if (std::abs(area) > kBound * (std::abs(left) + std::abs(right))) {
    return area > 0 ? 1 : -1;
  }
  return exact_orientation(ax, ay, bx, by, px, py);
}

}  // namespace juxta::ranked_detail
