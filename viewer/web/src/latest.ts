// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT

/**
 * Runs one question at a time. While one is under way, only the latest of those that follow is kept.
 *
 * For questions that a moving pointer or camera asks: their answers come as fast as the server gives them,
 * and the last one always comes.
 */
export class Latest {
  private busy = false;
  private next: (() => Promise<void>) | null = null;

  run(ask: () => Promise<void>): void {
    if (this.busy) {
      this.next = ask;
      return;
    }
    this.busy = true;
    void ask().finally(() => {
      this.busy = false;
      const next = this.next;
      this.next = null;
      if (next) this.run(next);
    });
  }

  /** Forgets the one that has not begun. */
  clear(): void {
    this.next = null;
  }
}
