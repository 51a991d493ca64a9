// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Every batch of queries against the same queries asked one at a time. Shared with fuzz/layer: what differs
// comes back as words, and none are good.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "layer/compare_pairs.h"
#include "layer/compare_queries.h"
#include "layer/narrow.h"

namespace juxta::test {

/// find_all() one at a time, as pairs of query and body.
template <int D>
std::vector<Pair> single_answers(const BasicLayer<D>& layer, std::span<const Aabb<D>> boxes,
                                 const BatchOptions& options) {
  std::vector<Pair> pairs;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    const SingleOptions single(options, i);
    visit(
        layer, boxes[i],
        [&](std::uint32_t body) {
          pairs.push_back({i, body});
          return true;
        },
        single.options());
  }
  return pairs;
}

/// find_first() of many boxes against the same one at a time.
template <int D>
std::string compare_first_batch(const BasicLayer<D>& layer, std::span<const Aabb<D>> boxes,
                                const BatchOptions& options) {
  Workspace workspace;
  for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{40}}) {
    std::vector<std::uint32_t> out(boxes.size() * most), counts(boxes.size()), one(most);
    if (!find_first(layer, boxes, most, std::span(out), std::span(counts), options,
                    {.workspace = &workspace})) {
      return "find_first was refused";
    }
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
      const SingleOptions single(options, i);
      const std::size_t written = find_first(layer, boxes[i], std::span(one), single.options()).written;
      if (counts[i] != written || !std::equal(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(written),
                                              out.begin() + static_cast<std::ptrdiff_t>(i * most))) {
        return "find_first " + std::to_string(most) + " of query " + std::to_string(i);
      }
    }
    counts.resize(boxes.size() + 1);
    out.resize(boxes.size() * most + 1);
    if (find_first(layer, boxes, most, std::span(out), std::span(counts), options,
                   {.workspace = &workspace}) ||
        (most != 0 && find_first(layer, boxes, most, std::span(out), std::span(counts).first(boxes.size()),
                                 options, {.workspace = &workspace}))) {
      return "find_first took lengths that differ";
    }
  }
  return {};
}

template <int D>
std::string compare_box_batch(const BasicLayer<D>& layer, std::span<const Aabb<D>> boxes,
                              const BatchOptions& options) {
  Workspace workspace;
  std::vector<std::uint32_t> any(boxes.size()), counts(boxes.size());
  if (!find_any(layer, boxes, std::span(any), options, {.workspace = &workspace}) ||
      !count(layer, boxes, std::span(counts), options, {.workspace = &workspace})) {
    return "a batch was refused";
  }
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    const SingleOptions single(options, i);
    if (any[i] != find_any(layer, boxes[i], single.options())) {
      return "find_any of query " + std::to_string(i);
    }
    if (counts[i] != count(layer, boxes[i], single.options())) {
      return "count of query " + std::to_string(i);
    }
  }
  if (std::string wrong = compare_first_batch(layer, boxes, options); !wrong.empty()) {
    return wrong;
  }
  const std::vector<Pair> expected = ascending(single_answers(layer, boxes, options));
  for (const bool sorted : {false, true}) {
    BatchOptions form = options;
    form.sorted = sorted;
    const auto ask = [&](std::span<Pair> out) {
      return find_all(layer, boxes, out, form, {.workspace = &workspace}).value();
    };
    std::vector<Pair> all(expected.size());
    if (const auto result = ask(all); result.found != expected.size() || result.written != expected.size()) {
      return "find_all: " + std::to_string(result.found) + " of " + std::to_string(expected.size());
    }
    if ((sorted ? all : ascending(all)) != expected) {
      return sorted ? "find_all (sorted)" : "find_all";
    }
    for (const std::size_t room : {std::size_t{0}, all.size() / 2, all.size() + 3}) {
      if (!stores_first(all, room, all.size(), kGuardPair, ask)) {
        return "find_all into " + std::to_string(room);
      }
    }
  }
  // Lengths that differ are refused.
  any.resize(boxes.size() + 1);
  counts.resize(boxes.size() + 1);
  return find_any(layer, boxes, std::span(any), options, {.workspace = &workspace}) ||
                 count(layer, boxes, std::span(counts), options, {.workspace = &workspace})
             ? "an output of another length was taken"
             : std::string();
}

template <int D>
std::string compare_ray_batch(const BasicLayer<D>& layer, std::span<const Ray<D>> rays,
                              const BatchOptions& options) {
  Workspace workspace;
  std::vector<RayHit> closest(rays.size()), any(rays.size());
  if (!raycast_closest(layer, rays, std::span(closest), options, {.workspace = &workspace}) ||
      !raycast_any(layer, rays, std::span(any), options, {.workspace = &workspace})) {
    return "a batch of rays was refused";
  }
  std::vector<RayHit> all;
  std::vector<std::size_t> ends = {0};
  for (std::uint32_t i = 0; i < rays.size(); ++i) {
    const SingleOptions single(options, i);
    if (closest[i] != raycast_closest(layer, rays[i], single.options())) {
      return "raycast_closest of ray " + std::to_string(i);
    }
    if (static_cast<bool>(any[i]) != static_cast<bool>(closest[i])) {
      return "raycast_any of ray " + std::to_string(i);
    }
    std::vector<RayHit> one(raycast_all(layer, rays[i], {}, single.options()).found);
    raycast_all(layer, rays[i], one, single.options());
    if (any[i] && std::find(one.begin(), one.end(), any[i]) == one.end()) {
      return "raycast_any of ray " + std::to_string(i);
    }
    all.insert(all.end(), one.begin(), one.end());
    ends.push_back(all.size());
  }
  constexpr RayHit kGuardHit = {kGuard, -7};
  for (const std::size_t room : {std::size_t{0}, all.size() / 2, all.size(), all.size() + 3}) {
    std::vector<std::size_t> offsets(rays.size() + 1, 99);
    const bool first = stores_first(all, room, all.size(), kGuardHit, [&](std::span<RayHit> out) {
      return raycast_all(layer, rays, std::span(offsets), out, options, {.workspace = &workspace}).value();
    });
    if (!first || offsets != ends) {
      return "raycast_all into " + std::to_string(room) + " of " + std::to_string(all.size());
    }
  }
  closest.resize(rays.size() + 1);
  std::vector<std::size_t> short_offsets(rays.size());
  return raycast_closest(layer, rays, std::span(closest), options, {.workspace = &workspace}) ||
                 raycast_any(layer, rays, std::span(closest), options, {.workspace = &workspace}) ||
                 raycast_all(layer, rays, std::span(short_offsets), std::span(all), options,
                             {.workspace = &workspace})
             ? "an output of another length was taken"
             : std::string();
}

template <int D>
std::string compare_nearest_batch(const BasicLayer<D>& layer, std::span<const PointOf<D>> points,
                                  float max_distance, const BatchOptions& options) {
  Workspace workspace;
  std::vector<NearestHit> hits(points.size());
  if (!nearest<D>(layer, points, max_distance, std::span(hits), options, {.workspace = &workspace})) {
    return "a batch of points was refused";
  }
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const SingleOptions single(options, i);
    if (hits[i] != nearest(layer, points[i], max_distance, single.options())) {
      return "nearest of point " + std::to_string(i);
    }
  }
  hits.resize(points.size() + 1);
  return nearest<D>(layer, points, max_distance, std::span(hits), options, {.workspace = &workspace})
             ? "an output of another length was taken"
             : std::string();
}

template <int D>
std::string compare_frustum_batch(const BasicLayer<D>& layer,
                                  const std::vector<std::vector<Plane<D>>>& frustums,
                                  const BatchOptions& options) {
  Workspace workspace;
  std::vector<std::span<const Plane<D>>> spans(frustums.begin(), frustums.end());
  std::vector<Pair> expected;
  for (std::uint32_t f = 0; f < frustums.size(); ++f) {
    const SingleOptions single(options, f);
    std::vector<std::uint32_t> one(find_in_frustum(layer, spans[f], {}, single.options()).found);
    find_in_frustum(layer, spans[f], std::span(one), single.options());
    for (const std::uint32_t body : options.sorted ? ascending(one) : one) {
      expected.push_back({f, body});
    }
  }
  for (const std::size_t room : {std::size_t{0}, expected.size() / 2, expected.size() + 3}) {
    if (!stores_first(expected, room, expected.size(), kGuardPair, [&](std::span<Pair> out) {
          return find_in_frustum(layer, std::span<const std::span<const Plane<D>>>(spans), out, options,
                                 {.workspace = &workspace})
              .value();
        })) {
      return "find_in_frustum into " + std::to_string(room) + " of " + std::to_string(expected.size());
    }
  }
  return {};
}

}  // namespace juxta::test
