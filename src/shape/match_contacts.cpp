// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Two lists of contacts in one order, walked side by side: those of one pair of bodies stand together in
// both.
#include <algorithm>
#include <cstddef>

#include "juxta/shape/bodies.h"
#include "shape/frame.h"

namespace juxta {
namespace {

using Contact = Bodies::Contact;
using shape_detail::V3;
using Run = std::span<const Contact>;

bool same_pair(const Contact& a, const Contact& b) noexcept {
  return a.a == b.a && a.b == b.b;
}
bool lower_pair(const Contact& a, const Contact& b) noexcept {
  return a.a != b.a ? a.a < b.a : a.b < b.b;
}
std::size_t end_of_run(Run all, std::size_t begin) noexcept {
  std::size_t end = begin + 1;
  while (end < all.size() && same_pair(all[end], all[begin])) {
    ++end;
  }
  return end;
}

/// Counts come from the caller.
std::uint32_t points_of(const Contact& contact) noexcept {
  return std::min(contact.manifold.count, 4U);
}

/// The contacts of one pair of bodies, before and now.
class Pairing {
 public:
  Pairing(Run before, std::uint32_t first, Run now, std::span<std::uint32_t> continues) noexcept
      : before_(before), now_(now), first_(first), continues_(continues) {}

  void by_feature() const noexcept {
    each_unmatched([&](const Manifold::Point& point) {
      std::uint32_t same = kNewPoint;
      each_free([&](std::uint32_t number, const Manifold::Point& old) {
        same = same == kNewPoint && old.feature == point.feature ? number : same;
      });
      return same;
    });
  }
  void by_place(double slack) const noexcept {
    each_unmatched([&](const Manifold::Point& point) {
      double least = slack * slack;
      std::uint32_t nearest = kNewPoint;
      each_free([&](std::uint32_t number, const Manifold::Point& old) {
        const V3 way = V3(old.point) - V3(point.point);
        const double squared = dot(way, way);
        if (squared < least || (squared == least && nearest == kNewPoint)) {
          least = squared;
          nearest = number;
        }
      });
      return nearest;
    });
  }

 private:
  template <class Choose>
  void each_unmatched(Choose&& choose) const noexcept {
    for (std::size_t i = 0; i < now_.size(); ++i) {
      for (std::uint32_t j = 0; j < points_of(now_[i]); ++j) {
        std::uint32_t& at = continues_[4 * i + j];
        at = at == kNewPoint ? choose(now_[i].manifold.points[j]) : at;
      }
    }
  }
  /// Points of before that nobody continues yet.
  template <class Visit>
  void each_free(Visit&& visit) const noexcept {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      for (std::uint32_t j = 0; j < points_of(before_[i]); ++j) {
        const std::uint32_t number = first_ + static_cast<std::uint32_t>(4 * i + j);
        if (std::find(continues_.begin(), continues_.end(), number) == continues_.end()) {
          visit(number, before_[i].manifold.points[j]);
        }
      }
    }
  }

  Run before_, now_;
  std::uint32_t first_;
  std::span<std::uint32_t> continues_;  // of this pair
};

}  // namespace

Result<void> match_contacts(std::span<const Contact> previous, std::span<const Contact> current, float slack,
                            std::span<std::uint32_t> continues) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  if (continues.size() != 4 * current.size()) {
    return fail(ErrorCode::kInvalidArgument, "`continues` needs four places for each current contact");
  }
  if (std::max(previous.size(), current.size()) >= kMost) {
    return fail(ErrorCode::kTooLarge, "match_contacts() takes fewer than 2^30 contacts");
  }
  std::fill(continues.begin(), continues.end(), kNewPoint);
  std::size_t old = 0;
  for (std::size_t begin = 0; begin < current.size();) {
    const std::size_t end = end_of_run(current, begin);
    while (old < previous.size() && lower_pair(previous[old], current[begin])) {
      ++old;
    }
    if (old < previous.size() && same_pair(previous[old], current[begin])) {
      const std::size_t old_end = end_of_run(previous, old);
      const Pairing pairing(previous.subspan(old, old_end - old), static_cast<std::uint32_t>(4 * old),
                            current.subspan(begin, end - begin),
                            continues.subspan(4 * begin, 4 * (end - begin)));
      pairing.by_feature();
      if (slack > 0) {
        pairing.by_place(static_cast<double>(slack));
      }
      old = old_end;
    }
    begin = end;
  }
  return {};
}

}  // namespace juxta
