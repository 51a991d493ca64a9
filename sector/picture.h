// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/files/raster.h"
#include "sector/world.h"

namespace juxta::sector {

/// The battle from above, onto an image of any size: asteroids, spawn points, wrecks, ships in their
/// factions' colours and as large as they are (a pixel at least), the guns of corvettes and cruisers where
/// they are 3 pixels long, bullets, explosions.
void draw(const World& world, Raster& image);
/// The part of it in a rectangle of the map, in metres around the middle of the world.
void draw(const World& world, Raster& image, const RectD& part);

}  // namespace juxta::sector
