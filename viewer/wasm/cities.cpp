// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "scenes/draws.h"
#include "viewer/wasm/scenes.h"

namespace juxta::page {
namespace {

constexpr std::array<std::string_view, 32> kStarts = {
    "Al",  "Bran", "Cor", "Dun", "El",  "Fal",  "Gor", "Hal", "Is",  "Jor", "Kal",
    "Lor", "Mar",  "Nor", "Os",  "Per", "Quil", "Ros", "Sal", "Tor", "Ul",  "Var",
    "Wel", "Yor",  "Zan", "Bel", "Cas", "Dor",  "Fen", "Gil", "Hol", "Lin"};
constexpr std::array<std::string_view, 16> kMiddles = {"a",  "e",   "i",   "o",  "en", "in", "mer", "na",
                                                       "ri", "sta", "the", "va", "wi", "lo", "der", "mi"};
constexpr std::array<std::string_view, 16> kEnds = {"ham",   "ford", "burg", "ville", "stad",    "mouth",
                                                    "haven", "wick", "dale", "ton",   "minster", "polis",
                                                    "grad",  "berg", "by",   "more"};
constexpr double kLargest = 2.4e7;  // people
constexpr std::size_t kRegions = 240;

struct Region {
  float x, y, wide;
};

/// Between -2 and 2, near 0 most often: close enough to a normal number for a map.
float around(scenes::Draws& draws) {
  return draws.unit() + draws.unit() + draws.unit() + draws.unit() - 2;
}

/// One of a list, by an integer alone.
template <class List>
std::string_view one_of(const List& list, scenes::Draws& draws) {
  return list[draws.below(static_cast<std::uint32_t>(list.size()))];
}

/// To a hundred-thousandth of a degree, as tables of cities have them.
double rounded(float degrees) {
  return std::round(static_cast<double>(degrees) * 1e5) / 1e5;
}

std::vector<Region> make_regions(scenes::Draws& draws) {
  std::vector<Region> regions(kRegions);
  for (Region& region : regions) {
    const float wide = draws.unit();
    region = {draws.uniform(-165, 165), draws.uniform(-75, 75), 1.5F + 12 * wide * wide};
  }
  return regions;
}

}  // namespace

PointTable make_cities(std::size_t count, std::uint64_t seed) {
  scenes::Draws draws(seed);
  const std::vector<Region> regions = make_regions(draws);
  PointTable table;
  table.rank_title = "population";
  table.descending = true;
  table.x.reserve(count);
  table.y.reserve(count);
  table.rank.reserve(count);
  table.name_end.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool capital = i < kRegions;
    const Region& of = regions[capital ? i : draws.below(kRegions)];
    const float spread = capital ? 0.1F : 1.0F;
    table.x.push_back(rounded(of.x + around(draws) * of.wide * spread));
    table.y.push_back(rounded(of.y + around(draws) * of.wide * 0.6F * spread));
    table.rank.push_back(
        std::floor(kLargest / static_cast<double>(i + 1) * (0.9 + 0.2 * double{draws.unit()})) + 1);
    table.name_bytes += one_of(kStarts, draws);
    table.name_bytes += draws.below(3) == 0 ? std::string_view() : one_of(kMiddles, draws);
    table.name_bytes += one_of(kEnds, draws);
    table.name_end.push_back(table.name_bytes.size());
  }
  return table;
}

}  // namespace juxta::page
