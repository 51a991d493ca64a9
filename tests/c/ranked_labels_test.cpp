// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Labels from C are those of C++.
#include <gtest/gtest.h>
#include <juxta.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "juxta/ranked/labels.h"

namespace juxta {
namespace {

struct LabelColumns {
  explicit LabelColumns(std::size_t size) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> even(0, 1000);
    for (std::size_t i = 0; i < size; ++i) {
      x.push_back(even(random));
      y.push_back(even(random));
      rank.push_back(static_cast<int>(even(random)));
      widths.push_back(static_cast<float>(20 + even(random) / 10));
      heights.push_back(static_cast<float>(10 + even(random) / 50));
    }
  }
  std::vector<double> x, y;
  std::vector<std::int32_t> rank;
  std::vector<float> widths, heights;
};

juxta_column column(const std::vector<double>& values) {
  return {values.data(), 0, JUXTA_DOUBLE};
}
juxta_column column(const std::vector<std::int32_t>& values) {
  return {values.data(), 0, JUXTA_INT32};
}

TEST(CRankedLabels, AreThoseOfCpp) {
  for (const std::size_t size : {0UL, 1UL, 3000UL}) {
    for (const bool own_sizes : {false, true}) {
      const LabelColumns from(size);
      juxta_ranked_labels_options options = juxta_default_ranked_labels_options();
      RankedLabelsOptions cpp_options;
      if (own_sizes) {
        options.widths = from.widths.data();
        options.heights = from.heights.data();
        options.units_per_pixel = 2;
        options.last_zoom = 4;
        cpp_options = {.widths = from.widths, .heights = from.heights, .units_per_pixel = 2, .last_zoom = 4};
      }
      juxta_ranked_labels* c = nullptr;
      juxta_error error;
      ASSERT_EQ(juxta_ranked_labels_build(column(from.x), column(from.y), column(from.rank), size,
                                          own_sizes ? &options : nullptr, nullptr, &c, &error),
                JUXTA_OK)
          << error.message;
      const RankedLabels cpp = RankedLabels::build(from.x, from.y, from.rank, cpp_options).value();
      EXPECT_EQ(juxta_ranked_labels_size(c), size);
      EXPECT_EQ(juxta_ranked_labels_shown(c), cpp.shown());
      EXPECT_EQ(juxta_ranked_labels_memory_bytes(c), cpp.memory_bytes());
      for (std::size_t i = 0; i <= size; ++i) {
        ASSERT_EQ(juxta_ranked_labels_appears_at_zoom(c, i), cpp.appears_at_zoom(i));
      }
      for (const double zoom : {0.0, 1.5, 3.0, 99.0}) {
        const juxta_rect view = {100, 200, 700, 600};
        std::vector<std::uint32_t> a(50, 7), b(50, 7);
        const juxta_query_result found = juxta_ranked_labels_top(c, &view, zoom, 50, a.data());
        const QueryResult want = cpp.top({100, 200, 700, 600}, zoom, b);
        EXPECT_EQ(found.found, want.found);
        EXPECT_EQ(found.written, want.written);
        EXPECT_EQ(a, b);
      }
      juxta_ranked_labels_free(c);
    }
  }
}

TEST(CRankedLabels, MistakesHaveAReason) {
  const LabelColumns from(3);
  juxta_ranked_labels* labels = nullptr;
  juxta_error error;
  juxta_ranked_labels_options options = juxta_default_ranked_labels_options();
  const auto build = [&] {
    return juxta_ranked_labels_build(column(from.x), column(from.y), column(from.rank), 3, &options, nullptr,
                                     &labels, &error);
  };
  options.width = 0;
  EXPECT_EQ(build(), JUXTA_INVALID_ARGUMENT);
  EXPECT_NE(std::string(error.message).find("width of all labels"), std::string::npos) << error.message;
  options = juxta_default_ranked_labels_options();
  options.cookie = 1;
  EXPECT_EQ(build(), JUXTA_INVALID_ARGUMENT);
  EXPECT_NE(std::string(error.message).find("juxta_ranked_labels_options"), std::string::npos);
  options = juxta_default_ranked_labels_options();
  EXPECT_EQ(juxta_ranked_labels_build({}, {}, {}, 3, &options, nullptr, &labels, &error),
            JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(labels, nullptr);
  juxta_ranked_labels_free(nullptr);
}

}  // namespace
}  // namespace juxta
