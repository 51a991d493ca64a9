// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The parts of 'juxta flock': how a flock is measured, told, listed and drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "juxta/agents/flock.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/monitor.h"

namespace CLI {
class App;
}  // namespace CLI

namespace juxta {
class Ranks;
}  // namespace juxta

namespace juxta::tool {

/// As that of commands.h, over ranks unless there are none.
void add_flock(CLI::App& app, std::function<int()>& run, Ranks* ranks);

/// A world in which a boid has 24 neighbours at the start, as 20,000 have in the published one; never smaller
/// than the walls' reach allows.
[[nodiscard]] float default_half_size(std::size_t agents, bool solid);

/// What many boids are together; docs/formats/flock_order.md has the formulas and their sources.
struct FlockOrder {
  std::uint64_t step = 0;
  double seconds = 0;             ///< Of the flock's own time.
  double polarisation = 0;        ///< 0: they fly everywhere; 1: all the same way.
  double local_polarisation = 0;  ///< The same among neighbours, averaged over the boids.
  double neighbours = 0;          ///< Within the radius of sight, on average.
  double speed_mean = 0, speed_deviation = 0;
  /// About the centre of mass, which a periodic world has not got.
  std::optional<double> milling, spread;
};

/// Measures a flock again and again, and keeps what it needs for that.
class FlockMeter {
 public:
  [[nodiscard]] static Result<FlockMeter> make(const Flock& flock);
  FlockMeter(FlockMeter&&) noexcept;
  FlockMeter& operator=(FlockMeter&&) = delete;
  ~FlockMeter();

  /// Errors: of the passes that it makes.
  [[nodiscard]] Result<FlockOrder> measure(const Flock& flock, const Executor* executor);

 private:
  struct Company;  // the same boids as a population that sees itself
  explicit FlockMeter(std::unique_ptr<Company> company) noexcept;
  std::unique_ptr<Company> company_;
};

/// The rows of the boids, by their number.
[[nodiscard]] std::vector<std::uint32_t> rows_by_number(const Flock& flock);

/// FNV-1a (64 bits) over number, position and velocity of every boid in the order of numbers, each as four
/// bytes, the lowest first.
[[nodiscard]] std::uint64_t state_hash(const Flock& flock);

/// How a flight went.
struct FlockReport {
  const Flock* flock = nullptr;
  std::uint64_t seed = 0;
  unsigned threads = 1;           ///< Of each rank.
  unsigned ranks = 0;             ///< 0: one machine.
  std::vector<FlockOrder> order;  ///< At the start, between, and at the end.
  double seconds = 0;             ///< Of all steps ...
  double late_seconds = 0;        ///< ... and of the last `late_steps` of them, a tenth.
  double all_seconds = 0;         ///< Of all steps, with the measurements of order between them.
  std::uint64_t late_steps = 0;
  std::uint64_t hash = 0;
  std::vector<std::string> files;  ///< Written.
};

/// Boids of this density that would make 60 steps a second, if each took as long as in the last steps; 0 when
/// there was no step.
[[nodiscard]] double boids_at_60(const FlockReport& report);

/// Lines for a person.
[[nodiscard]] std::string format_report(const FlockReport& report);
/// The same as one JSON object.
[[nodiscard]] std::string json_report(const FlockReport& report);
/// The order as a table, one row for each step that was measured. Errors: kIo.
[[nodiscard]] Result<void> write_order(const FlockReport& report, const std::string& path);
/// number, position and velocity; "-" is the standard output. Errors: kIo, kCancelled.
[[nodiscard]] Result<void> write_boids(const Flock& flock, const std::string& path, Monitor& monitor);

/// Up to 20,000 boids as darts; in 3D from a corner above.
[[nodiscard]] std::string draw_flock(const FlockReport& report);

}  // namespace juxta::tool
