// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Serves a world of one thing until it has taken three steps.
#include <juxta/core/monitor.h>
#include <juxta/view/view_server.h>

#include <array>
#include <cstdio>

namespace {

class One final : public juxta::ViewedWorld {
 public:
  juxta::ViewInfo info() const override {
    juxta::ViewInfo info;
    info.title = "one";
    info.hi = {1, 1, 0};
    info.steps_per_second = 0;
    info.groups = {{.name = "things"}};
    return info;
  }
  juxta::ViewThings things(std::size_t) const override {
    juxta::ViewThings things;
    things.x = x_;
    things.y = x_;
    return things;
  }
  std::uint64_t steps() const override { return steps_; }
  juxta::Result<void> step() override {
    ++steps_;
    return {};
  }

 private:
  std::array<float, 1> x_{0.5F};
  std::uint64_t steps_ = 0;
};

class UntilThree final : public juxta::Monitor {
 public:
  explicit UntilThree(const One& world) : world_(world) {}
  bool on_progress(std::string_view, std::uint64_t, std::uint64_t) override { return world_.steps() < 3; }

 private:
  const One& world_;
};

}  // namespace

int main() {
  One world;
  UntilThree monitor(world);
  auto server = juxta::ViewServer::start({.port = 0});
  const bool good =
      server && server->port() != 0 && server->show(world, {.monitor = &monitor}) && world.steps() >= 3;
  std::puts(good ? "shown" : "not shown");
  return good ? 0 : 1;
}
