// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: one feature of a GeoJSON text while its members arrive, in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "files/point_columns.h"

namespace juxta::files_detail {

/// One position of a Point or MultiPoint.
struct GeoPlace {
  double x, y;
};

/// The list named "coordinates". What a Point, what a MultiPoint, and what neither may hold is decided at the
/// end, because "type" may come last.
///
///   depth    1  2
///   Point    [ x, y, z ]        numbers at depth 1
///   Multi    [ [x, y], [x, y] ] numbers at depth 2
class GeoCoordinates {
 public:
  void clear();
  void open();   ///< [
  void close();  ///< ]
  void number(double value);
  /// Anything that is no number; `what` names it in the error.
  void other(const std::string& what);

  /// The places of a Point or MultiPoint; none for an empty list, which RFC 7946 lets stand for null. Fills
  /// `wrong` with what is wrong, if anything. Valid until the next change.
  [[nodiscard]] std::span<const GeoPlace> places(bool multi, std::string& wrong) const;

 private:
  std::vector<GeoPlace> places_;       // of depth 2
  GeoPlace place_ = {}, single_ = {};  // of depth 2 (the last one), of depth 1
  std::size_t depth_ = 0, count_ = 0, single_count_ = 0;
  std::string other_;  // the first thing that is no number
  bool too_short_ = false, too_deep_ = false, given_ = false;
};

/// One feature, or a geometry that stands alone.
struct GeoFeature {
  enum class Geometry : std::uint8_t { kMissing, kNull, kObject, kNoObject };

  std::string type, geometry_type, name;
  GeoCoordinates coordinates;
  Geometry geometry = Geometry::kMissing;
  bool has_rank = false, twice = false;
  double rank = 0;

  void clear();
  /// Where it is; nowhere when its geometry is null. Fills `wrong` with what is wrong, if anything: "has no
  /// geometry: ...". Valid until the next change.
  [[nodiscard]] std::span<const GeoPlace> places(std::string& wrong) const;
};

/// A property to look for: the given title, or the best usual one of the first feature that has any.
struct GeoProperty {
  static constexpr std::size_t kNone = ~std::size_t{0};

  Role role = Role::kRank;
  std::string title;         // empty until known
  std::size_t best = kNone;  // place of the title among the usual ones
  bool fixed = false;        // no better title is looked for any more

  bool wants(const std::string& key);
  void end_feature() { fixed = fixed || !title.empty(); }
  /// As if the feature had not been there.
  void forget_feature();
};

}  // namespace juxta::files_detail
