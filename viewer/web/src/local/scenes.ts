// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the page without a server can show, and what it says of it.

export interface Scene {
  /** As viewer/wasm/page.cpp and the address have it. */
  name: string;
  tab: string;
  about: string;
}

export const kScenes: readonly Scene[] = [
  {
    name: "map",
    tab: "Map",
    about:
      "200,000 invented cities, made from a seed. You see the most important ones whose names do not overlap, and " +
      "how many there are where. Drag, zoom, search, or drag a rectangle with Shift: each picture is a few queries of " +
      "an index of ranked points.",
  },
  {
    name: "flock",
    tab: "Flock",
    about:
      "10,000 boids that fly with those they see. Each step finds all neighbours of all boids. Move a slider and " +
      "they turn. The same seed makes the same flight, to the bit, as on the command line: compare the state hash.",
  },
  {
    name: "boxes",
    tab: "Boxes",
    about:
      "2,000 moving boxes in clusters. In each step the layer follows them and finds all pairs that overlap, which " +
      "are the lines between their middles.",
  },
  {
    name: "rays",
    tab: "Rays",
    about:
      "A scanner flies around a rock of 10,000 triangles, and casts a square of rays at it in each step. The dots " +
      "are where they met it, coloured by distance.",
  },
];

/** The scene that an address asks for; else the first. */
export function sceneOf(search: string): Scene {
  const wanted = new URLSearchParams(search).get("scene");
  return kScenes.find(({ name }) => name === wanted) ?? kScenes[0]!;
}
