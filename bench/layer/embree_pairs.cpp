// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Embree's rtcCollide. It reports primitives whose leaves touch, both orders and each with its neighbours, so
// that the callback tests the boxes, as its manual says.
#include <algorithm>
#include <memory>

#include "bench/layer/contenders.h"
#include "bench/layer/embree_scene.h"

namespace juxta::bench {
namespace {

struct Collector {
  const Aabb3* a;
  const Aabb3* b;
  PairSink sink;
};

void keep_self(void* user, RTCCollision* collisions, unsigned count) {
  Collector& to = *static_cast<Collector*>(user);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned a = collisions[i].primID0, b = collisions[i].primID1;
    if (a < b && to.a[a].overlaps(to.a[b])) {
      to.sink.add(a, b);
    }
  }
}

void keep_cross(void* user, RTCCollision* collisions, unsigned count) {
  Collector& to = *static_cast<Collector*>(user);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned a = collisions[i].primID0, b = collisions[i].primID1;
    if (to.a[a].overlaps(to.b[b])) {
      to.sink.add(a, b);
    }
  }
}

class EmbreePairs final : public PairFinder {
 public:
  std::size_t pairs(std::span<const Aabb3> boxes, std::span<Pair> out) override {
    first_.commit(boxes);
    Collector to{boxes.data(), boxes.data(), PairSink(out)};
    rtcCollide(first_.handle(), first_.handle(), keep_self, &to);
    return to.sink.found();
  }
  std::size_t cross(std::span<const Aabb3> a, std::span<const Aabb3> b, std::span<Pair> out) override {
    first_.commit(a);
    second_.commit(b);
    Collector to{a.data(), b.data(), PairSink(out)};
    rtcCollide(first_.handle(), second_.handle(), keep_cross, &to);
    return to.sink.found();
  }
  [[nodiscard]] std::size_t memory_bytes() const override {
    return first_.memory_bytes() + second_.memory_bytes();
  }

 private:
  // Its manual's settings for what moves each frame. RTC_BUILD_QUALITY_REFIT commits eight times as fast, but
  // its first tree collides a third slower, and after 60 frames thirty times.
  EmbreeScene first_{RTC_BUILD_QUALITY_LOW, RTC_SCENE_FLAG_DYNAMIC};
  EmbreeScene second_{RTC_BUILD_QUALITY_LOW, RTC_SCENE_FLAG_DYNAMIC};
};

// The tree over the boxes stays; that over the questions is made for each batch.
class EmbreeBatch final : public BatchAsker {
 public:
  explicit EmbreeBatch(std::span<const Aabb3> boxes) { layer_.commit(boxes); }

  void any(std::span<const Aabb3> queries, std::span<std::uint32_t> out) override {
    struct Answers {
      std::span<const Aabb3> queries, boxes;
      std::span<std::uint32_t> out;
    } to{queries, layer_.boxes(), out};
    std::fill(out.begin(), out.end(), kNoBody);
    queries_.commit(queries);
    const auto keep = [](void* user, RTCCollision* collisions, unsigned count) {
      Answers& answers = *static_cast<Answers*>(user);
      for (unsigned i = 0; i < count; ++i) {
        const unsigned query = collisions[i].primID0, box = collisions[i].primID1;
        if (answers.out[query] == kNoBody && answers.queries[query].overlaps(answers.boxes[box])) {
          answers.out[query] = box;
        }
      }
    };
    rtcCollide(queries_.handle(), layer_.handle(), keep, &to);
  }
  std::size_t all(std::span<const Aabb3> queries, std::span<Pair> out) override {
    queries_.commit(queries);
    Collector to{queries.data(), layer_.boxes().data(), PairSink(out)};
    rtcCollide(queries_.handle(), layer_.handle(), keep_cross, &to);
    return to.sink.found();
  }

 private:
  EmbreeScene layer_{RTC_BUILD_QUALITY_MEDIUM};
  EmbreeScene queries_{RTC_BUILD_QUALITY_LOW, RTC_SCENE_FLAG_DYNAMIC};
};

}  // namespace

std::unique_ptr<PairFinder> make_embree_pairs() {
  return std::make_unique<EmbreePairs>();
}

std::unique_ptr<BatchAsker> make_embree_batch(std::span<const Aabb3> boxes) {
  return std::make_unique<EmbreeBatch>(boxes);
}

}  // namespace juxta::bench
