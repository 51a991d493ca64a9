// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A world of your own in a browser: sparks that fall and bounce. Prints the address, and ends with Ctrl-C.
//
//   view_own_world            http://127.0.0.1:8080/
//   view_own_world --ask      asks itself for ten steps and ends: what its test does
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include "juxta/core/context.h"
#include "juxta/core/monitor.h"
#include "juxta/core/random.h"
#include "juxta/view/view_server.h"

namespace {

class Sparks final : public juxta::ViewedWorld {
 public:
  explicit Sparks(std::uint32_t count) : x_(count), y_(count), vx_(count), vy_(count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      x_[i] = 0.5F;
      y_[i] = 0.8F;
      vx_[i] = static_cast<float>(juxta::random_double({1, 0, 0}, i)) - 0.5F;
      vy_[i] = static_cast<float>(juxta::random_double({1, 0, 1}, i)) - 0.2F;
    }
  }

  juxta::ViewInfo info() const override {
    juxta::ViewInfo info;
    info.title = "sparks";
    info.hi = {1, 1, 0};
    info.groups = {{.name = "sparks", .columns = {"speed down"}, .colour = "speed down"}};
    info.parameters = {{{"gravity", gravity_, 0, 5, false, "how fast they fall"}, true}};
    return info;
  }
  juxta::ViewThings things(std::size_t) const override {
    juxta::ViewThings things;
    things.x = x_;
    things.y = y_;
    things.columns = {std::span<const float>(vy_)};
    return things;
  }
  std::uint64_t steps() const override { return steps_; }

  juxta::Result<void> step() override {
    constexpr float kStep = 1.0F / 60;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      vy_[i] -= static_cast<float>(gravity_) * kStep;
      bounce(x_[i], vx_[i], kStep);
      bounce(y_[i], vy_[i], kStep);
    }
    ++steps_;
    return {};
  }
  juxta::Result<void> set(std::string_view name, double value) override {
    if (name != "gravity" || !(value >= 0 && value <= 5)) {
      return juxta::fail(juxta::ErrorCode::kInvalidArgument, "give gravity, from 0 to 5");
    }
    gravity_ = value;
    return {};
  }

 private:
  static void bounce(float& at, float& speed, float time) {
    at += speed * time;
    if (at < 0 || at > 1) {
      at = at < 0 ? -at : 2 - at;
      speed *= -0.9F;
    }
  }

  std::vector<float> x_, y_, vx_, vy_;
  double gravity_ = 1;
  std::uint64_t steps_ = 0;
};

/// Stops the show after ten steps, if it should.
class TenSteps final : public juxta::Monitor {
 public:
  TenSteps(const Sparks& sparks, bool stop) : sparks_(sparks), stop_(stop) {}
  bool on_progress(std::string_view, std::uint64_t, std::uint64_t) override {
    return !stop_ || sparks_.steps() < 10;
  }

 private:
  const Sparks& sparks_;
  bool stop_;
};

}  // namespace

int main(int argc, char** argv) {
  const bool ask = argc > 1 && std::string_view(argv[1]) == "--ask";
  Sparks sparks(2000);
  auto server = juxta::ViewServer::start({.port = static_cast<std::uint16_t>(ask ? 0 : 8080)});
  if (!server) {
    std::fprintf(stderr, "%s\n", server.error().message.c_str());
    return 1;
  }
  std::printf("%s\n", server->url().c_str());
  std::fflush(stdout);
  TenSteps monitor(sparks, ask);
  const auto shown = server->show(sparks, {.monitor = &monitor});
  return shown && (!ask || sparks.steps() >= 10) ? 0 : 1;
}
