// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where a world is looked at from: an orbit in 3D, from above in 2D.
import { Matrix4, OrthographicCamera, PerspectiveCamera, TOUCH, MOUSE, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Triple, WorldInfo } from "../protocol";
import { reducedMotion } from "../ui/dom";

const kFieldOfView = 42;
const kUp = new Vector3(0, 0, 1);

export class WorldCamera {
  readonly camera: PerspectiveCamera | OrthographicCamera;
  readonly controls: OrbitControls;
  /** From the world to clip space. */
  readonly matrix = new Matrix4();
  readonly flat: boolean;
  private readonly centre: Vector3;
  private readonly size: Vector3;
  private readonly diagonal: number;
  private width = 1;
  private height = 1;

  constructor(canvas: HTMLCanvasElement, info: WorldInfo, changed: () => void) {
    const lo = new Vector3(...info.lo),
      hi = new Vector3(...info.hi);
    this.flat = info.dimensions === 2;
    if (this.flat) lo.z = hi.z = 0;
    this.centre = lo.clone().add(hi).multiplyScalar(0.5);
    this.size = hi.sub(lo);
    this.diagonal = this.size.length() || 1;
    this.camera = this.flat ? new OrthographicCamera() : new PerspectiveCamera(kFieldOfView);
    this.camera.up.set(0, this.flat ? 1 : 0, this.flat ? 0 : 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.enableDamping = !reducedMotion.matches;
    this.controls.dampingFactor = 0.14;
    this.controls.zoomSpeed = 1.4;
    this.controls.minDistance = this.diagonal * 1e-4;
    this.controls.maxDistance = this.diagonal * 8;
    this.controls.minZoom = 0.2;
    this.controls.maxZoom = 1e4;
    if (this.flat) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
      this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    }
    this.controls.addEventListener("change", changed);
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    const aspect = width / height;
    if (this.camera instanceof PerspectiveCamera) {
      this.camera.aspect = aspect;
    } else {
      // At zoom 1 the whole world is seen.
      const high = 0.53 * Math.max(this.size.y, this.size.x / aspect) || 1;
      Object.assign(this.camera, { left: -high * aspect, right: high * aspect, top: high, bottom: -high });
    }
    this.camera.updateProjectionMatrix();
  }

  /** All of the world, in 3D from a little above. */
  home(): void {
    this.controls.target.copy(this.centre);
    if (this.camera instanceof OrthographicCamera) {
      this.camera.zoom = 1;
      this.camera.position.copy(this.centre).add(new Vector3(0, 0, this.diagonal));
    } else {
      this.fit(new Vector3(-0.42, -0.74, 0.44).normalize());
    }
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** Looks along a way at the box of the world, from as near as shows all of it, and puts its picture into the middle. */
  private fit(way: Vector3): void {
    const target = this.controls.target;
    let near = 0.1 * this.diagonal,
      far = 8 * this.diagonal;
    for (let i = 0; i < 30; ++i) {
      const distance = (near + far) / 2;
      this.camera.position.copy(target).addScaledVector(way, distance);
      this.camera.lookAt(target);
      const seen = this.boundsOnScreen();
      if (!seen || seen.maxX - seen.minX > 1.92 || seen.maxY - seen.minY > 1.7) {
        near = distance;
      } else {
        far = distance;
      }
      if (!seen) continue;
      // Half a screen up or down at the target's distance.
      const half = distance * Math.tan((kFieldOfView * Math.PI) / 360);
      const up = new Vector3().setFromMatrixColumn(this.camera.matrix, 1),
        side = new Vector3().setFromMatrixColumn(this.camera.matrix, 0);
      target.addScaledVector(up, 0.5 * half * 0.5 * (seen.minY + seen.maxY));
      target.addScaledVector(side, 0.5 * half * this.aspect() * 0.5 * (seen.minX + seen.maxX));
    }
    this.camera.position.copy(target).addScaledVector(way, far);
  }

  private aspect(): number {
    return this.width / this.height;
  }

  /** The box of the world in clip space, or null when some of it is behind the camera. */
  private boundsOnScreen(): { minX: number; maxX: number; minY: number; maxY: number } | null {
    this.camera.updateMatrixWorld();
    const xs: number[] = [],
      ys: number[] = [],
      back = this.camera.matrixWorldInverse;
    for (let i = 0; i < 8; ++i) {
      const corner = new Vector3((i & 1) - 0.5, ((i >> 1) & 1) - 0.5, (i >> 2) - 0.5)
        .multiply(this.size)
        .add(this.centre);
      if (corner.clone().applyMatrix4(back).z >= 0) return null;
      corner.project(this.camera);
      xs.push(corner.x);
      ys.push(corner.y);
    }
    return { minX: Math.min(...xs), maxX: Math.max(...xs), minY: Math.min(...ys), maxY: Math.max(...ys) };
  }

  /** Brings everything up to date. True while the camera still glides. */
  update(): boolean {
    const glides = this.controls.update();
    const far = this.camera.position.distanceTo(this.centre);
    this.camera.near = this.flat ? -this.diagonal : Math.max(this.controls.getDistance() * 0.02, this.diagonal * 2e-5);
    this.camera.far = far + 3 * this.diagonal;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    this.matrix.multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse);
    return glides;
  }

  /** Pixels of a length of 1 at w = 1, on a screen of so many pixels. */
  pixelScale(height: number): number {
    return (this.camera.projectionMatrix.elements[5]! * height) / 2;
  }

  /** A place in pixels of the canvas, or null when it is behind the camera. */
  project(at: Triple): [x: number, y: number, pixelsOfOne: number] | null {
    const e = this.matrix.elements,
      [x, y, z] = at;
    const w = e[3]! * x + e[7]! * y + e[11]! * z + e[15]!;
    if (w <= 0) return null;
    const cx = (e[0]! * x + e[4]! * y + e[8]! * z + e[12]!) / w,
      cy = (e[1]! * x + e[5]! * y + e[9]! * z + e[13]!) / w;
    return [((cx + 1) / 2) * this.width, ((1 - cy) / 2) * this.height, this.pixelScale(this.height) / w];
  }

  /** Pixels of the canvas in clip space, divided by w. */
  toClip(px: number, py: number): [number, number] {
    return [(2 * px) / this.width - 1, 1 - (2 * py) / this.height];
  }

  /** Turns by so many radians around the target; in 2D it moves instead. */
  turn(right: number, up: number): void {
    if (this.flat) {
      this.pan(right, up);
      return;
    }
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(kUp, right);
    const side = new Vector3().crossVectors(kUp, offset).normalize(),
      angle = offset.angleTo(kUp);
    offset.applyAxisAngle(side, -Math.min(Math.max(up, angle - Math.PI + 0.05), angle - 0.05));
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  /** Moves by parts of what is seen. */
  pan(right: number, up: number): void {
    const seen =
      this.camera instanceof OrthographicCamera
        ? (this.camera.top - this.camera.bottom) / this.camera.zoom
        : this.controls.getDistance();
    const x = new Vector3().setFromMatrixColumn(this.camera.matrix, 0),
      y = new Vector3().setFromMatrixColumn(this.camera.matrix, 1);
    this.shift(x.multiplyScalar(right * seen).addScaledVector(y, up * seen));
  }

  zoom(factor: number): void {
    if (this.camera instanceof OrthographicCamera) {
      this.camera.zoom = Math.min(Math.max(this.camera.zoom * factor, this.controls.minZoom), this.controls.maxZoom);
      this.camera.updateProjectionMatrix();
    } else {
      const offset = this.camera.position.clone().sub(this.controls.target).divideScalar(factor);
      this.camera.position.copy(this.controls.target).add(offset);
    }
    this.controls.update();
    this.controls.dispatchEvent({ type: "change" });
  }

  /** Looks at a place from where it looks now. */
  lookAt(at: Triple, nearer: number): void {
    this.shift(new Vector3(...at).sub(this.controls.target));
    if (nearer !== 1) this.zoom(nearer);
  }

  private shift(by: Vector3): void {
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.controls.update();
    this.controls.dispatchEvent({ type: "change" });
  }

  /** How much of the world is in sight: 1 is the home view. */
  closeness(): number {
    return this.camera instanceof OrthographicCamera ? this.camera.zoom : this.diagonal / this.controls.getDistance();
  }

  numbers(): number[] {
    const target = this.controls.target;
    return this.camera instanceof OrthographicCamera
      ? [target.x, target.y, this.camera.zoom]
      : [...this.camera.position.toArray(), ...target.toArray()];
  }

  restore(numbers: number[]): void {
    if (this.camera instanceof OrthographicCamera) {
      this.controls.target.set(numbers[0]!, numbers[1]!, this.centre.z);
      this.camera.position.set(numbers[0]!, numbers[1]!, this.diagonal);
      this.camera.zoom = Math.min(Math.max(numbers[2]!, this.controls.minZoom), this.controls.maxZoom);
    } else {
      this.camera.position.fromArray(numbers);
      this.controls.target.fromArray(numbers, 3);
    }
    this.controls.update();
  }

  get starRadius(): number {
    return this.diagonal * 1.5;
  }
}
