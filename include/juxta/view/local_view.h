// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "juxta/core/error.h"
#include "juxta/core/owned.h"
#include "juxta/view/viewed_map.h"
#include "juxta/view/viewed_world.h"

namespace juxta {

/// Takes what a LocalView says to its page. What it is handed is valid during the call.
class LocalPage {
 public:
  virtual ~LocalPage();
  virtual void on_text(std::string_view message) = 0;
  virtual void on_frame(std::span<const char> frame) = 0;
};

/// A viewer without a network: one page that runs in the same process. It takes the messages that a page
/// sends over a WebSocket, and gives the messages and frames that come back (docs/formats/view.md). For
/// WebAssembly, where a browser's worker is the server; see docs/view.md, "Without a server".
///
/// Threads: one at a time. Needs none of its own, and no exceptions.
class LocalView {
 public:
  /// The world and the page outlive it. Errors: kInvalidArgument (what the world tells of itself contradicts
  /// itself).
  [[nodiscard]] static Result<LocalView> show(ViewedWorld& world, LocalPage& page);
  /// The map and the page outlive it. Errors: kInvalidArgument (a table of another length than the index).
  [[nodiscard]] static Result<LocalView> show(const ViewedMap& map, LocalPage& page);
  LocalView(LocalView&&) noexcept;
  LocalView& operator=(LocalView&&) noexcept;
  ~LocalView();

  /// A message of the page; turn() answers it. Errors: kParse (it is no message of the protocol).
  [[nodiscard]] Result<void> hear(std::string_view message);
  /// Answers questions, steps if a step is due, and gives the page a frame if it wants one. Returns the
  /// milliseconds after which to call it again; call it at once after hear(). Where there are threads it may
  /// wait as long as that itself, up to 50 ms.
  double turn();

 private:
  struct State;
  explicit LocalView(Owned<State> state) noexcept;
  Owned<State> state_;
};

}  // namespace juxta
