// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The best places on a map view that have what a visitor asks for.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "juxta/ranked/ranked_points.h"

namespace {

constexpr std::uint64_t kCafe = 1, kRestaurant = 2, kVegan = 4, kClosed = 8;

struct Place {
  const char* name;
  double x, y;
  int stars;
  float price;  // of a meal
  std::uint64_t categories;
};

bool show(const char* what, const juxta::RankedPoints& points, const std::vector<Place>& places,
          const juxta::RankedFilter& filter, const std::string& expected) {
  std::vector<std::uint32_t> found(3);
  found.resize(points.top({0, 0, 10, 10}, found.size(), found, filter).written);
  std::string names;
  for (const std::uint32_t i : found) {
    names += std::string(names.empty() ? "" : ", ") + places[i].name;
  }
  std::printf("%s: %s\n", what, names.c_str());
  return names == expected;
}

}  // namespace

int main() {
  const std::vector<Place> places = {
      {"Alba", 1, 2, 5, 64, kRestaurant},        {"Brio", 3, 8, 4, 12, kCafe | kVegan},
      {"Como", 7, 5, 3, 9.5F, kCafe | kClosed},  {"Duna", 6, 1, 4, 31, kRestaurant | kVegan},
      {"Esca", 12, 3, 5, 15, kCafe | kVegan},  // outside of the view
      {"Fara", 9, 9, 2, 20, kCafe | kRestaurant}};
  std::vector<double> x, y;
  std::vector<int> rank;  // lower is better
  std::vector<float> price;
  std::vector<std::uint64_t> categories;
  for (const Place& place : places) {
    x.push_back(place.x);
    y.push_back(place.y);
    rank.push_back(-place.stars);
    price.push_back(place.price);
    categories.push_back(place.categories);
  }
  const juxta::ValueColumn values[] = {price};
  const auto points = juxta::RankedPoints::build(x, y, rank, {.categories = categories, .values = values});
  if (!points) {
    std::fprintf(stderr, "%s\n", points.error().message.c_str());
    return 1;
  }
  const bool right =
      show("cafes", *points, places, {.all = kCafe}, "Brio, Como, Fara") &&
      show("vegan restaurants", *points, places, {.all = kRestaurant | kVegan}, "Duna") &&
      show("cafes and restaurants that are open", *points, places,
           {.any = kCafe | kRestaurant, .none = kClosed}, "Alba, Brio, Duna") &&
      show("meals from 10 to 30", *points, places, {.ranges = {{10, 30}}}, "Brio, Fara") &&
      show("restaurants up to 40", *points, places, {.all = kRestaurant, .ranges = {{0, 40}}}, "Duna, Fara");
  return right && points->count({0, 0, 10, 10}, {.none = kClosed}).found == 4 ? 0 : 1;
}
