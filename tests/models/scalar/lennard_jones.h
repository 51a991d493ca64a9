// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Lennard-Jones atoms as codes of molecular dynamics do it: doubles, a list of neighbours within cutoff and
// skin that holds each pair once, made anew through cells when an atom moved by half the skin; images of
// atoms near an edge as atoms of their own, so that no pair asks for the nearest one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace juxta::scalar {

using Vector = std::array<double, 3>;

struct LennardJonesRules {
  double half = 0;  // the world is [-half, half) each way
  double cutoff = 2.5, skin = 0.3, dt = 0.005;
};

struct LennardJonesWorld {
  LennardJonesRules rules;
  std::vector<Vector> place, velocity;  // of the images, places only: behind the atoms'
  std::vector<Vector> force;            // of the images too, before they are handed to the atoms
  double potential = 0, virial = 0;     // of all pairs, as of the last find_forces(.., true)
  std::size_t pairs = 0;                // that were near then

  struct Image {
    std::uint32_t atom;
    Vector shift;
  };
  std::vector<Image> images;
  std::vector<std::uint32_t> begins, list;  // of atom i: list[begins[i]] to list[begins[i + 1]]
  std::vector<Vector> listed;               // where atoms stood when the list was made
  std::size_t lists = 0;                    // so many were made
  std::vector<std::uint32_t> heads, nexts;  // cells

  [[nodiscard]] std::size_t atoms() const { return velocity.size(); }
};

/// Forces are found. As many places as velocities.
[[nodiscard]] LennardJonesWorld make_lennard_jones(const LennardJonesRules& rules, std::vector<Vector> places,
                                                   std::vector<Vector> velocities);
void find_forces(LennardJonesWorld& world, bool measured);
void step_lennard_jones(LennardJonesWorld& world, bool measured);

[[nodiscard]] double kinetic_energy(const LennardJonesWorld& world);

}  // namespace juxta::scalar
