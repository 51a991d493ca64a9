// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/agents/consumer/world.h"

namespace juxta::bench {

/// Null where it cannot be had: its row says so.
using MakeContender = std::function<std::unique_ptr<World>()>;

/// How a row goes: all agents are set, `warm` steps are not timed, `timed` ones are. Nobody is far from where
/// all began, so that contenders of any pace have the same work.
struct Pace {
  std::size_t warm = 2, timed = 10;
};
inline constexpr Pace kSlow{1, 1};
inline constexpr Pace kSlowest{0, 1};  ///< For those that leave nothing in order for the next step.

/// How long the parts of a step took, in seconds.
struct Phases {
  double sort = 0, see = 0, act = 0;
};

/// A World that tells them, of its last step.
class Phased {
 public:
  virtual ~Phased() = default;
  [[nodiscard]] virtual Phases phases() const = 0;
};

struct Contender {
  std::string_view name;
  MakeContender make;
  Pace pace;
};

/// juxta::Flock.
[[nodiscard]] std::unique_ptr<World> make_juxta_flock(unsigned threads = 1);
/// A program's own rules in passes of the library: of bench/agents/consumer, built against the installed
/// package. Null when that was not built; consumer_trouble() then says why.
[[nodiscard]] std::unique_ptr<World> make_passes(Model model, unsigned threads = 1);
[[nodiscard]] const std::string& consumer_trouble();

/// The stages of the published boids, one that it lacks (kOrdered), and the last one in wider registers
/// (classics/agents/boids.h, boids_published.h).
enum class Boids : std::uint8_t {
  kNaive,
  kGrid,
  kOrdered,
  kSse,
  kPublished,
  kPublishedGather,
  kPublishedMorton,
  kPublishedHilbert,
  kRows,
  kCells
};
[[nodiscard]] std::unique_ptr<World> make_boids(Boids stage);
/// A counting-sort cell list in plain C++ that visits.
[[nodiscard]] std::unique_ptr<World> make_cell_visits();
/// Headings by a counting-sort cell list in plain C++, 2D and 3D, with walls and periodic, at whichever of
/// five cell sizes is the fastest for what it is first given.
[[nodiscard]] std::unique_ptr<World> make_plain_grid();
/// nanoflann's k-d tree that visits, used as in its examples; and with all that a user could still do.
[[nodiscard]] std::unique_ptr<World> make_nanoflann_visits();
[[nodiscard]] std::unique_ptr<World> make_tuned_nanoflann_visits();

[[nodiscard]] inline Contender passes(std::string_view name, Model model, unsigned threads = 1,
                                      const Pace& pace = {}) {
  return {name, [=] { return make_passes(model, threads); }, pace};
}
[[nodiscard]] inline Contender flock(std::string_view name, unsigned threads = 1, const Pace& pace = {}) {
  return {name, [=] { return make_juxta_flock(threads); }, pace};
}
[[nodiscard]] inline Contender boids(std::string_view name, Boids stage, const Pace& pace = {}) {
  return {name, [=] { return make_boids(stage); }, pace};
}
/// All of Tay's structures (classics/agents/tay.h) that take points, or those that take boxes, with agents
/// that are copied or (_pointers) stay, and partitions as wide as published; and tay_tuned, the fastest of
/// the structures that copy at the fastest of four widths. With `simple` also tay_simple, which tests all
/// pairs.
[[nodiscard]] std::vector<Contender> tay_contenders(bool boxes, bool simple, const Pace& pace = {});
/// The structures of the third article on one thread and on two, with the interaction of the test and
/// (_heavy) one that takes about ten times as long. Partitions are a radius wide.
[[nodiscard]] std::vector<Contender> tay_thread_contenders(const Pace& pace = {});

}  // namespace juxta::bench
