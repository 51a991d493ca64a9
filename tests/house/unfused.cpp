// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A user's program that calls inline functions of the public headers: prints hashes of what they return.
// unfused_test.py builds it under several compilers and flags.
#include <juxta/agents/lanes.h>
#include <juxta/math/qvvs.h>
#include <juxta/transform/matrices.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using namespace juxta;

struct Draw {
  std::uint32_t state = 1;
  float operator()() {  // in [-1, 1)
    state = state * 1664525U + 1013904223U;
    return static_cast<float>(static_cast<int>(state >> 8) - (1 << 23)) * 0x1p-23F;
  }
  Vec3 vector() { return {(*this)(), (*this)(), (*this)()}; }
  Quat rotation() { return normalized({(*this)(), (*this)(), (*this)(), (*this)()}); }
};

struct Hash {
  std::uint64_t value = 0xcbf29ce484222325U;
  void add(float f) { value = (value ^ std::bit_cast<std::uint32_t>(f)) * 0x100000001b3U; }
  void add(Vec3 v) { add(v.x), add(v.y), add(v.z); }
  void add(Quat q) { add(q.x), add(q.y), add(q.z), add(q.w); }
};

// Sixteen lanes of the two expressions that compilers like to fuse, and, in a hash of their own, the
// functions of a rule: their polynomials are full of them.
void add_lanes(Draw& draw, Hash& hash, Hash& functions) {
  float in[4][kLanes];
  for (auto& row : in) {
    for (float& f : row) {
      f = draw();
    }
  }
  Lanes<float> a[4];
  __builtin_memcpy(a, in, sizeof(in));
  const Lanes<float> re = a[0] * a[1] - a[2] * a[3], im = a[0] * a[3] + a[2] * a[1];
  const Lanes<float> f[] = {exp(a[0]), log(abs(a[1])), sin(a[2]), cos(a[3]), pow(abs(a[0]), a[1])};
  for (int k = 0; k < kLanes; ++k) {
    hash.add(re.lane(k));
    hash.add(im.lane(k));
    for (const Lanes<float>& values : f) {
      functions.add(values.lane(k));
    }
    functions.add(juxta::pow(juxta::exp(in[0][k]), juxta::sin(in[1][k])) - juxta::cos(in[2][k]));
  }
}

}  // namespace

int main() {
  constexpr std::size_t kCount = 1000;
  Draw draw;
  Hash hash, functions;
  std::vector<Qvvs> parents(kCount), worlds(kCount);
  std::vector<LocalTransform> locals(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    parents[i] = {draw.rotation(), draw.vector(), 0, draw.vector(), draw() + 2};
    locals[i] = {draw.rotation(), draw.vector(), draw() + 2};
  }
  for (std::size_t i = 0; i < kCount; ++i) {  // a loop of its own: compilers vectorise it
    worlds[i] = mul(parents[i], locals[i]);
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    const Qvvs& world = worlds[i];
    hash.add(world.rotation), hash.add(world.position), hash.add(world.scale);
    const LocalTransform back = inverse_mul(parents[i], world);
    hash.add(back.rotation), hash.add(back.position), hash.add(back.scale);
    hash.add(locals[i].position + rotate(world.rotation, world.position) * back.scale);
    for (const auto& row : to_matrix34(world).m) {
      for (const float f : row) {
        hash.add(f);
      }
    }
    add_lanes(draw, hash, functions);
  }
  std::printf("%016llx %016llx\n", static_cast<unsigned long long>(hash.value),
              static_cast<unsigned long long>(functions.value));
}
