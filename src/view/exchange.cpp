// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/exchange.h"

#include <algorithm>
#include <map>
#include <utility>

namespace juxta::view_detail {

bool Exchange::ask(Question& question) {
  const core_detail::Lock lock(mutex_);
  if (!open_ || waiting_ >= kMostWaiting) {
    return false;
  }
  questions_[question.from].push_back(std::move(question));
  ++waiting_;
  something_.notify_one();
  return true;
}

void Exchange::want_colours(std::uint64_t client, std::vector<std::optional<std::string>> columns) {
  const core_detail::Lock lock(mutex_);
  auto& of_client = colours_[client];
  if (of_client != columns) {
    of_client = std::move(columns);
    ++colour_changes_;
    wanted_ = true;
    something_.notify_one();
  }
}

void Exchange::leave(std::uint64_t client) {
  const core_detail::Lock lock(mutex_);
  colour_changes_ += colours_.erase(client);
}

void Exchange::want_state() {
  const core_detail::Lock lock(mutex_);
  wanted_ = true;
  something_.notify_one();
}

std::shared_ptr<const Snapshot> Exchange::state() const {
  const core_detail::Lock lock(mutex_);
  return state_;
}

std::shared_ptr<const ViewInfo> Exchange::info() const {
  const core_detail::Lock lock(mutex_);
  return info_;
}

std::optional<Question> Exchange::next(Clock::time_point until) {
  core_detail::Lock lock(mutex_);
  something_.wait_until(lock, until, [&] { return waiting_ != 0 || wanted_; });
  while (waiting_ != 0) {
    auto turn = questions_.upper_bound(served_);
    turn = turn == questions_.end() ? questions_.begin() : turn;
    served_ = turn->first;
    Question first = std::move(turn->second.front());
    turn->second.pop_front();
    --waiting_;
    if (turn->second.empty()) {
      questions_.erase(turn);
    }
    if (!first.gone || !first.gone->load(std::memory_order_relaxed)) {
      return first;
    }
  }
  return {};
}

bool Exchange::state_wanted() const {
  const core_detail::Lock lock(mutex_);
  return wanted_;
}

void Exchange::show(std::shared_ptr<const ViewInfo> info) {
  const core_detail::Lock lock(mutex_);
  info_ = std::move(info);
  state_.reset();  // its groups may be others
}

Colours Exchange::colours() const {
  const core_detail::Lock lock(mutex_);
  Colours all;
  for (const ViewGroup& group : info_ ? info_->groups : std::vector<ViewGroup>{}) {
    all.emplace_back(group.columns.size(), false);
    const std::size_t g = all.size() - 1;
    for (const auto& [client, columns] : colours_) {
      const auto& wanted = g < columns.size() ? columns[g] : std::nullopt;
      const auto found = wanted ? std::ranges::find(group.columns, *wanted) : group.columns.end();
      if (found != group.columns.end()) {
        all[g][static_cast<std::size_t>(found - group.columns.begin())] = true;
      }
    }
  }
  return all;
}

std::uint64_t Exchange::colour_changes() const {
  const core_detail::Lock lock(mutex_);
  return colour_changes_;
}

void Exchange::publish(std::shared_ptr<Snapshot> state) {
  {
    const core_detail::Lock lock(mutex_);
    state->number = ++published_;
    state_ = std::move(state);
    wanted_ = false;
  }
  if (on_state_) {
    on_state_();
  }
}

void Exchange::tell(std::string news) {
  if (on_news_) {
    on_news_(std::make_shared<const std::string>(std::move(news)));
  }
}

void Exchange::open() {
  const core_detail::Lock lock(mutex_);
  open_ = true;
}

void Exchange::close() {
  std::map<std::uint64_t, std::deque<Question>> left;
  {
    const core_detail::Lock lock(mutex_);
    open_ = false;
    left.swap(questions_);
    waiting_ = 0;
  }
  for (auto& [from, questions] : left) {
    for (Question& question : questions) {
      question.answer(fail(ErrorCode::kCancelled, "nothing is shown any more"));
    }
  }
}

}  // namespace juxta::view_detail
