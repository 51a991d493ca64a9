// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/owned.h"
#include "juxta/view/viewed_map.h"
#include "juxta/view/viewed_sweep.h"
#include "juxta/view/viewed_world.h"

namespace juxta {

struct ViewServerOptions {
  std::string address = "127.0.0.1";  ///< An IP address; elsewhere than on this machine a token is needed.
  std::uint16_t port = 8080;          ///< 0: any that is free.
  std::string token = {};             ///< What a page must know, or empty: nothing. Letters, digits, - and _.
  bool paused = false;                ///< Worlds wait for somebody to press play.
};

/// Shows a world, a map or a sweep in browsers, and answers the same questions over HTTP with JSON
/// (docs/formats/view.md). One thread of its own speaks to the network. The engine runs on the thread that
/// calls show(), and never waits for a client.
///
/// Safe: it listens on this machine alone unless told otherwise, checks Host and Origin so that no other site
/// reaches it through your browser, serves nothing but its own pages from its own memory, and limits
/// connections, messages and memory. No question reaches the file system.
/// Cost: a state is copied when a client waits for one: 16 bytes a thing. docs/view.md has figures.
class ViewServer {
 public:
  /// Listens from now on; show() answers. Errors: kInvalidArgument (no address; a token with other letters;
  /// an address that others reach, without a token), kIo (the port is taken; no right).
  [[nodiscard]] static Result<ViewServer> start(const ViewServerOptions& options = {});
  ViewServer(ViewServer&&) noexcept;
  ViewServer& operator=(ViewServer&&) noexcept;
  /// Closes all connections.
  ~ViewServer();

  /// "http://127.0.0.1:8080/", with the token when there is one.
  [[nodiscard]] std::string url() const;
  [[nodiscard]] std::uint16_t port() const noexcept;
  /// False: this library was built without the pages (no npm), and answers questions alone.
  [[nodiscard]] static bool has_pages() noexcept;

  /// Runs a world at the speed that the page asks for, shows it and answers, until the monitor says stop,
  /// which is asked ten times a second and between two steps. The executor serves to copy states. Errors:
  /// kInvalidArgument (what the world tells of itself contradicts itself).
  [[nodiscard]] Result<void> show(ViewedWorld& world, const Context& context = {});
  /// Shows ranked points and answers, until the monitor says stop. Errors: kInvalidArgument (a table of
  /// another length than the index).
  [[nodiscard]] Result<void> show(const ViewedMap& map, const Context& context = {});
  /// Shows the curves of a sweep, until the monitor says stop. Errors: kInvalidArgument (columns other than
  /// those of a sweep).
  [[nodiscard]] Result<void> show(const ViewedSweep& sweep, const Context& context = {});

 private:
  struct State;
  explicit ViewServer(Owned<State> state) noexcept;
  Owned<State> state_;
};

}  // namespace juxta
