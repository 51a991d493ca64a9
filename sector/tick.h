// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A sixtieth of a second of the battle: seven stages, each of which calls a few modules. tick.cpp is where to
// begin reading.
#pragma once

#include <array>
#include <string_view>

#include "juxta/core/error.h"
#include "sector/world.h"

namespace juxta::sector {

/// Safe spawn points release ships: pairs of a layer, then object queries for those still unhit.
[[nodiscard]] Result<void> spawn(World& world);
/// Ships flock with their own, flee and chase, and turn away from asteroids ahead.
[[nodiscard]] Result<void> steer(World& world);
/// Each faction asks for the most threatening enemies in rectangles of the map. steer() runs it beside
/// its own work: neither reads what the other writes.
[[nodiscard]] Result<void> scan(World& world);
/// Ships choose among them; turrets turn towards them.
[[nodiscard]] Result<void> radar(World& world);
/// Everything moves; the hierarchy follows.
[[nodiscard]] Result<void> move(World& world);
/// Bullets leave from muzzles.
[[nodiscard]] Result<void> fire(World& world);
/// Bullets meet ships and asteroids, ships meet ships and asteroids; explosions of the last tick reach ships.
[[nodiscard]] Result<void> hit(World& world);
/// Ships die, explode and leave wrecks; what is over is cleaned away. Ends the step.
[[nodiscard]] Result<void> damage(World& world);

struct Stage {
  std::string_view name;
  Result<void> (*run)(World&);
};
inline constexpr std::array<Stage, 7> kStages = {{{"spawn", spawn},
                                                  {"steer", steer},
                                                  {"radar", radar},
                                                  {"move", move},
                                                  {"fire", fire},
                                                  {"hit", hit},
                                                  {"damage", damage}}};

/// Hears when stages begin and end; a tick's time is the sum of its stages'.
class StageListener {
 public:
  virtual ~StageListener() = default;
  virtual void begin(std::size_t stage) = 0;  ///< Index into kStages.
  virtual void end(std::size_t stage) = 0;
};

/// One tick. Errors: of the stages; the world is of no use afterwards.
[[nodiscard]] Result<void> tick(World& world, StageListener* listener = nullptr);

}  // namespace juxta::sector
