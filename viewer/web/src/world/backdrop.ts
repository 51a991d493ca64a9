// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What is around the things: a gradient, stars, the box of the world and a grid.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  GLSL3,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  Points,
  PointsMaterial,
  RawShaderMaterial,
} from "three";
import type { Triple, WorldInfo } from "../protocol";
import { niceStep } from "../ui/steps";
import { theme } from "../ui/theme";
import { kBackdropFragment, kBackdropVertex } from "./shaders";

const kColours = {
  dark: { middle: "#0d1526", edge: "#04070d", box: "#5b7fb4", grid: "#3d5c8c" },
  light: { middle: "#fbfcfe", edge: "#e3e9f1", box: "#5d7596", grid: "#8ca3c2" },
};

function lines(points: number[]): LineSegments<BufferGeometry, LineBasicMaterial> {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  const object = new LineSegments(geometry, new LineBasicMaterial({ transparent: true, depthWrite: false }));
  object.renderOrder = -1;
  object.frustumCulled = false;
  return object;
}

function boxLines(lo: Triple, hi: Triple): number[] {
  const points: number[] = [];
  for (let corner = 0; corner < 8; ++corner) {
    for (let axis = 0; axis < 3; ++axis) {
      if (!(corner & (1 << axis))) {
        for (const end of [corner, corner | (1 << axis)]) {
          points.push(...[0, 1, 2].map((i) => (end & (1 << i) ? hi[i]! : lo[i]!)));
        }
      }
    }
  }
  return points;
}

function gridLines(lo: Triple, hi: Triple): number[] {
  const step = niceStep(Math.max(hi[0] - lo[0], hi[1] - lo[1]), 14);
  const points: number[] = [];
  for (let x = Math.ceil(lo[0] / step) * step; x <= hi[0]; x += step) {
    points.push(x, lo[1], lo[2], x, hi[1], lo[2]);
  }
  for (let y = Math.ceil(lo[1] / step) * step; y <= hi[1]; y += step) {
    points.push(lo[0], y, lo[2], hi[0], y, lo[2]);
  }
  return points;
}

function makeStars(radius: number): Points<BufferGeometry, PointsMaterial> {
  const places: number[] = [],
    colours: number[] = [];
  let state = 12345;
  const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
  for (let i = 0; i < 900; ++i) {
    const z = 2 * random() - 1,
      angle = 2 * Math.PI * random(),
      r = Math.sqrt(1 - z * z);
    places.push(radius * r * Math.cos(angle), radius * r * Math.sin(angle), radius * z);
    const bright = 0.12 + 0.5 * random() ** 6,
      warm = random();
    colours.push(bright * (0.8 + 0.2 * warm), bright * 0.9, bright * (1.05 - 0.2 * warm));
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(colours), 3));
  const stars = new Points(
    geometry,
    new PointsMaterial({
      size: 1.6,
      sizeAttenuation: false,
      vertexColors: true,
      depthWrite: false,
      depthTest: false,
      transparent: true,
    }),
  );
  stars.renderOrder = -2;
  stars.frustumCulled = false;
  return stars;
}

export class Backdrop {
  readonly group = new Group();
  readonly stars: Points<BufferGeometry, PointsMaterial> | null;
  private readonly box;
  private readonly grid;
  private readonly gradient: Mesh<BufferGeometry, RawShaderMaterial>;
  private gridWanted = true;

  constructor(info: WorldInfo, starRadius: number) {
    const hi: Triple = info.dimensions === 2 ? [info.hi[0], info.hi[1], info.lo[2]] : info.hi;
    this.box = lines(boxLines(info.lo, hi));
    this.grid = lines(gridLines(info.lo, hi));
    const screen = new BufferGeometry();
    screen.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.gradient = new Mesh(
      screen,
      new RawShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: kBackdropVertex,
        fragmentShader: kBackdropFragment,
        depthWrite: false,
        depthTest: false,
        transparent: true,
        uniforms: { middle: { value: new Color() }, edge: { value: new Color() } },
      }),
    );
    this.gradient.renderOrder = -3;
    this.gradient.frustumCulled = false;
    // Stars belong to worlds in which ships fly.
    const space = info.dimensions === 3 && info.groups.some(({ mark }) => mark === "ship");
    this.stars = space ? makeStars(starRadius) : null;
    this.group.add(this.gradient, this.box, this.grid);
    if (this.stars) {
      this.group.add(this.stars);
    }
  }

  paint(): void {
    const dark = theme() === "dark",
      colours = kColours[theme()];
    const { middle, edge } = this.gradient.material.uniforms;
    // The shader writes what it is given: no change of colour space.
    (middle!.value as Color).setStyle(colours.middle, "srgb-linear");
    (edge!.value as Color).setStyle(colours.edge, "srgb-linear");
    this.box.material.color.setStyle(colours.box);
    this.box.material.opacity = dark ? 0.5 : 0.55;
    this.grid.material.color.setStyle(colours.grid);
    this.grid.material.opacity = dark ? 0.2 : 0.3;
    if (this.stars) {
      this.stars.visible = dark;
    }
  }

  toggleGrid(): void {
    this.gridWanted = !this.gridWanted;
    this.grid.visible = this.gridWanted;
    this.box.visible = this.gridWanted;
  }
}
