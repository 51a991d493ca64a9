// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

namespace juxta {

/// A closed rectangle [lx, hx] x [ly, hy]: its edges belong to it. Inverted or NaN: empty.
template <class T>
struct Rect {
  T lx, ly, hx, hy;

  [[nodiscard]] constexpr bool empty() const noexcept { return !(lx <= hx && ly <= hy); }
  [[nodiscard]] constexpr bool contains(T x, T y) const noexcept {
    return lx <= x && x <= hx && ly <= y && y <= hy;
  }
  friend bool operator==(const Rect&, const Rect&) = default;
};

using RectF = Rect<float>;
using RectD = Rect<double>;

}  // namespace juxta
