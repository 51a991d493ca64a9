// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Errors, contexts, executors, monitors and threads of the C interface.
#include <gtest/gtest.h>
#include <juxta.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "c/call.h"
#include "c/last_page.h"
#include "c/some_threads.h"
#include "juxta/core/executor.h"

namespace juxta {
namespace {

std::vector<float> boxes(std::size_t count) {
  std::vector<float> all;
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = static_cast<float>(i % 100), y = static_cast<float>(i / 100);
    all.insert(all.end(), {x, y, x + 1, y + 1});
  }
  return all;
}

juxta_layer* build(const std::vector<float>& all, const juxta_context* context, juxta_error* error) {
  juxta_layer* layer = nullptr;
  EXPECT_EQ(juxta_layer_build(2, all.data(), 0, all.size() / 4, nullptr, context, &layer, error), JUXTA_OK);
  return layer;
}

TEST(CCore, HasTheVersionOfItsHeaders) {
  EXPECT_EQ(juxta_version(), JUXTA_C_VERSION);
}

TEST(CCore, AnErrorHasACodeAPlaceAndASentence) {
  std::vector<float> all = boxes(10);
  all[4 * 7] = std::numeric_limits<float>::quiet_NaN();
  juxta_layer* layer = nullptr;
  juxta_error error;
  EXPECT_EQ(juxta_layer_build(2, all.data(), 0, 10, nullptr, nullptr, &layer, &error), JUXTA_NOT_FINITE);
  EXPECT_EQ(error.code, JUXTA_NOT_FINITE);
  EXPECT_EQ(error.index, 7U);
  EXPECT_EQ(error.line, JUXTA_NOWHERE);
  EXPECT_NE(std::string(error.message), "");
  EXPECT_EQ(layer, nullptr);
  EXPECT_EQ(juxta_layer_build(2, all.data(), 0, 10, nullptr, nullptr, &layer, nullptr), JUXTA_NOT_FINITE);
  EXPECT_EQ(juxta_layer_build(4, all.data(), 0, 5, nullptr, nullptr, &layer, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_layer_build(2, nullptr, 0, 5, nullptr, nullptr, &layer, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_layer_build(2, all.data(), 12, 5, nullptr, nullptr, &layer, &error),
            JUXTA_INVALID_ARGUMENT);
  EXPECT_NE(std::string(error.message).find("stride"), std::string::npos);
}

TEST(CCore, ALongSentenceIsCutBetweenCharacters) {
  std::string text;
  while (text.size() < 1000) {
    text += "\xc3\xa9";  // two bytes each
  }
  for (const std::string& shift : {std::string(), std::string("x")}) {
    juxta_error error;
    EXPECT_EQ(c_detail::report({ErrorCode::kIo, shift + text}, &error), JUXTA_IO);
    const std::string said = error.message;
    EXPECT_GE(said.size(), sizeof(error.message) - 2);
    EXPECT_EQ(said, (shift + text).substr(0, said.size()));
    EXPECT_EQ((said.size() - shift.size()) % 2, 0U);
  }
}

TEST(CCore, NoMemoryIsAnErrorAndNoException) {
  juxta_error error;
  EXPECT_EQ(c_detail::guarded(&error, []() -> Result<void> { throw std::bad_alloc(); }), JUXTA_OUT_OF_MEMORY);
  EXPECT_EQ(error.code, JUXTA_OUT_OF_MEMORY);
}

TEST(CCore, AStructThatNobodyFilledIsRefused) {
  const std::vector<float> all = boxes(10);
  juxta_layer* layer = nullptr;
  juxta_error error;
  juxta_context context;
  std::memset(&context, 0xCD, sizeof(context));
  EXPECT_EQ(juxta_layer_build(2, all.data(), 0, 10, nullptr, &context, &layer, &error),
            JUXTA_INVALID_ARGUMENT);
  EXPECT_NE(std::string(error.message).find("juxta_context"), std::string::npos);
  juxta_layer_options options = {};
  EXPECT_EQ(juxta_layer_build(2, all.data(), 0, 10, &options, nullptr, &layer, &error),
            JUXTA_INVALID_ARGUMENT);
  EXPECT_NE(std::string(error.message).find("juxta_layer_options"), std::string::npos);
  context = juxta_default_context();
  const juxta_executor nothing = {nullptr, nullptr};
  context.executor = &nothing;
  EXPECT_EQ(juxta_layer_build(2, all.data(), 0, 10, nullptr, &context, &layer, &error),
            JUXTA_INVALID_ARGUMENT);

  layer = build(all, nullptr, &error);
  juxta_query_options query = juxta_default_query_options();
  const float everything[4] = {-1000, -1000, 1000, 1000};
  EXPECT_EQ(juxta_layer_count(layer, everything, &query), 10U);
  query.cookie = 0;
  EXPECT_EQ(juxta_layer_count(layer, everything, &query), 0U);
  juxta_layer_free(layer);
  juxta_layer_free(nullptr);
}

struct Backwards {
  std::size_t calls = 0, ranges = 0;
};

void run_backwards(void* user, size_t count, size_t grain, juxta_body body, void* body_user) {
  auto* const seen = static_cast<Backwards*>(user);
  ++seen->calls;
  EXPECT_GE(grain, 1U);
  for (std::size_t i = (count + grain - 1) / grain; i-- > 0;) {
    body(body_user, i * grain, std::min(count, (i + 1) * grain));
    ++seen->ranges;
  }
}

std::vector<juxta_pair> pairs_of(const juxta_layer* layer, const juxta_context* context) {
  juxta_query_result result;
  std::vector<juxta_pair> pairs(200'000);
  EXPECT_EQ(
      juxta_layer_find_pairs(layer, nullptr, pairs.data(), pairs.size(), nullptr, context, &result, nullptr),
      JUXTA_OK);
  pairs.resize(result.written);
  EXPECT_EQ(result.found, result.written);
  return pairs;
}

bool same(const std::vector<juxta_pair>& a, const std::vector<juxta_pair>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](juxta_pair p, juxta_pair q) { return p.a == q.a && p.b == q.b; });
}

TEST(CCore, YourJobSystemRunsTheWorkAndChangesNothing) {
  const std::vector<float> all = boxes(30'000);
  juxta_layer* const alone = build(all, nullptr, nullptr);
  const std::vector<juxta_pair> wanted = pairs_of(alone, nullptr);
  EXPECT_GT(wanted.size(), 30'000U);
  juxta_layer_free(alone);

  Backwards seen;
  const juxta_executor mine = {&seen, run_backwards};
  juxta_context context = juxta_default_context();
  context.executor = &mine;
  context.workspace = juxta_workspace_build();
  juxta_layer* const layer = build(all, &context, nullptr);
  EXPECT_TRUE(same(pairs_of(layer, &context), wanted));
  EXPECT_GT(seen.calls, 0U);
  EXPECT_GT(seen.ranges, seen.calls);
  EXPECT_GT(juxta_workspace_memory_bytes(context.workspace), 0U);

  const test::SomeThreads threads(3);
  if (threads.of_library() != nullptr) {
    EXPECT_EQ(juxta_threads_count(threads.of_library()), 3U);
  }
  context.executor = threads.executor();
  EXPECT_TRUE(same(pairs_of(layer, &context), wanted));
  // As a program that has only this executor and loops of its own would use it.
  std::vector<int> marks(1000);
  context.executor->parallel_for(
      context.executor->user, marks.size(), 7,
      [](void* user, size_t first, size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          ++static_cast<int*>(user)[i];
        }
      },
      marks.data());
  EXPECT_EQ(std::count(marks.begin(), marks.end(), 1), 1000);
  juxta_workspace_free(context.workspace);
  juxta_layer_free(layer);
}

TEST(CCore, TooManyThreadsAreRefused) {
  juxta_threads* threads = nullptr;
  juxta_error error;
  EXPECT_EQ(juxta_threads_build(1'000'000, &threads, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(threads, nullptr);
  juxta_threads_free(nullptr);
  juxta_workspace_free(nullptr);
}

TEST(CCore, AMonitorSeesStagesAndCancels) {
  const std::vector<float> all = boxes(1'000'000);
  struct Seen {
    int calls = 0, stop_at = 0;
    std::string stage;
  } seen;
  const juxta_monitor monitor = {&seen, [](void* user, const char* stage, uint64_t, uint64_t) {
                                   auto* const to = static_cast<Seen*>(user);
                                   to->stage = stage;
                                   return ++to->calls != to->stop_at;
                                 }};
  juxta_context context = juxta_default_context();
  context.monitor = &monitor;
  juxta_layer* layer = build(all, &context, nullptr);
  EXPECT_GT(seen.calls, 0);
  EXPECT_NE(seen.stage, "");
  juxta_layer_free(layer);
  layer = nullptr;
  seen = {0, 1, ""};
  juxta_error error;
  EXPECT_EQ(juxta_layer_build(2, all.data(), 0, all.size() / 4, nullptr, &context, &layer, &error),
            JUXTA_CANCELLED);
  EXPECT_EQ(layer, nullptr);
}

}  // namespace
}  // namespace juxta
