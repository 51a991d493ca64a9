// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Small helpers that make elements.

type Child = Node | string | null | undefined | false;

interface Attributes {
  [name: string]: string | number | boolean | ((event: never) => void) | undefined;
}

/** An element with attributes and children. `onclick` and the like take functions; `class` is the class. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as unknown as EventListener);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return element;
}

/** A button that says what it does to screen readers and in its tooltip. */
export function button(label: string | Node, title: string, onclick: () => void, className = ""): HTMLButtonElement {
  return el("button", { type: "button", class: className, title, "aria-label": title, onclick }, label);
}

/** A part of a panel that folds. */
export function section(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  const details = el("details", { class: "section", open }, el("summary", {}, title), ...children);
  details.dataset.section = title;
  return details;
}

/** Calls `act` at most every `ms`, the last call always. */
export function throttle(ms: number, act: () => void): () => void {
  let last = -Infinity,
    timer = 0;
  return () => {
    const wait = last + ms - performance.now();
    if (timer) {
      return;
    }
    if (wait <= 0) {
      last = performance.now();
      act();
    } else {
      timer = window.setTimeout(() => {
        timer = 0;
        last = performance.now();
        act();
      }, wait);
    }
  };
}

/** Whether a key belongs to a field that somebody types into. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  return target instanceof HTMLInputElement
    ? target.type !== "range" && target.type !== "checkbox"
    : target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
export const phone = matchMedia("(max-width: 720px)");

/** A canvas in its size on the screen, ready to be drawn in CSS pixels. */
export function fitCanvas(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const width = Math.round(canvas.clientWidth * ratio),
    height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** The value of a colour of the style sheet. */
export function cssColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
