// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Draws a world when something has changed: a frame came, the camera moved.
import {
  ColorManagement,
  LinearSRGBColorSpace,
  Matrix4,
  type Object3D,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { decodeFrame, type Frame, type WorldInfo } from "../protocol";
import { theme } from "../ui/theme";
import { Backdrop } from "./backdrop";
import { WorldCamera } from "./camera";
import { GroupOnCard, type SharedUniforms } from "./group";
import type { PaletteKind } from "./palette";

// The shaders write colours as they are on the screen.
ColorManagement.enabled = false;

/** False: the browser draws without a graphics card, and smooth edges would cost too much. */
function hasGraphicsCard(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return gl !== null;
}

export class WorldScene {
  readonly camera: WorldCamera;
  readonly backdrop: Backdrop;
  readonly groups: GroupOnCard[];
  readonly shared: SharedUniforms;
  /** There is a graphics card. */
  readonly fast: boolean;
  lastFrame: Frame | null = null;
  draws = 0;
  /** Frames that a newer one replaced before they were drawn. */
  skipped = 0;
  onFrame: (frame: Frame) => void = () => {};
  onDrawn: () => void = () => {};

  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private arrived: ArrayBuffer | null = null;
  private asked = 0;
  private readonly ratio: number;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    info: WorldInfo,
    moved: () => void,
  ) {
    const fast = (this.fast = hasGraphicsCard());
    this.ratio = fast ? Math.min(devicePixelRatio || 1, 2) : 1;
    this.renderer = new WebGLRenderer({ canvas, antialias: fast, powerPreference: "high-performance" });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.renderer.setPixelRatio(this.ratio);
    this.camera = new WorldCamera(canvas, info, () => {
      this.invalidate();
      moved();
    });
    this.shared = {
      viewProjection: { value: new Matrix4() },
      pixelScale: { value: 1 },
      screen: { value: new Vector2() },
      eye: { value: new Vector3() },
      lightTheme: { value: 0 },
      flat2d: { value: this.camera.flat ? 1 : 0 },
    };
    this.backdrop = new Backdrop(info, this.camera.starRadius);
    this.scene.add(this.backdrop.group);
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    this.groups = info.groups.map((group) => new GroupOnCard(group, this.shared, gl, this.ratio, fast));
    this.scene.add(...this.groups.map((group) => group.object));
    canvas.addEventListener("webglcontextrestored", () => location.reload());
  }

  add(object: Object3D): void {
    this.scene.add(object);
  }

  resize(width: number, height: number): void {
    this.renderer.setSize(width, height, false);
    this.camera.resize(width, height);
    this.shared.screen.value.set(width, height).multiplyScalar(this.ratio / 2);
    // Now, and not with the next frame: else the canvas is empty for a moment.
    this.draw();
  }

  /** How each group is coloured. */
  paint(kinds: PaletteKind[]): void {
    this.shared.lightTheme.value = theme() === "light" ? 1 : 0;
    this.backdrop.paint();
    this.groups.forEach((group, i) => group.paint(kinds[i] ?? "plain"));
    this.invalidate();
  }

  /** Keeps a frame until it is drawn. */
  receive(bytes: ArrayBuffer): void {
    if (this.arrived) this.skipped += 1;
    this.arrived = bytes;
    this.invalidate();
  }

  invalidate(): void {
    this.asked ||= requestAnimationFrame(() => {
      this.asked = 0;
      this.draw();
    });
  }

  private show(bytes: ArrayBuffer): void {
    const frame = decodeFrame(bytes);
    for (const part of frame.groups) {
      this.groups[part.index]?.show(part);
    }
    this.lastFrame = frame;
    this.onFrame(frame);
  }

  private draw(): void {
    if (this.arrived) {
      const bytes = this.arrived;
      this.arrived = null;
      this.show(bytes);
    }
    if (this.camera.update()) this.invalidate();
    const { camera } = this.camera;
    this.shared.viewProjection.value.copy(this.camera.matrix);
    this.shared.pixelScale.value = this.camera.pixelScale(this.canvas.height);
    this.shared.eye.value.copy(camera.position);
    this.backdrop.stars?.position.copy(camera.position);
    this.renderer.render(this.scene, camera);
    this.draws += 1;
    this.onDrawn();
  }
}
