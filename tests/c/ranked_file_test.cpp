// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Files of ranked points in C.
#include <gtest/gtest.h>
#include <juxta.h>

#include <cstdio>
#include <string>

namespace juxta {
namespace {

TEST(CRankedFile, KeepsItsAttachment) {
  const double x[2] = {1, 2};
  const juxta_column doubles = {x, 0, JUXTA_DOUBLE};
  juxta_ranked_points* points = nullptr;
  juxta_error error;
  ASSERT_EQ(juxta_ranked_points_build(doubles, doubles, doubles, 2, nullptr, nullptr, &points, &error),
            JUXTA_OK);
  const std::string path = testing::TempDir() + "c_ranked.jxr", names = "one,two";
  ASSERT_EQ(juxta_ranked_points_save(points, path.c_str(), names.data(), names.size(), &error), JUXTA_OK)
      << error.message;
  EXPECT_EQ(juxta_ranked_points_save(points, path.c_str(), nullptr, 3, &error), JUXTA_INVALID_ARGUMENT);
  juxta_ranked_points_free(points);
  for (const auto load : {juxta_ranked_points_load, juxta_ranked_points_open}) {
    ASSERT_EQ(load(path.c_str(), &points, &error), JUXTA_OK) << error.message;
    size_t size = 0;
    const void* const kept = juxta_ranked_points_attachment(points, &size);
    EXPECT_EQ(std::string(static_cast<const char*>(kept), size), names);
    std::string copy(3, '?');
    EXPECT_EQ(juxta_ranked_points_copy_attachment(points, 4, copy.data(), 3, &error), JUXTA_OK)
        << error.message;
    EXPECT_EQ(copy, "two");
    EXPECT_EQ(juxta_ranked_points_copy_attachment(points, 5, copy.data(), 3, &error), JUXTA_INVALID_ARGUMENT);
    EXPECT_EQ(juxta_ranked_points_copy_attachment(points, 5, nullptr, 2, &error), JUXTA_INVALID_ARGUMENT);
    EXPECT_EQ(juxta_ranked_points_check_read(points, &error), JUXTA_OK) << error.message;
    juxta_ranked_points_free(points);
  }
  std::remove(path.c_str());
  EXPECT_EQ(juxta_ranked_points_load(path.c_str(), &points, &error), JUXTA_IO);
}

}  // namespace
}  // namespace juxta
