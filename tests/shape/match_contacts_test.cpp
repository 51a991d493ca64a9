// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which point of the last frame each point continues, against asking every one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "juxta/shape/bodies.h"
#include "shape/random_shapes.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using Contacts = std::vector<Bodies::Contact>;

Bodies::Contact contact_of(std::uint32_t a, std::uint32_t b, const std::vector<std::uint32_t>& features,
                           float x = 0) {
  Bodies::Contact contact{a, b, {}};
  for (const std::uint32_t feature : features) {
    auto& point = contact.manifold.points[contact.manifold.count++];
    point.feature = feature;
    point.point = {x + static_cast<float>(feature), 0, 0};
  }
  return contact;
}

TEST(MatchContacts, ByBodiesAndFeature) {
  const Contacts before{contact_of(0, 1, {7, 8, 9}), contact_of(0, 2, {7}), contact_of(1, 2, {5, 6})};
  const Contacts now{contact_of(0, 2, {8, 7}), contact_of(1, 2, {6}), contact_of(1, 2, {5}),
                     contact_of(3, 4, {5})};
  std::vector<std::uint32_t> continues(16, 1);
  ASSERT_TRUE(match_contacts(before, now, 0, continues));
  const std::uint32_t no = kNewPoint;
  EXPECT_EQ(continues,
            (std::vector<std::uint32_t>{no, 4, no, no, 9, no, no, no, 8, no, no, no, no, no, no, no}));
}

TEST(MatchContacts, ByPlaceWhereNoFeatureIsLeft) {
  const Contacts before{contact_of(0, 1, {7, 8, 20})}, now{contact_of(0, 1, {9, 8, 30}, 0.25F)};
  std::vector<std::uint32_t> continues(4);
  ASSERT_TRUE(match_contacts(before, now, 3, continues));
  // 9 at 9.25 is next to 8, which 8 continues, then to 7; 30 is near nothing.
  EXPECT_EQ(continues, (std::vector<std::uint32_t>{0, 1, kNewPoint, kNewPoint}));
  ASSERT_TRUE(match_contacts(before, now, 1, continues));
  EXPECT_EQ(continues[0], kNewPoint);
}

TEST(MatchContacts, EqualsAskingEveryPoint) {
  test::RandomShapes random(3);
  const auto some = [&](Contacts& out) {
    for (std::uint32_t a = 0; a < 40; ++a) {
      for (std::uint32_t b = a + 1; b < 40; ++b) {
        const int manifolds = static_cast<int>(random.between(-2, 3));
        for (int m = 0; m < manifolds; ++m) {
          std::vector<std::uint32_t> features;
          for (int i = 0; i < 3; ++i) {  // no feature twice in one pair
            features.push_back(static_cast<std::uint32_t>(10 * m + 3 * i) +
                               static_cast<std::uint32_t>(random.between(0, 2.99F)));
          }
          out.push_back(contact_of(a, b, features));
        }
      }
    }
  };
  Contacts before, now;
  some(before);
  some(now);
  std::vector<std::uint32_t> continues(4 * now.size());
  ASSERT_TRUE(match_contacts(before, now, 0, continues));
  std::size_t matched = 0;
  for (std::size_t i = 0; i < continues.size(); ++i) {
    std::uint32_t right = kNewPoint;
    for (std::uint32_t j = 0; j < 4 * before.size() && i % 4 < now[i / 4].manifold.count; ++j) {
      const Bodies::Contact &old = before[j / 4], &current = now[i / 4];
      if (right == kNewPoint && old.a == current.a && old.b == current.b && j % 4 < old.manifold.count &&
          old.manifold.points[j % 4].feature == current.manifold.points[i % 4].feature) {
        right = j;
      }
    }
    ASSERT_EQ(continues[i], right) << i;
    matched += right != kNewPoint ? 1 : 0;
  }
  EXPECT_GT(matched, 100U);
}

TEST(MatchContacts, RefusesAnotherLength) {
  const Contacts now{contact_of(0, 1, {1})};
  std::vector<std::uint32_t> continues(3);
  const auto refused = match_contacts({}, now, 0, continues);
  ASSERT_FALSE(refused);
  EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace juxta
