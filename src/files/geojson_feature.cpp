// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "files/geojson_feature.h"

#include <cmath>

namespace juxta::files_detail {
namespace {

/// The first two numbers of a position are x and y; what follows (the height) is left.
void set(GeoPlace& place, std::size_t which, double value) {
  if (which < 2) {
    (which == 0 ? place.x : place.y) = value;
  }
}

}  // namespace

void GeoCoordinates::clear() {
  places_.clear();
  other_.clear();
  depth_ = count_ = single_count_ = 0;
  too_short_ = too_deep_ = given_ = false;
}

void GeoCoordinates::open() {
  given_ = true;
  ++depth_;
  count_ = 0;
  too_deep_ = too_deep_ || depth_ > 2;
}

void GeoCoordinates::close() {
  if (depth_-- != 2) {
    return;
  }
  if (count_ < 2) {
    too_short_ = true;
  }
  places_.push_back(place_);
}

void GeoCoordinates::number(double value) {
  if (depth_ == 1) {
    set(single_, single_count_++, value);
  } else if (depth_ == 2) {
    set(place_, count_++, value);
  }
}

void GeoCoordinates::other(const std::string& what) {
  given_ = true;
  if (other_.empty()) {
    other_ = what;
  }
}

std::span<const GeoPlace> GeoCoordinates::places(bool multi, std::string& wrong) const {
  if (!given_) {
    wrong = "has no coordinates: give it a list [x, y]";
  } else if (!other_.empty()) {
    wrong = "has " + other_ + " where its coordinates need a number: correct or remove it";
  } else if (too_deep_ || (multi ? single_count_ != 0 : !places_.empty())) {
    wrong = multi ? "is a MultiPoint whose coordinates are not a list of positions [[x, y], ...]: correct it"
                  : "is a Point whose coordinates hold a list: give it [x, y], or make it a MultiPoint";
  } else if (multi ? too_short_ : single_count_ == 1) {
    wrong = "needs two finite coordinates [x, y]";
  }
  if (!wrong.empty() || (!multi && single_count_ == 0)) {
    return {};
  }
  return multi ? std::span<const GeoPlace>(places_) : std::span(&single_, 1);
}

void GeoFeature::clear() {
  type.clear();
  geometry_type.clear();
  name.clear();
  coordinates.clear();
  geometry = Geometry::kMissing;
  has_rank = twice = false;
}

std::span<const GeoPlace> GeoFeature::places(std::string& wrong) const {
  if (!type.empty() && type != "Feature") {
    wrong = "has the type " + files_detail::quoted(type) + ": it must be 'Feature'";
  } else if (twice) {
    wrong = "has its geometry or its coordinates twice: leave one of them out";
  } else if (geometry == Geometry::kMissing) {
    wrong = "has no geometry: remove it, or give it a Point";
  } else if (geometry == Geometry::kNoObject) {
    wrong = "has a geometry that is no object: give it a Point, or null";
  } else if (geometry == Geometry::kObject && geometry_type.empty()) {
    wrong = "has a geometry without a type: give it the type 'Point'";
  } else if (geometry == Geometry::kObject && geometry_type != "Point" && geometry_type != "MultiPoint") {
    wrong = "is a " + files_detail::quoted(geometry_type) + ": only Point and MultiPoint are read";
  }
  if (!wrong.empty() || geometry == Geometry::kNull) {
    return {};
  }
  const auto found = coordinates.places(geometry_type == "MultiPoint", wrong);
  for (const GeoPlace& place : found) {
    if (!std::isfinite(place.x) || !std::isfinite(place.y)) {
      wrong = "needs two finite coordinates [x, y]";
    }
  }
  return found;
}

bool GeoProperty::wants(const std::string& key) {
  if (fixed) {
    return key == title;
  }
  const auto place = usual_title(role, key);
  if (!place || *place >= best) {
    return false;
  }
  best = *place;
  title = key;
  return true;
}

void GeoProperty::forget_feature() {
  if (!fixed) {
    title.clear();
    best = kNone;
  }
}

}  // namespace juxta::files_detail
