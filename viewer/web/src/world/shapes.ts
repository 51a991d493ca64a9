// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The triangles of things that have shapes of their own. Those that are near the camera are drawn so, those
// behind them by their mark.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, GLSL3, Mesh, RawShaderMaterial } from "three";
import type { Connection } from "../connection";
import type { Frame, Shapes, Triple, WorldInfo } from "../protocol";
import { complain } from "../ui/notices";
import { theme } from "../ui/theme";
import { kStone, type GroupOnCard } from "./group";
import type { WorldScene } from "./scene";
import { kShapesFragment, kShapesVertex } from "./shaders";

const kAskMs = 500,
  kMoved = 0.1,
  kTriangles = 100_000,
  kTrianglesSlow = 50_000;

/** An attribute with room for so many numbers, the old one if it has it. */
function withRoom<A extends Float32Array | Uint32Array>(
  old: BufferAttribute | null,
  make: (room: number) => A,
  numbers: number[],
  width: number,
): BufferAttribute {
  const fits = old && old.array.length >= numbers.length;
  const room = 2 ** Math.ceil(Math.log2(Math.max(numbers.length, 3072)));
  const attribute = fits ? old : new BufferAttribute(make(width * Math.ceil(room / width)), width);
  attribute.setUsage(DynamicDrawUsage);
  attribute.array.set(numbers);
  attribute.clearUpdateRanges();
  attribute.addUpdateRange(0, numbers.length);
  attribute.needsUpdate = true;
  return attribute;
}

class GroupShapes {
  readonly mesh: Mesh<BufferGeometry, RawShaderMaterial>;
  from: Triple | null = null;
  things = -1;
  asked = -Infinity;
  busy = false;
  timer = 0;

  constructor(
    readonly index: number,
    readonly group: GroupOnCard,
    scene: WorldScene,
    grain: number,
  ) {
    const { viewProjection, eye, lightTheme } = scene.shared;
    const material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: kShapesVertex,
      fragmentShader: kShapesFragment,
      uniforms: { viewProjection, eye, lightTheme, tint: { value: new Color() }, grain: { value: grain } },
      // The backdrop is drawn with what blends, so these must come after it.
      transparent: true,
      side: 2,
    });
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    scene.add(this.mesh);
  }

  show({ positions, triangles, within }: Shapes, from: Triple): void {
    const geometry = this.mesh.geometry;
    const corners = (geometry.getAttribute("corner") as BufferAttribute | undefined) ?? null,
      index = geometry.getIndex();
    const grows =
      !corners || !index || corners.array.length < positions.length || index.array.length < triangles.length;
    if (grows) geometry.dispose();
    geometry.setAttribute(
      "corner",
      withRoom(corners, (n) => new Float32Array(n), positions, 3),
    );
    geometry.setIndex(withRoom(index, (n) => new Uint32Array(n), triangles, 1));
    geometry.setDrawRange(0, triangles.length);
    this.group.leaveOut(from, within);
  }
}

export class ShapesOfThings {
  readonly stats = { answers: 0, shown: 0, triangles: 0, within: null as number | null };
  private readonly groups: GroupShapes[];
  private readonly diagonal: number;

  constructor(
    private readonly connection: Connection,
    info: WorldInfo,
    private readonly scene: WorldScene,
  ) {
    this.diagonal = Math.hypot(...info.hi.map((v, i) => v - info.lo[i]!)) || 1;
    this.groups = info.groups.flatMap((group, i) => {
      const grain = 7 / (group.size || this.diagonal / 30);
      return group.shapes ? [new GroupShapes(i, scene.groups[i]!, scene, grain)] : [];
    });
  }

  paint(): void {
    for (const { mesh } of this.groups) {
      (mesh.material.uniforms.tint!.value as Color).setStyle(kStone[theme()], "srgb-linear");
    }
  }

  /** Other things may be there now. */
  forget(): void {
    for (const each of this.groups) each.from = null;
    this.look();
  }

  /** A frame: when things came or went, their triangles are asked for again. */
  see(frame: Frame): void {
    for (const each of this.groups) {
      const things = frame.groups.find(({ index }) => index === each.index)?.things ?? 0;
      if (things !== each.things) each.from = null;
      each.things = things;
    }
    this.look();
  }

  /** Before each picture, and when the camera has moved. */
  look(): void {
    for (const each of this.groups) {
      each.mesh.visible = each.group.wanted && each.mesh.geometry.drawRange.count < Infinity;
      this.ask(each);
    }
  }

  private ask(each: GroupShapes): void {
    if (each.busy || each.timer || this.connection.state !== "open" || !each.group.wanted) return;
    const { camera, controls } = this.scene.camera;
    const from = camera.position.toArray() as Triple;
    const moved = each.from ? Math.hypot(...from.map((v, i) => v - each.from![i]!)) : Infinity;
    if (moved <= kMoved * Math.min(controls.getDistance(), this.diagonal)) return;
    const wait = each.asked + kAskMs - performance.now();
    if (wait > 0) {
      each.timer = window.setTimeout(() => {
        each.timer = 0;
        this.ask(each);
      }, wait);
      return;
    }
    each.asked = performance.now();
    each.from = from;
    each.busy = true;
    const most = this.scene.fast ? kTriangles : kTrianglesSlow;
    this.connection
      .ask<Shapes>("shapes", { group: each.index, from, triangles: most })
      .then((shapes) => {
        each.show(shapes, from);
        this.stats.answers += 1;
        Object.assign(this.stats, {
          shown: shapes.shown,
          triangles: shapes.triangles.length / 3,
          within: shapes.within,
        });
        this.scene.invalidate();
      }, complain)
      .finally(() => {
        each.busy = false;
        this.look();
      });
  }
}
