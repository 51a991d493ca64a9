// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A viewer without a network: what its page hears, for what it says.
#include "juxta/view/local_view.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/ranked/ranked_points.h"

namespace juxta {
namespace {

class Heard final : public LocalPage {
 public:
  void on_text(std::string_view message) override {
    if (message.find("\"event\"") == std::string_view::npos) {
      texts.emplace_back(message);
    }
  }
  void on_frame(std::span<const char> frame) override { frames.emplace_back(frame.begin(), frame.end()); }

  std::vector<std::string> texts, frames;
};

/// Three dots that move to the right.
class Dots final : public ViewedWorld {
 public:
  ViewInfo info() const override {
    ViewInfo info;
    info.title = "dots";
    info.hi = {10, 10, 0};
    info.steps_per_second = 0;
    info.groups = {{.name = "dots", .colour = wrong_colour ? "nothing" : ""}};
    info.overlays = {{"first", ViewOverlay::Kind::kBoxes, "a box", true}};
    return info;
  }
  ViewThings things(std::size_t /*group*/) const override {
    ViewThings things;
    things.x = x_;
    things.y = y_;
    return things;
  }
  std::uint64_t steps() const override { return steps_; }
  Result<void> step() override {
    for (float& x : x_) {
      x += 0.5F;
    }
    ++steps_;
    return {};
  }

  bool wrong_colour = false;

 private:
  std::vector<float> x_ = {1, 2, 3}, y_ = {4, 5, 6};
  std::uint64_t steps_ = 0;
};

template <class T>
T number_at(const std::string& frame, std::size_t byte) {
  T value;
  std::memcpy(&value, frame.data() + byte, sizeof value);
  return value;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// Turns until there are so many frames, or the time is over.
void run(LocalView& view, const Heard& page, std::size_t frames, std::chrono::milliseconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (page.frames.size() < frames && std::chrono::steady_clock::now() < end) {
    view.turn();
  }
}

TEST(LocalView, AnswersInOrderAndKeepsIds) {
  Dots world;
  Heard page;
  auto view = LocalView::show(world, page);
  ASSERT_TRUE(view) << view.error().message;
  ASSERT_TRUE(view->hear(R"({"id": 7, "ask": "info"})"));
  ASSERT_TRUE(view->hear(R"({"id": 8, "ask": "nothing"})"));
  ASSERT_TRUE(view->hear(R"({"id": 9, "ask": "pause"})"));
  for (int turns = 0; page.texts.size() < 3 && turns < 50; ++turns) {
    EXPECT_GE(view->turn(), 0);
  }
  ASSERT_EQ(page.texts.size(), 3U);
  EXPECT_TRUE(has(page.texts[0], "\"id\":7") && has(page.texts[0], "\"title\":\"dots\"")) << page.texts[0];
  EXPECT_TRUE(has(page.texts[0], "\"on\":true")) << page.texts[0];
  EXPECT_TRUE(has(page.texts[1], "\"id\":8") && has(page.texts[1], "there is no question")) << page.texts[1];
  EXPECT_TRUE(has(page.texts[2], "\"id\":9") && has(page.texts[2], "\"playing\":false")) << page.texts[2];
}

TEST(LocalView, SendsTwoFramesAndWaitsForThePage) {
  Dots world;
  Heard page;
  auto view = LocalView::show(world, page);
  ASSERT_TRUE(view);
  view->turn();
  EXPECT_TRUE(page.frames.empty()) << "nobody watches yet";
  ASSERT_TRUE(view->hear(R"({"watch": {"rate": 60}})"));
  run(*view, page, 2, std::chrono::seconds(20));
  run(*view, page, 3, std::chrono::milliseconds(100));
  ASSERT_EQ(page.frames.size(), 2U) << "two are under way, no more";
  EXPECT_EQ(page.frames[0].substr(0, 4), "JXF1");
  EXPECT_EQ(number_at<std::uint32_t>(page.frames[0], 4), 1U);
  EXPECT_EQ(number_at<std::uint32_t>(page.frames[0], 24 + 8), 3U) << "things";
  EXPECT_LT(number_at<std::uint64_t>(page.frames[0], 8), number_at<std::uint64_t>(page.frames[1], 8));
  ASSERT_TRUE(view->hear(R"({"got": 1})"));
  run(*view, page, 3, std::chrono::seconds(20));
  EXPECT_EQ(page.frames.size(), 3U);
}

TEST(LocalView, RefusesWhatIsNoMessage) {
  Dots world;
  Heard page;
  auto view = LocalView::show(world, page);
  ASSERT_TRUE(view);
  for (const char* wrong : {"[]", "{", R"({"id": "x", "ask": "info"})", R"({"watch": 1})", R"({"say": 1})"}) {
    const auto heard = view->hear(wrong);
    ASSERT_FALSE(heard) << wrong;
    EXPECT_EQ(heard.error().code, ErrorCode::kParse) << wrong;
  }
  EXPECT_TRUE(page.texts.empty());
}

TEST(LocalView, RefusesAWorldThatContradictsItself) {
  Dots world;
  world.wrong_colour = true;
  Heard page;
  const auto view = LocalView::show(world, page);
  ASSERT_FALSE(view);
  EXPECT_EQ(view.error().code, ErrorCode::kInvalidArgument);
}

TEST(LocalView, MayBeMovedAndEndWithQuestionsLeft) {
  Dots world;
  Heard page;
  {
    auto first = LocalView::show(world, page);
    ASSERT_TRUE(first);
    ASSERT_TRUE(first->hear(R"({"id": 1, "ask": "step", "steps": 100000})"));
    LocalView view = *std::move(first);
    view.turn();
    ASSERT_TRUE(view.hear(R"({"id": 2, "ask": "speed", "steps_per_second": 3})"));
    view.turn();
  }
  SUCCEED();  // under a sanitizer: nothing is told to who is gone
}

TEST(LocalView, ShowsAMap) {
  const std::vector<double> x = {0, 1, 2, 3}, y = {0, 0, 1, 1};
  const std::vector<double> ranks = {3, 1, 2, 0};
  auto index = RankedPoints::build(x, y, ranks);
  ASSERT_TRUE(index);
  ViewedMap map{"four", *index, {}};
  Heard page;
  EXPECT_FALSE(LocalView::show(map, page)) << "without coordinates";
  map.table.x = x;
  map.table.y = y;
  map.table.rank = ranks;
  auto view = LocalView::show(map, page);
  ASSERT_TRUE(view) << view.error().message;
  ASSERT_TRUE(view->hear(R"({"id": 1, "ask": "top", "rect": [0.5, 0, 2.5, 1], "k": 1})"));
  view->turn();
  ASSERT_EQ(page.texts.size(), 1U);
  EXPECT_TRUE(has(page.texts[0], "\"count\":2") && has(page.texts[0], "\"i\":1")) << page.texts[0];
}

}  // namespace
}  // namespace juxta
