// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/view/local_view.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "juxta/core/executor.h"
#include "juxta/core/try.h"
#include "view/client.h"
#include "view/map_session.h"
#include "view/world_session.h"

namespace juxta {
namespace {

using Clock = view_detail::Exchange::Clock;
constexpr auto kIdle = std::chrono::milliseconds(50);  // news of a world is not older than that

}  // namespace

struct LocalView::State {
  explicit State(LocalPage& of) : page(of) {
    exchange.on_news([this](const std::shared_ptr<const std::string>& news) { page.on_text(*news); });
  }
  State(const State&) = delete;  // the client and the news point here
  State& operator=(const State&) = delete;

  /// A frame, if it is time for one; else when to ask again.
  Clock::time_point send_frame() {
    const auto turn = client.next_frame(Clock::now(), frame);
    if (turn.ready) {
      page.on_frame(frame);
    }
    return turn.later.value_or(Clock::time_point::max());
  }

  LocalPage& page;
  view_detail::Exchange exchange;
  std::string frame;
  // After the exchange: they speak to it until they end.
  std::optional<view_detail::WorldSession> world;
  std::optional<view_detail::MapSession> map;
  view_detail::Client client{1, exchange, [this](const std::string& text) {
                               client.answered();
                               page.on_text(text);
                             }};
};

LocalPage::~LocalPage() = default;
LocalView::LocalView(Owned<State> state) noexcept : state_(std::move(state)) {}
LocalView::LocalView(LocalView&&) noexcept = default;
LocalView& LocalView::operator=(LocalView&&) noexcept = default;
LocalView::~LocalView() = default;

Result<LocalView> LocalView::show(ViewedWorld& world, LocalPage& page) {
  Owned<State> state(new State(page));
  state->world.emplace(world, state->exchange, executor_or_serial(nullptr), false);
  JUXTA_TRY(state->world->begin());
  return LocalView(std::move(state));
}

Result<LocalView> LocalView::show(const ViewedMap& map, LocalPage& page) {
  Owned<State> state(new State(page));
  state->map.emplace(map, state->exchange);
  JUXTA_TRY(state->map->begin());
  return LocalView(std::move(state));
}

Result<void> LocalView::hear(std::string_view message) {
  return state_->client.hear(message);
}

double LocalView::turn() {
  State& state = *state_;
  // Before the step, a page that has drawn its last frame says that it wants the next state.
  static_cast<void>(state.send_frame());
  if (state.world) {
    state.world->turn();
  } else {
    do {
      state.map->turn();
    } while (state.client.under_way() != 0);
  }
  auto next = state.send_frame();
  const auto now = Clock::now();
  next = std::min(next, now + kIdle);
  if (state.world) {
    next = std::min(next, state.world->due());
  }
  return std::max(std::chrono::duration<double, std::milli>(next - now).count(), 0.0);
}

}  // namespace juxta
