// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// GeoJSON as a stream of events: nothing but the columns is kept, so a file of gigabytes needs no tree.
//
//   {"type": "FeatureCollection", "features": [ {"geometry": {"type": "Point", "coordinates": [x, y]},
//    root                          features      feature      geometry                        coordinates
//                                                 "properties": {"name": "Oslo", "population": 580000}} ]}
//                                                 properties
// A stack of places says where the next event belongs; everything else is "other" and skipped. The root may
// be a feature or a geometry itself, and a text may hold several roots (JSON Lines, RFC 8142).

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "files/csv_scanner.h"
#include "files/geojson_feature.h"
#include "files/point_columns.h"
#include "files/tracked_byte.h"
#include "juxta/core/monitor.h"
#include "juxta/files/read_points.h"

namespace juxta {
namespace {

using files_detail::GeoFeature;
using files_detail::GeoProperty;
using files_detail::Role;
using files_detail::TrackedByte;
using nlohmann::json;

enum class Place : std::uint8_t { kRoot, kFeatures, kFeature, kGeometry, kCoordinates, kProperties, kOther };

class FeatureReader final : public nlohmann::json_sax<json> {
 public:
  static constexpr std::size_t kNowhere = ~std::size_t{0};

  FeatureReader(const PointColumns& columns, Monitor* monitor) : columns_(columns), monitor_(monitor) {
    rank_property_ = {Role::kRank, columns.rank, GeoProperty::kNone, !columns.rank.empty()};
    name_property_ = {Role::kName, columns.name, GeoProperty::kNone, !columns.name.empty()};
  }

  void begin_root() {
    stack_.clear();
    root_type_.clear();
    features_seen_ = false;
    broken_at_ = kNowhere;
    begin_feature();
  }

  [[nodiscard]] bool failed() const { return failed_; }
  /// Leaves out the root that failed. Not when there is an error that ends all; nor a list that breaks off,
  /// because it goes on nobody knows where.
  bool skip_root() {
    if (!columns_.skip_bad || fatal_ || features_seen_) {
      return false;
    }
    table_.skipped.add(std::move(error_));
    forget_feature();
    failed_ = false;
    return true;
  }

  /// Where the syntax broke, counted from the first byte of the root; kNowhere: it is not the syntax.
  [[nodiscard]] std::size_t broken_at() const { return broken_at_; }
  Error& error() { return error_; }

  Result<PointTable> finish() {
    if (!failed_ && table_.size() == 0 && table_.skipped.count != 0) {
      error_ = table_.skipped.first.front();
      failed_ = true;
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

  bool null() override {
    if (takes_geometry()) {
      return set_geometry(GeoFeature::Geometry::kNull);
    }
    return scalar("null");
  }
  bool boolean(bool value) override { return scalar(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }
  bool binary(binary_t&) override { return true; }

  bool string(string_t& value) override {
    if (at(Place::kProperties)) {
      if (name_property_.wants(key_)) {
        feature_.name = value;
      }
    } else if (key_ == "type" && at(Place::kGeometry)) {
      feature_.geometry_type = value;
    } else if (key_ == "type" && at(Place::kFeature)) {
      feature_.type = value;
    } else if (key_ == "type" && at(Place::kRoot)) {
      root_type_ = value;
    } else {
      return scalar(files_detail::quoted(value));
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
    } else if (takes_geometry()) {
      stack_.push_back(Place::kGeometry);
      return set_geometry(GeoFeature::Geometry::kObject);
    } else if ((at(Place::kFeature) || at(Place::kRoot)) && key_ == "properties") {
      stack_.push_back(Place::kProperties);
    } else {
      const bool go_on = scalar("an object");
      stack_.push_back(Place::kOther);
      return go_on;
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (at(Place::kRoot) && key_ == "features") {
      features_seen_ = true;
      forget_feature();  // a collection has no properties of its own
      stack_.push_back(Place::kFeatures);
    } else if (at(Place::kCoordinates)) {
      feature_.coordinates.open();
      stack_.push_back(Place::kCoordinates);
    } else if (takes_coordinates()) {
      feature_.twice = feature_.twice || coordinates_seen_;
      coordinates_seen_ = true;
      feature_.coordinates.open();
      stack_.push_back(Place::kCoordinates);
    } else {
      const bool go_on = scalar("a list");
      stack_.push_back(Place::kOther);
      return go_on;
    }
    return true;
  }

  bool end_object() override {
    const Place place = stack_.back();
    stack_.pop_back();
    return place == Place::kFeature ? end_feature() : place != Place::kRoot || end_root_object();
  }

  bool end_array() override {
    if (at(Place::kCoordinates)) {
      feature_.coordinates.close();
    }
    stack_.pop_back();
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& e) override {
    const bool range = e.id >= 400 && e.id < 500;
    stop(ErrorCode::kParse, range ? "a number is too large: correct it"
                                  : "the JSON breaks off or is malformed here: correct the syntax");
    broken_at_ = position;
    return false;
  }

 private:
  [[nodiscard]] bool at(Place place) const { return !stack_.empty() && stack_.back() == place; }
  [[nodiscard]] bool takes_geometry() const {
    return (at(Place::kFeature) || at(Place::kRoot)) && key_ == "geometry";
  }
  [[nodiscard]] bool takes_coordinates() const {
    return (at(Place::kGeometry) || at(Place::kRoot)) && key_ == "coordinates";
  }

  bool stop(ErrorCode code, std::string message) {
    failed_ = true;
    error_ = {code, std::move(message)};
    return false;
  }

  bool stop_for_good(ErrorCode code, std::string message) {
    fatal_ = true;
    return stop(code, std::move(message));
  }

  bool set_geometry(GeoFeature::Geometry geometry) {
    feature_.twice = feature_.twice || feature_.geometry != GeoFeature::Geometry::kMissing;
    feature_.geometry = geometry;
    return true;
  }

  bool number(double value) {
    if (at(Place::kCoordinates)) {
      feature_.coordinates.number(value);
    } else if (at(Place::kProperties)) {
      if (rank_property_.wants(key_)) {
        feature_.rank = value;
        feature_.has_rank = true;
      }
    } else {
      return scalar("a number");
    }
    return true;
  }

  /// A value where it may be out of place; `what` names it.
  bool scalar(const std::string& what) {
    if (stack_.empty()) {
      return stop(ErrorCode::kParse,
                  "this is " + what + ", not GeoJSON: give a FeatureCollection or features");
    }
    if (at(Place::kFeatures)) {
      begin_feature();
      return bad_feature(ErrorCode::kParse, "is " + what + ", not an object: correct or remove it");
    }
    if (at(Place::kCoordinates) || takes_coordinates()) {
      feature_.coordinates.other(what);
    } else if (takes_geometry()) {
      return set_geometry(GeoFeature::Geometry::kNoObject);
    } else if (at(Place::kRoot) && key_ == "features") {
      return stop(ErrorCode::kParse, "\"features\" is " + what + ": it must be a list of features");
    }
    return true;
  }

  void begin_feature() {
    feature_.clear();
    coordinates_seen_ = false;
  }

  void forget_feature() {
    rank_property_.forget_feature();
    name_property_.forget_feature();
  }

  /// A feature or a geometry may be the root itself.
  bool end_root_object() {
    if (features_seen_) {
      return root_type_.empty() || root_type_ == "FeatureCollection" ||
             stop(ErrorCode::kParse, "a list of features makes a FeatureCollection, but the type is " +
                                         files_detail::quoted(root_type_) + ": correct it");
    }
    if (root_type_ == "Feature") {
      return end_feature();
    }
    if (coordinates_seen_ || root_type_ == "GeometryCollection") {
      feature_.geometry = GeoFeature::Geometry::kObject;
      feature_.geometry_type = root_type_;
      return end_feature();
    }
    return stop(ErrorCode::kParse,
                "not a FeatureCollection: the file needs a list named \"features\", or be a Feature");
  }

  bool bad_feature(ErrorCode code, const std::string& what) {
    Error error{code, "feature " + std::to_string(features_ + 1) + " " + what};
    error.index = features_;
    ++features_;
    if (columns_.skip_bad) {
      table_.skipped.add(std::move(error));
      forget_feature();
      return true;
    }
    failed_ = fatal_ = true;
    error_ = std::move(error);
    return false;
  }

  bool end_feature() {
    std::string wrong;
    const auto places = feature_.places(wrong);
    if (!wrong.empty()) {
      return bad_feature(ErrorCode::kParse, wrong);
    }
    if (places.empty()) {
      ++features_;
      ++table_.without_place;
      forget_feature();
      return true;
    }
    const bool ranks = columns_.rank_required || !columns_.rank.empty() || !table_.rank.empty();
    if (!feature_.has_rank && ranks) {
      return bad_feature(ErrorCode::kNotFound,
                         rank_property_.title.empty()
                             ? "has no property that looks like a rank (population): say which one it is"
                             : "has no number in its property " + files_detail::quoted(rank_property_.title));
    }
    if (places.size() > files_detail::kMaxPoints - table_.size()) {
      return stop_for_good(ErrorCode::kTooLarge,
                           "feature " + std::to_string(features_ + 1) + " is one too many: split the file");
    }
    rank_property_.end_feature();
    name_property_.end_feature();
    const bool with_rank = feature_.has_rank && (ranks || table_.size() == 0);
    for (const files_detail::GeoPlace& place : places) {
      table_.x.push_back(place.x);
      table_.y.push_back(place.y);
      table_.name_bytes += feature_.name;
      table_.name_end.push_back(table_.name_bytes.size());
      if (with_rank) {
        table_.rank.push_back(feature_.rank);
      }
    }
    return ++features_ % 65536 != 0 || report(monitor_, "read points", table_.size(), 0) ||
           stop_for_good(ErrorCode::kCancelled, "reading was cancelled");
  }

  const PointColumns& columns_;
  Monitor* monitor_;
  PointTable table_;
  Error error_;
  GeoProperty rank_property_, name_property_;
  std::vector<Place> stack_;
  std::string key_, root_type_;
  GeoFeature feature_;
  std::uint64_t features_ = 0;  // read or left out
  std::size_t broken_at_ = kNowhere;
  bool coordinates_seen_ = false, features_seen_ = false, failed_ = false, fatal_ = false;
};

constexpr char kRecord = '\x1E';  // begins each text of an RFC 8142 sequence

/// Where the text goes on after a root that is left out; npos: nobody knows.
std::size_t after_bad_root(std::string_view text, std::size_t root, bool records) {
  if (records) {
    return std::min(text.find(kRecord, root), text.size());
  }
  const std::size_t end = std::min(text.find('\n', root), text.size());
  const bool alone =
      files_detail::trimmed(text.substr(root, end - root)).find_first_not_of("{\r") == std::string_view::npos;
  return alone && end != text.size() ? std::string_view::npos : end;  // "{" alone: a text of many lines
}

}  // namespace

Result<PointTable> parse_points_geojson(std::string_view text, const PointColumns& columns,
                                        const Context& context) {
  const std::size_t mark = text.size() - files_detail::skip_bom(text).size();
  text = files_detail::skip_bom(text);
  if (!columns.x.empty() || !columns.y.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "GeoJSON has no column for x or y: it gives coordinates, leave them out");
  }
  if (!columns.values.empty() || !columns.categories.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "GeoJSON has no columns to filter by: give the points as CSV, with a column for each");
  }
  FeatureReader reader(columns, context.monitor);
  std::size_t at = text.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos) {
    return files_detail::fail_at_line(ErrorCode::kParse, 1, "the file is empty: it needs features");
  }
  const bool records = text[at] == kRecord;
  const std::string_view between = records ? " \t\r\n\x1E" : " \t\r\n";
  for (at = text.find_first_not_of(between); at < text.size(); at = text.find_first_not_of(between, at)) {
    const char* come = text.data() + at;
    reader.begin_root();
    json::sax_parse(TrackedByte(come, &come), TrackedByte(text.data() + text.size(), &come), &reader,
                    json::input_format_t::json, false);
    const std::size_t root = std::exchange(at, static_cast<std::size_t>(come - text.data()));
    if (!reader.failed()) {
      continue;
    }
    if (reader.broken_at() != FeatureReader::kNowhere) {
      const std::size_t end = std::min(root + reader.broken_at(), text.size());
      const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
      reader.error().line = 1 + static_cast<std::uint64_t>(lines);
      reader.error().byte = end + mark;
    }
    at = after_bad_root(text, root, records);
    if (at == std::string_view::npos || !reader.skip_root()) {
      break;
    }
  }
  return reader.finish();
}

}  // namespace juxta
