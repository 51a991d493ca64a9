// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Random pairs of convex shapes of all kinds against the oracle: a thousandth to a thousand in size, apart,
// touching, deep, one in the other, at the origin and a kilometre from it. Pairs are 20,000; with
// JUXTA_SHAPE_PAIRS as many as it says, and with JUXTA_SHAPE_SEED others: long runs go on several cores.
#include <gtest/gtest.h>

#include <cstdlib>

#include "shape/check_convex.h"

namespace juxta::test {
namespace {

std::uint64_t asked_for(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}
std::uint64_t pairs_asked_for() {
  return asked_for("JUXTA_SHAPE_PAIRS", 20000);
}

class Accuracy : public ::testing::Test {
 protected:
  /// Calls check(a, b, truth of both) with pairs; it returns what is wrong.
  template <class Check>
  void for_pairs(std::uint64_t seed, std::uint64_t count, Check&& check) {
    RandomShapes random(seed + 1000 * asked_for("JUXTA_SHAPE_SEED", 0));
    for (std::uint64_t i = 0; i < count; ++i) {
      const float size = random.size();
      const bool alike = random.draws().below(2) == 0;
      Placed a = random.shape(size), b = random.shape(alike ? size * random.between(0.3F, 3) : random.size());
      const auto pose = static_cast<Pose>(random.draws().below(kPoses));
      const bool far = random.draws().below(3) == 0;
      random.pose(a, b, pose, far);
      const PairTruth truth(a, b);
      if (const std::string wrong = check(random, a, b, truth); !wrong.empty()) {
        if (++failures_ <= 20) {
          ADD_FAILURE() << "pair " << i << ", kinds " << static_cast<int>(a.shape.kind()) << ", "
                        << static_cast<int>(b.shape.kind()) << ", pose " << static_cast<int>(pose)
                        << (far ? ", far away" : "") << ", sizes " << truth.a.size << ", " << truth.b.size
                        << ", distance " << truth.truth.distance << ": " << wrong;
        }
      }
    }
    EXPECT_EQ(failures_, 0U) << "of " << count;
  }

 private:
  std::uint64_t failures_ = 0;
};

TEST_F(Accuracy, Closest) {
  for_pairs(1, pairs_asked_for(),
            [](RandomShapes&, const Placed& a, const Placed& b, const PairTruth& truth) {
              return check_closest(a, b, truth);
            });
}

TEST_F(Accuracy, ClosestWithin) {
  for_pairs(2, pairs_asked_for() / 4,
            [](RandomShapes& random, const Placed& a, const Placed& b, const PairTruth& truth) {
              const double most = std::abs(truth.truth.distance) * wide(random.between(0.5F, 1.5F));
              return check_closest(a, b, truth, wide(static_cast<float>(most)));
            });
}

TEST_F(Accuracy, Overlaps) {
  for_pairs(3, pairs_asked_for(),
            [](RandomShapes&, const Placed& a, const Placed& b, const PairTruth& truth) {
              return check_overlaps(a, b, truth);
            });
}

TEST_F(Accuracy, Cast) {
  for_pairs(4, pairs_asked_for() / 2,
            [](RandomShapes& random, const Placed& a, const Placed& b, const PairTruth& truth) {
              // Towards the other, more or less, and past it.
              const Vec3 there = (V3(b.at.position) - truth.origin).rounded();
              const Vec3 aside = random.inside() * static_cast<float>(truth.size);
              return check_cast(a, b, (there + aside) * random.between(0.3F, 3), truth);
            });
}

TEST_F(Accuracy, Ray) {
  for_pairs(5, pairs_asked_for(),
            [](RandomShapes& random, const Placed& a, const Placed& b, const PairTruth& truth) {
              const Vec3 there = (V3(b.at.position) - truth.origin).rounded();
              const Vec3 way =
                  (there + random.inside() * static_cast<float>(truth.b.size)) * random.between(0.1F, 3);
              const Vec3 from = a.at.position;
              return check_ray(b, {{from.x, from.y, from.z}, {way.x, way.y, way.z}});
            });
}

TEST_F(Accuracy, Contains) {
  for_pairs(
      6, pairs_asked_for(), [](RandomShapes&, const Placed& a, const Placed& b, const PairTruth& truth) {
        const Solid point{{V3{}}, {}, {}, 0, 0};
        const double distance = truth_of(point, truth.b).distance;
        const bool got = contains(b.shape, b.at, a.at.position);
        const bool flat = b.shape.kind() == ShapeKind::kTriangle;
        const double slack = 2e-6 * truth.b.size;
        const bool wrong = got ? distance > slack : distance < -slack && !flat;
        return wrong ? fmt::format("contains() is {} at a distance of {}", got, distance) : std::string();
      });
}

}  // namespace
}  // namespace juxta::test
