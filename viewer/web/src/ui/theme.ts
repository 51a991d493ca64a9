// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Dark or light: what the system prefers, or what was chosen here and is kept in localStorage.

export type Theme = "dark" | "light";
const kKey = "juxta-theme";
const systemIsLight = matchMedia("(prefers-color-scheme: light)");
const listeners: (() => void)[] = [];

function chosen(): Theme | null {
  try {
    const value = localStorage.getItem(kKey);
    return value === "dark" || value === "light" ? value : null;
  } catch {
    return null; // storage is forbidden
  }
}

export function theme(): Theme {
  return chosen() ?? (systemIsLight.matches ? "light" : "dark");
}

function apply(): void {
  document.documentElement.dataset.theme = theme();
  for (const listener of listeners) {
    listener();
  }
}

export function toggleTheme(): void {
  const next = theme() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(kKey, next);
  } catch {
    // not kept then
  }
  apply();
}

/** Calls `listener` now and whenever the theme changes. */
export function onTheme(listener: () => void): void {
  listeners.push(listener);
  listener();
}

systemIsLight.addEventListener("change", apply);
apply();
