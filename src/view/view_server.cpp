// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/view/view_server.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "juxta/core/monitor.h"
#include "juxta/core/try.h"
#include "view/access.h"
#include "view/assets.h"
#include "view/map_session.h"
#include "view/network.h"
#include "view/sweep_session.h"
#include "view/world_session.h"

namespace juxta {

struct ViewServer::State {
  ViewServerOptions options;
  view_detail::Exchange exchange;
  std::unique_ptr<view_detail::Network> network;  // last: goes before what it uses
};

namespace {

/// Questions are taken for as long as something is shown.
class Open {
 public:
  explicit Open(view_detail::Exchange& exchange) : exchange_(exchange) { exchange.open(); }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  ~Open() { exchange_.close(); }

 private:
  view_detail::Exchange& exchange_;
};

template <class Session>
void run(Session& session, view_detail::Exchange& exchange, std::string_view title, Monitor* monitor) {
  const Open open(exchange);
  using Clock = view_detail::Exchange::Clock;
  auto asked = Clock::now();
  while (true) {
    if (const auto now = Clock::now(); now - asked >= std::chrono::milliseconds(20)) {
      asked = now;
      if (!report(monitor, title, 0, 0)) {
        return;
      }
    }
    session.turn();
  }
}

}  // namespace

ViewServer::ViewServer(Owned<State> state) noexcept : state_(std::move(state)) {}
ViewServer::ViewServer(ViewServer&&) noexcept = default;
ViewServer& ViewServer::operator=(ViewServer&&) noexcept = default;
ViewServer::~ViewServer() = default;

Result<ViewServer> ViewServer::start(const ViewServerOptions& options) {
  JUXTA_TRY(view_detail::check_token(options.token));
  Owned<State> state(new State{options, {}, {}});
  JUXTA_TRY_LET(state->network,
                view_detail::start_network(options.address, options.port, options.token, state->exchange));
  return ViewServer(std::move(state));
}

std::string ViewServer::url() const {
  const std::string& address = state_->options.address;
  const bool v6 = address.find(':') != std::string::npos;
  const std::string& token = state_->options.token;
  return "http://" + (v6 ? "[" + address + "]" : address) + ":" + std::to_string(port()) + "/" +
         (token.empty() ? "" : "?token=" + token);
}

std::uint16_t ViewServer::port() const noexcept {
  return state_->network->port();
}

bool ViewServer::has_pages() noexcept {
  return !view_detail::assets().empty();
}

Result<void> ViewServer::show(ViewedWorld& world, const Context& context) {
  view_detail::WorldSession session(world, state_->exchange, executor_or_serial(context.executor),
                                    state_->options.paused);
  JUXTA_TRY(session.begin());
  run(session, state_->exchange, "view", context.monitor);
  return {};
}

Result<void> ViewServer::show(const ViewedMap& map, const Context& context) {
  view_detail::MapSession session(map, state_->exchange);
  JUXTA_TRY(session.begin());
  run(session, state_->exchange, "view", context.monitor);
  return {};
}

Result<void> ViewServer::show(const ViewedSweep& sweep, const Context& context) {
  view_detail::SweepSession session(sweep, state_->exchange);
  JUXTA_TRY(session.begin());
  run(session, state_->exchange, "view", context.monitor);
  return {};
}

Result<void> check_sweep(const ViewedSweep& sweep) {
  const std::span<const std::string> names = sweep.table.names();
  const auto step = names.size() < 2 ? names.end() : std::find(names.begin() + 2, names.end(), "step");
  if (names.size() < 4 || names[0] != "replica" || names[1] != "seed" || step == names.end() ||
      step + 1 == names.end()) {
    return fail(
        ErrorCode::kInvalidArgument,
        "this is no table of a sweep: it has the columns replica, seed, what varies, step, and what is "
        "reported");
  }
  for (auto name = names.begin(); name <= step; ++name) {
    if (sweep.table.kind(static_cast<std::size_t>(name - names.begin())) == CellKind::kText) {
      return fail(ErrorCode::kInvalidArgument,
                  "this is no table of a sweep: not all cells of the column '" + *name + "' are numbers");
    }
  }
  return {};
}

}  // namespace juxta
