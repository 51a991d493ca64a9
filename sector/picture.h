// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/files/raster.h"
#include "sector/world.h"

namespace juxta::sector {

/// The battle from above, onto an image of any size: asteroids, spawn points, wrecks, ships in their
/// factions' colours and as large as they are (a pixel at least), bullets, explosions.
void draw(const World& world, Raster& image);

}  // namespace juxta::sector
