// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Overlays on the graphics card: boxes and lines in one draw call, a field as a flat picture.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  DynamicDrawUsage,
  GLSL3,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  LineSegments,
  type Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  RawShaderMaterial,
} from "three";
import type { Overlay } from "../protocol";
import { theme } from "../ui/theme";
import { paletteBytes } from "./palette";
import { kOverlayFragment, kOverlayVertex } from "./shaders";

const kOrder = 8; // After all things.

export interface OverlayObject {
  readonly object: Object3D;
  show(overlay: Overlay): void;
  paint(colour: string): void;
}

/** The corners of a line (0 and 1) or of the twelve edges of a box, in parts of the way between its two ends. */
function unitShape(kind: "boxes" | "lines"): number[] {
  if (kind === "lines") return [0, 0, 0, 1, 1, 1];
  const corners: number[] = [];
  for (let corner = 0; corner < 8; ++corner) {
    for (let axis = 1; axis < 8; axis <<= 1) {
      if (corner & axis) continue;
      for (const end of [corner, corner | axis]) corners.push(end & 1, (end >> 1) & 1, end >> 2);
    }
  }
  return corners;
}

/** Boxes or lines. Six numbers each go to the card as they arrived. */
export class OverlayLines implements OverlayObject {
  readonly object: LineSegments<InstancedBufferGeometry, RawShaderMaterial>;
  private buffer: InstancedInterleavedBuffer | null = null;

  constructor(kind: "boxes" | "lines", viewProjection: { value: Matrix4 }) {
    const geometry = new InstancedBufferGeometry(),
      corners = new Float32Array(unitShape(kind));
    geometry.setAttribute("corner", new BufferAttribute(corners, 3));
    geometry.setDrawRange(0, corners.length / 3);
    geometry.instanceCount = 0;
    const material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: kOverlayVertex,
      fragmentShader: kOverlayFragment,
      uniforms: { viewProjection, tint: { value: new Color() } },
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    this.object = new LineSegments(geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = kOrder;
  }

  show({ values }: Overlay): void {
    const geometry = this.object.geometry;
    const buffer = this.buffer && this.buffer.array.length >= values.length ? this.buffer : this.grow(values.length);
    buffer.array.set(values);
    buffer.clearUpdateRanges();
    buffer.addUpdateRange(0, values.length);
    buffer.needsUpdate = true;
    geometry.instanceCount = Math.floor(values.length / 6);
    this.object.visible = geometry.instanceCount > 0;
  }

  private grow(numbers: number): InstancedInterleavedBuffer {
    const geometry = this.object.geometry;
    geometry.dispose();
    let room = 6 * 256;
    while (room < numbers) room *= 2;
    const buffer = new InstancedInterleavedBuffer(new Float32Array(room), 6);
    buffer.setUsage(DynamicDrawUsage);
    geometry.setAttribute("begin", new InterleavedBufferAttribute(buffer, 3, 0));
    geometry.setAttribute("end", new InterleavedBufferAttribute(buffer, 3, 3));
    this.buffer = buffer;
    return buffer;
  }

  paint(colour: string): void {
    (this.object.material.uniforms.tint!.value as Color).setStyle(colour, "srgb-linear");
  }
}

/** Cells that are coloured by their value. Those of 0 are clear. */
export class OverlayField implements OverlayObject {
  readonly object: Mesh<BufferGeometry, MeshBasicMaterial>;
  private last: Overlay | null = null;

  constructor(flat: boolean) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(12), 3));
    geometry.setAttribute("uv", new BufferAttribute(new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), 2));
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    const material = new MeshBasicMaterial({ transparent: true, depthWrite: false, depthTest: !flat, side: 2 });
    this.object = new Mesh(geometry, material);
    this.object.frustumCulled = false;
    this.object.visible = false;
    // From above, the things of a flat world stay in sight.
    this.object.renderOrder = flat ? -0.5 : kOrder - 1;
  }

  show(overlay: Overlay): void {
    const { columns = 0, rows = 0, lo, hi, values } = overlay;
    this.last = overlay;
    this.object.visible = columns > 0 && rows > 0 && values.length >= columns * rows && Boolean(lo && hi);
    if (!this.object.visible || !lo || !hi) return;
    const [x0, y0, z] = lo,
      [x1, y1] = hi;
    const position = this.object.geometry.getAttribute("position") as BufferAttribute;
    position.array.set([x0, y0, z, x1, y0, z, x0, y1, z, x1, y1, z]);
    position.needsUpdate = true;
    this.fill(columns, rows, values);
  }

  private fill(columns: number, rows: number, values: number[]): void {
    const material = this.object.material;
    let map = material.map as DataTexture | null;
    if (!map || map.image.width !== columns || map.image.height !== rows) {
      map?.dispose();
      material.map = map = new DataTexture(new Uint8Array(4 * columns * rows), columns, rows);
      material.needsUpdate = true;
    }
    const pixels = map.image.data as Uint8Array,
      palette = paletteBytes("amounts", theme(), "#ffffff");
    const most = values.reduce((a, b) => Math.max(a, b), 0) || 1;
    for (let i = 0; i < columns * rows; ++i) {
      // Few cells hold much: a root shows the others too.
      const part = Math.sqrt(Math.max(values[i]!, 0) / most),
        colour = Math.round(255 * part);
      pixels.set(palette.subarray(4 * colour, 4 * colour + 3), 4 * i);
      pixels[4 * i + 3] = part > 0 ? 90 + 110 * part : 0;
    }
    map.needsUpdate = true;
  }

  paint(): void {
    if (this.last && this.object.visible) this.show(this.last);
  }
}
