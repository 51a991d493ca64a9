// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Every single query against brute force. Shared with fuzz/layer: what differs comes back as words, and none
// are good.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "juxta/layer/frustum.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/query.h"
#include "juxta/layer/raycast.h"
#include "layer/reference.h"

namespace juxta::test {

inline constexpr std::uint32_t kGuard = 0xDEADBEEF;

inline std::vector<std::uint32_t> ascending(std::vector<std::uint32_t> bodies) {
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

/// Whether `ask(out)` stores the first of `all` in an output of this length, and nothing behind.
template <class T, class Ask>
bool stores_first(const std::vector<T>& all, std::size_t room, std::size_t found, T guard, Ask ask) {
  std::vector<T> out(room + 20, guard);
  const auto result = ask(std::span(out).first(room));
  const std::size_t written = std::min(room, all.size());
  return result.found == found && result.written == written &&
         std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(written), all.begin()) &&
         std::all_of(out.begin() + static_cast<std::ptrdiff_t>(room), out.end(),
                     [&](const T& value) { return value == guard; });
}

template <int D>
std::string compare_box(const BasicLayer<D>& layer, const layer_detail::ReferenceBodies<D>& bodies,
                        const BoxOf<D>& box, const QueryOptions& options = {}) {
  const std::vector<std::uint32_t> expected = layer_detail::find_all_reference(bodies, box, options);
  std::vector<std::uint32_t> all(expected.size());
  if (const auto result = find_all(layer, box, std::span(all), options);
      result.found != expected.size() || result.written != expected.size() || ascending(all) != expected) {
    return "find_all: " + std::to_string(result.found) + " of " + std::to_string(expected.size());
  }
  for (const std::size_t room : {std::size_t{0}, std::size_t{1}, all.size() / 2, all.size() + 5}) {
    const bool whole = stores_first(all, room, all.size(), kGuard, [&](std::span<std::uint32_t> out) {
      return find_all(layer, box, out, options);
    });
    const bool first =
        stores_first(all, room, std::min(room, all.size()), kGuard,
                     [&](std::span<std::uint32_t> out) { return find_first(layer, box, out, options); });
    if (!whole || !first) {
      return (whole ? "find_first into " : "find_all into ") + std::to_string(room);
    }
  }
  if (count(layer, box, options) != expected.size()) {
    return "count";
  }
  const std::uint32_t any = find_any(layer, box, options);
  if (expected.empty() ? any != kNoBody : !std::binary_search(expected.begin(), expected.end(), any)) {
    return "find_any";
  }
  for (const std::size_t stop : {std::size_t{1}, all.size() / 2 + 1, all.size() + 1}) {
    std::vector<std::uint32_t> seen;
    visit(
        layer, box,
        [&](std::uint32_t body) {
          seen.push_back(body);
          return seen.size() < stop;
        },
        options);
    if (seen.size() != std::min(stop, all.size()) || !std::equal(seen.begin(), seen.end(), all.begin())) {
      return "visit";
    }
  }
  return {};
}

/// Infinite t too, which raycast_all() puts in the order of what they would be in double.
inline std::vector<RayHit> by_t_and_body(std::vector<RayHit> hits) {
  std::stable_sort(hits.begin(), hits.end(),
                   [](const RayHit& a, const RayHit& b) { return a.t != b.t ? a.t < b.t : a.body < b.body; });
  return hits;
}

/// Hits by a visitor that shortens the ray to `hit.t`, or not at all.
template <int D>
std::vector<RayHit> visited_hits(const BasicLayer<D>& layer, const RayOf<D>& ray, const QueryOptions& options,
                                 bool shorten) {
  std::vector<RayHit> hits;
  visit_ray(
      layer, ray,
      [&](RayHit hit) {
        hits.push_back(hit);
        return shorten ? hit.t : std::numeric_limits<float>::infinity();
      },
      options);
  return by_t_and_body(std::move(hits));
}

template <int D>
std::string compare_ray(const BasicLayer<D>& layer, const layer_detail::ReferenceBodies<D>& bodies,
                        const RayOf<D>& ray, const QueryOptions& options = {}) {
  const std::vector<RayHit> expected = layer_detail::raycast_all_reference(bodies, ray, options);
  const RayHit first = expected.empty() ? RayHit{} : expected.front();
  if (const RayHit closest = raycast_closest(layer, ray, options); closest != first) {
    return "raycast_closest: body " + std::to_string(closest.body) + " at " + std::to_string(closest.t) +
           ", not " + std::to_string(first.body) + " at " + std::to_string(first.t);
  }
  const RayHit any = raycast_any(layer, ray, options);
  if (expected.empty() ? any != RayHit{}
                       : std::find(expected.begin(), expected.end(), any) == expected.end()) {
    return "raycast_any";
  }
  constexpr RayHit kGuardHit = {kGuard, -7};
  for (const std::size_t room : {std::size_t{0}, std::size_t{1}, expected.size() / 2, expected.size() + 5}) {
    if (!stores_first(expected, room, expected.size(), kGuardHit,
                      [&](std::span<RayHit> out) { return raycast_all(layer, ray, out, options); })) {
      return "raycast_all into " + std::to_string(room);
    }
  }
  if (visited_hits(layer, ray, options, false) != by_t_and_body(expected)) {
    return "visit_ray";
  }
  const std::vector<RayHit> shortened = visited_hits(layer, ray, options, true);
  if (first.t < std::numeric_limits<float>::infinity() ? shortened.front() != first
                                                       : shortened.empty() != expected.empty()) {
    return "visit_ray that shortens";
  }
  std::size_t calls = 0;
  visit_ray(
      layer, ray,
      [&](RayHit) {
        ++calls;
        return -1.0F;
      },
      options);
  return calls == std::min<std::size_t>(expected.size(), 1) ? std::string() : "visit_ray that stops";
}

template <int D>
std::string compare_nearest(const BasicLayer<D>& layer, const layer_detail::ReferenceBodies<D>& bodies,
                            const PointOf<D>& point, float max_distance, const QueryOptions& options = {}) {
  const NearestHit expected = layer_detail::nearest_reference(bodies, point, max_distance, options);
  const NearestHit found = nearest(layer, point, max_distance, options);
  return found == expected
             ? std::string()
             : "nearest: body " + std::to_string(found.body) + " at " + std::to_string(found.distance2) +
                   ", not " + std::to_string(expected.body) + " at " + std::to_string(expected.distance2);
}

template <int D>
std::string compare_frustum(const BasicLayer<D>& layer, const layer_detail::ReferenceBodies<D>& bodies,
                            std::span<const Plane<D>> planes, const QueryOptions& options = {}) {
  const std::vector<std::uint32_t> expected =
      layer_detail::find_in_frustum_reference(bodies, planes, options);
  std::vector<std::uint32_t> all(expected.size());
  if (const auto result = find_in_frustum(layer, planes, std::span(all), options);
      result.found != expected.size() || ascending(all) != expected) {
    return "find_in_frustum: " + std::to_string(result.found) + " of " + std::to_string(expected.size());
  }
  const bool first = stores_first(all, all.size() / 2, all.size(), kGuard, [&](std::span<std::uint32_t> out) {
    return find_in_frustum(layer, planes, out, options);
  });
  return first ? std::string() : "find_in_frustum, short";
}

}  // namespace juxta::test
