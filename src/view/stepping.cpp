// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Questions that take long: `step` with many steps. Each turn takes as many as fit into its time. Meanwhile
// whoever only looks is answered; the one who asked gets its answers in order, and those who want to change
// the world come after it.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "view/arguments.h"
#include "view/world_session.h"

namespace juxta::view_detail {
namespace {

constexpr std::size_t kMostSteps = 100'000;  // that one question may ask for
/// They leave the world as it is, but for `pause`, which ends the steps.
constexpr std::array<std::string_view, 11> kAtOnce = {"info",    "status", "history",  "hash",
                                                      "pick",    "select", "selected", "entity",
                                                      "overlay", "shapes", "pause"};

bool left(const Question& question) {
  return question.gone != nullptr && question.gone->load(std::memory_order_relaxed);
}

}  // namespace

WorldSession::~WorldSession() {
  if (stepping_) {
    waiting_.push_front(std::move(stepping_->question));
  }
  for (Question& question : waiting_) {
    if (!left(question)) {
      question.answer(fail(ErrorCode::kCancelled, "the show is over"));
    }
  }
}

bool WorldSession::waits(const Question& question) const {
  const bool behind =
      question.from == stepping_->question.from ||
      std::ranges::any_of(waiting_, [&](const Question& q) { return q.from == question.from; });
  return behind || std::ranges::find(kAtOnce, std::string_view(question.name)) == kAtOnce.end();
}

void WorldSession::hear(Question question) {
  if (stepping_ && waits(question)) {
    waiting_.push_back(std::move(question));
    return;
  }
  if (question.name == "step") {
    begin_stepping(std::move(question));
    return;
  }
  if (stepping_ && question.name == "pause") {
    stepping_->left = 0;
  }
  question.answer(answer(question));
}

void WorldSession::begin_stepping(Question question) {
  const auto steps = count_of(question.body, "steps", 1, kMostSteps);
  if (!steps) {
    question.answer(tl::unexpected<Error>(steps.error()));
    return;
  }
  playing_ = false;
  stepping_ = Stepping{std::move(question), *steps};
}

/// One step at least; then whoever waited for the last, until one of those asks for more than there is time
/// for.
void WorldSession::go_on_stepping() {
  bool first = true;
  while (stepping_) {
    const auto more = [&] { return stepping_->left != 0 && ended_.empty() && !at_end(); };
    for (; more() && (first || Clock::now() < steps_end_); first = false) {
      take_step();
      --stepping_->left;
    }
    if (more() && !left(stepping_->question)) {
      return;
    }
    const Question question = std::move(stepping_->question);
    stepping_.reset();
    if (!left(question)) {
      question.answer(ended_.empty() ? Answer(status()) : Answer(fail(ErrorCode::kInvalidArgument, ended_)));
    }
    while (!stepping_ && !waiting_.empty()) {
      Question next = std::move(waiting_.front());
      waiting_.pop_front();
      if (!left(next)) {
        hear(std::move(next));
      }
    }
  }
}

}  // namespace juxta::view_detail
