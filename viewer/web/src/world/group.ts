// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One group of things on the graphics card, drawn at once.
import {
  type BufferAttribute,
  BufferGeometry,
  CustomBlending,
  DataTexture,
  GLBufferAttribute,
  GLSL3,
  InstancedBufferGeometry,
  Matrix4,
  Mesh,
  OneFactor,
  OneMinusSrcAlphaFactor,
  Points,
  RawShaderMaterial,
  Vector2,
  Vector3,
  Vector4,
} from "three";
import type { FrameGroup, GroupInfo, Mark, Triple } from "../protocol";
import { theme } from "../ui/theme";
import { dart, rock, ship, shipFar, speck, square, turret } from "./geometry";
import { paletteBytes, type PaletteKind } from "./palette";
import * as shaders from "./shaders";

/** What all groups share. The objects are the same in all materials, so one change reaches them all. */
export interface SharedUniforms {
  viewProjection: { value: Matrix4 };
  pixelScale: { value: number };
  screen: { value: Vector2 };
  eye: { value: Vector3 };
  lightTheme: { value: number };
  flat2d: { value: number };
}

interface Look {
  vertex: string;
  fragment: string;
  /** Without a size: so many pixels. */
  pixels: number;
  /** Things never get smaller. */
  leastPixels: number;
  order: number;
  covers: boolean;
}

const kLooks: Record<Mark, Look> = {
  rock: {
    vertex: shaders.kRockVertex,
    fragment: shaders.kRockFragment,
    pixels: 8,
    leastPixels: 2,
    order: 0,
    covers: true,
  },
  dot: {
    vertex: shaders.kDotVertex,
    fragment: shaders.kDotFragment,
    pixels: 3.5,
    leastPixels: 1.5,
    order: 1,
    covers: true,
  },
  dart: {
    vertex: shaders.kSolidVertex,
    fragment: shaders.kSolidFragment,
    pixels: 9,
    leastPixels: 3,
    order: 2,
    covers: true,
  },
  ship: {
    vertex: shaders.kSolidVertex,
    fragment: shaders.kSolidFragment,
    pixels: 12,
    leastPixels: 3.5,
    order: 3,
    covers: true,
  },
  turret: {
    vertex: shaders.kSolidVertex,
    fragment: shaders.kSolidFragment,
    pixels: 8,
    leastPixels: 2,
    order: 3,
    covers: true,
  },
  streak: {
    vertex: shaders.kStreakVertex,
    fragment: shaders.kStreakFragment,
    pixels: 14,
    leastPixels: 3,
    order: 4,
    covers: false,
  },
  ball: {
    vertex: shaders.kBallVertex,
    fragment: shaders.kBallFragment,
    pixels: 14,
    leastPixels: 4,
    order: 5,
    covers: false,
  },
};

/** The shapes of a mark, from the finest on. */
const kShapes: Record<Mark, () => (InstancedBufferGeometry | BufferGeometry)[]> = {
  dot: () => [new BufferGeometry()],
  ship: () => [ship(), shipFar(), speck()],
  dart: () => [dart(), speck()],
  turret: () => [turret(), speck(0.1)],
  rock: () => [rock(4), rock(1)],
  streak: () => [square()],
  ball: () => [square()],
};
/** From so many things on, a simpler shape is taken. */
const kMany: Partial<Record<Mark, number[]>> = {
  ship: [20_000, 120_000],
  dart: [150_000],
  turret: [60_000],
  rock: [2_000],
};
const kPlain = { dark: "#7fb4f5", light: "#2a6fcf" };
export const kStone = { dark: "#8d7f74", light: "#b3a597" };
/** Without a graphics card so much less is enough. */
const kSlowness = 20;
/** More than any frame has: the number drawn is set for each frame. */
const kNoLimit = 2 ** 30;

type Name = "px" | "py" | "pz" | "colour" | "heading" | "size";

export class GroupOnCard {
  readonly object: Mesh | Points;
  /** What the last frame said. */
  frame: FrameGroup | null = null;
  /** Whether the reader wants to see it. */
  wanted = true;
  private allLeftOut = false;

  private readonly material: RawShaderMaterial;
  private readonly shapes: (InstancedBufferGeometry | BufferGeometry)[];
  private readonly buffers = new Map<Name, { buffer: WebGLBuffer; attribute: GLBufferAttribute }>();
  private readonly palette = new DataTexture(new Uint8Array(256 * 4), 256, 1);

  constructor(
    readonly info: GroupInfo,
    shared: SharedUniforms,
    private readonly gl: WebGL2RenderingContext,
    ratio: number,
    private readonly fast: boolean,
  ) {
    const look = kLooks[info.mark] ?? kLooks.dot;
    this.material = makeMaterial(look, info, shared, this.palette, ratio);
    const mark = info.mark in kLooks ? info.mark : "dot";
    this.shapes = kShapes[mark]();
    const first = this.shapes[0]!;
    this.object = mark === "dot" ? new Points(first, this.material) : new Mesh(first, this.material);
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
    this.object.renderOrder = look.order;
    this.object.visible = false;
  }

  paint(kind: PaletteKind): void {
    const plain = (this.info.mark === "rock" ? kStone : kPlain)[theme()];
    this.material.uniforms.fades!.value = kind === "ageing" ? 1 : 0;
    (this.palette.image.data as Uint8Array).set(paletteBytes(kind, theme(), plain));
    this.palette.needsUpdate = true;
  }

  /** Things around a place that are drawn by their own triangles: how far around it, or null: all of them. */
  leaveOut(from: Triple, within: number | null): void {
    (this.material.uniforms.leftOut!.value as Vector4).set(...from, within ?? 0);
    this.allLeftOut = within === null;
    this.setWanted(this.wanted);
  }

  /** Puts a frame's arrays on the card. They go there as they arrived: nothing is done for each thing. */
  show(frame: FrameGroup): void {
    this.frame = frame;
    this.setWanted(this.wanted);
    if (frame.sent === 0) {
      return;
    }
    const gl = this.gl;
    this.upload("px", frame.x, gl.UNSIGNED_SHORT, 1);
    this.upload("py", frame.y, gl.UNSIGNED_SHORT, 1);
    this.upload("pz", frame.z, gl.UNSIGNED_SHORT, 1);
    this.upload("colour", frame.colour, gl.UNSIGNED_BYTE, 1);
    this.upload("heading", frame.heading, gl.BYTE, 4);
    this.upload("size", frame.size, gl.UNSIGNED_BYTE, 1);
    const { origin, unit, longest, hasSize } = this.material.uniforms;
    (origin!.value as Vector3).fromArray(frame.origin);
    (unit!.value as Vector3).set(frame.step, frame.step, frame.stepZ);
    longest!.value = frame.longest;
    hasSize!.value = frame.size !== null;
    this.choose(frame.sent);
  }

  setWanted(wanted: boolean): void {
    this.wanted = wanted;
    this.object.visible = wanted && !this.allLeftOut && (this.frame?.sent ?? 0) > 0;
  }

  private choose(sent: number): void {
    const simpler = (kMany[this.info.mark] ?? []).filter((many) => sent > (this.fast ? many : many / kSlowness)).length;
    const shape = this.shapes[Math.min(simpler, this.shapes.length - 1)]!;
    this.object.geometry = shape;
    if (shape instanceof InstancedBufferGeometry) {
      shape.instanceCount = sent;
    } else {
      shape.setDrawRange(0, sent);
    }
  }

  private upload(name: Name, data: Uint16Array | Uint8Array | Int8Array | null, type: number, width: number): void {
    const known = this.buffers.get(name);
    if (!data) {
      if (known) {
        this.shapes.forEach((shape) => shape.deleteAttribute(name));
        this.gl.deleteBuffer(known.buffer);
        this.buffers.delete(name);
      }
      return;
    }
    const entry = known ?? this.addBuffer(name, type, width, data.BYTES_PER_ELEMENT);
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, entry.buffer);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, data, this.gl.STREAM_DRAW);
  }

  private addBuffer(name: Name, type: number, width: number, bytes: number) {
    const buffer = this.gl.createBuffer();
    const attribute = new GLBufferAttribute(buffer, type, width, bytes as 1, kNoLimit);
    if (this.info.mark !== "dot" && this.object instanceof Mesh) {
      // three.js has no class for an instanced attribute with a buffer of one's own, but it draws one.
      Object.assign(attribute, { isInstancedBufferAttribute: true, meshPerAttribute: 1 });
    }
    const entry = { buffer, attribute };
    this.buffers.set(name, entry);
    this.shapes.forEach((shape) => shape.setAttribute(name, attribute as unknown as BufferAttribute));
    return entry;
  }
}

function makeMaterial(look: Look, info: GroupInfo, shared: SharedUniforms, palette: DataTexture, ratio: number) {
  const least = info.size > 0 ? look.leastPixels : look.pixels;
  return new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: look.vertex,
    fragmentShader: look.fragment,
    uniforms: {
      ...shared,
      palette: { value: palette },
      origin: { value: new Vector3() },
      unit: { value: new Vector3(1, 1, 1) },
      lengthOfAll: { value: info.size },
      longest: { value: 0 },
      hasSize: { value: false },
      minPixels: { value: least * ratio },
      thickness: { value: 1.1 * ratio },
      fades: { value: 0 },
      leftOut: { value: new Vector4() },
      engines: { value: info.mark === "ship" ? 1 : 0 },
    },
    // Colours are premultiplied (shaders.ts), so one way to blend serves what covers and what glows.
    blending: CustomBlending,
    blendSrc: OneFactor,
    blendDst: OneMinusSrcAlphaFactor,
    transparent: true,
    depthWrite: look.covers,
    side: 2,
  });
}
