// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// GeoJSON as a stream of events: nothing but the columns is kept, so a file of gigabytes needs no tree.
//
//   {"type": "FeatureCollection", "features": [ {"geometry": {"type": "Point", "coordinates": [x, y]},
//    root                          features      feature      geometry                        coordinates
//                                                 "properties": {"name": "Oslo", "population": 580000}} ]}
//                                                 properties
// A stack of places says where the next event belongs; everything else is "other" and skipped.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "files/csv_scanner.h"
#include "files/point_columns.h"
#include "juxta/files/read_points.h"

namespace juxta {
namespace {

using files_detail::Role;
using nlohmann::json;

enum class Place : std::uint8_t { kRoot, kFeatures, kFeature, kGeometry, kCoordinates, kProperties, kOther };

/// A property to look for: the given title, or the best usual one of the first feature that has any.
struct Property {
  Role role;
  std::string title;  // empty until known
  std::size_t best = ~std::size_t{0};
  bool fixed = false;  // no better title is looked for any more

  bool wants(const std::string& key) {
    if (fixed) {
      return key == title;
    }
    const auto place = files_detail::usual_title(role, key);
    if (!place || *place >= best) {
      return false;
    }
    best = *place;
    title = key;
    return true;
  }
  void end_feature() { fixed = fixed || !title.empty(); }
};

class FeatureReader final : public nlohmann::json_sax<json> {
 public:
  FeatureReader(const PointColumns& columns, std::string_view text, Monitor* monitor)
      : columns_(columns), text_(text), monitor_(monitor) {
    rank_property_ = {Role::kRank, columns.rank, 0, !columns.rank.empty()};
    name_property_ = {Role::kName, columns.name, 0, !columns.name.empty()};
    rank_property_.best = name_property_.best = ~std::size_t{0};
  }

  Result<PointTable> finish() {
    if (!failed_ && !features_seen_) {
      stop(ErrorCode::kParse, "not a FeatureCollection: the file needs a list named \"features\"");
    }
    if (failed_) {
      return tl::unexpected<Error>(std::move(error_));
    }
    table_.x_title = "lon";
    table_.y_title = "lat";
    table_.rank_title = rank_property_.title.empty() ? "rank" : rank_property_.title;
    table_.name_title = name_property_.title.empty() ? "name" : name_property_.title;
    table_.descending = files_detail::larger_is_better(table_.rank_title, columns_.direction);
    if (name_property_.title.empty()) {
      table_.name_end.clear();
    }
    return std::move(table_);
  }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }
  bool binary(binary_t&) override { return true; }

  bool string(string_t& value) override {
    if (at(Place::kGeometry) && key_ == "type") {
      geometry_ = value;
    } else if (at(Place::kProperties) && name_property_.wants(key_)) {
      name_ = value;
    }
    return true;
  }

  bool key(string_t& value) override {
    key_ = value;
    return true;
  }

  bool start_object(std::size_t) override {
    if (stack_.empty()) {
      stack_.push_back(Place::kRoot);
    } else if (at(Place::kFeatures)) {
      begin_feature();
      stack_.push_back(Place::kFeature);
    } else if (at(Place::kFeature) && key_ == "geometry") {
      stack_.push_back(Place::kGeometry);
    } else if (at(Place::kFeature) && key_ == "properties") {
      stack_.push_back(Place::kProperties);
    } else {
      stack_.push_back(Place::kOther);
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (at(Place::kRoot) && key_ == "features") {
      features_seen_ = true;
      stack_.push_back(Place::kFeatures);
    } else if (at(Place::kGeometry) && key_ == "coordinates") {
      stack_.push_back(Place::kCoordinates);
    } else {
      stack_.push_back(Place::kOther);
    }
    return true;
  }

  bool end_object() override {
    const bool feature = at(Place::kFeature);
    stack_.pop_back();
    return !feature || end_feature();
  }

  bool end_array() override {
    stack_.pop_back();
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& e) override {
    const std::size_t end = std::min(position, text_.size());
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    const bool range = e.id >= 400 && e.id < 500;
    stop(ErrorCode::kParse, range ? "a number is too large: correct it"
                                  : "the JSON breaks off or is malformed here: correct the syntax");
    error_.line = static_cast<std::uint64_t>(line);
    error_.byte = position;
    return false;
  }

 private:
  [[nodiscard]] bool at(Place place) const { return !stack_.empty() && stack_.back() == place; }

  bool stop(ErrorCode code, std::string message) {
    failed_ = true;
    error_ = {code, std::move(message)};
    return false;
  }

  bool stop_feature(ErrorCode code, const std::string& what) {
    stop(code, "feature " + std::to_string(table_.size() + 1) + " " + what);
    error_.index = table_.size();
    return false;
  }

  bool number(double value) {
    if (at(Place::kCoordinates)) {
      if (coordinates_ < 2) {
        coordinate_[coordinates_] = value;
      }
      ++coordinates_;
    } else if (at(Place::kProperties) && rank_property_.wants(key_)) {
      rank_ = value;
      has_rank_ = true;
    }
    return true;
  }

  void begin_feature() {
    geometry_.clear();
    name_.clear();
    coordinates_ = 0;
    has_rank_ = false;
  }

  bool end_feature() {
    if (geometry_ != "Point") {
      return stop_feature(ErrorCode::kParse,
                          geometry_.empty()
                              ? "has no geometry: remove it, or give it a Point"
                              : "is a " + files_detail::quoted(geometry_) + ": only Points are read");
    }
    if (coordinates_ < 2 || !std::isfinite(coordinate_[0]) || !std::isfinite(coordinate_[1])) {
      return stop_feature(ErrorCode::kParse, "needs two finite coordinates [x, y]");
    }
    rank_property_.end_feature();
    name_property_.end_feature();
    const bool ranks = columns_.rank_required || !columns_.rank.empty() || !table_.rank.empty();
    if (!has_rank_ && ranks) {
      return stop_feature(
          ErrorCode::kNotFound,
          rank_property_.title.empty()
              ? "has no property that looks like a rank (population): say which one it is"
              : "has no number in its property " + files_detail::quoted(rank_property_.title));
    }
    if (table_.size() == files_detail::kMaxPoints) {
      return stop_feature(ErrorCode::kTooLarge, "is one too many: split the file");
    }
    if (has_rank_ && (ranks || table_.size() == 0)) {
      table_.rank.push_back(rank_);
    }
    table_.x.push_back(coordinate_[0]);
    table_.y.push_back(coordinate_[1]);
    table_.name_bytes += name_;
    table_.name_end.push_back(table_.name_bytes.size());
    return table_.size() % 65536 != 0 || report(monitor_, "read points", table_.size(), 0) ||
           stop(ErrorCode::kCancelled, "reading was cancelled");
  }

  const PointColumns& columns_;
  std::string_view text_;
  Monitor* monitor_;
  PointTable table_;
  Error error_;
  Property rank_property_, name_property_;
  std::vector<Place> stack_;
  std::string key_, geometry_, name_;
  double coordinate_[2] = {};
  double rank_ = 0;
  std::size_t coordinates_ = 0;
  bool has_rank_ = false, features_seen_ = false, failed_ = false;
};

}  // namespace

Result<PointTable> parse_points_geojson(std::string_view text, const PointColumns& columns,
                                        Monitor* monitor) {
  text = files_detail::skip_bom(text);
  if (!columns.x.empty() || !columns.y.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "GeoJSON has no column for x or y: it gives coordinates, leave them out");
  }
  FeatureReader reader(columns, text, monitor);
  json::sax_parse(text.begin(), text.end(), &reader);
  return reader.finish();
}

}  // namespace juxta
