// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT

/** What went wrong, by name. `outOfMemory`: the module is of no more use; call `init()` again. */
export type ErrorCode =
  | "invalidArgument"
  | "notFinite"
  | "tooLarge"
  | "unsupportedCpu"
  | "io"
  | "corruptFile"
  | "parse"
  | "cancelled"
  | "notFound"
  | "outOfMemory";

/** The order of juxta::ErrorCode. */
const codes: readonly ErrorCode[] = [
  "invalidArgument",
  "notFinite",
  "tooLarge",
  "unsupportedCpu",
  "io",
  "corruptFile",
  "parse",
  "cancelled",
  "notFound",
];

export function codeOf(number: number): ErrorCode {
  return codes[number] ?? "invalidArgument";
}

/** Thrown by every function of this package that refuses its input. */
export class JuxtaError extends Error {
  override readonly name = "JuxtaError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** The element of the input that was refused, from 0. */
    readonly index?: number,
    /** The offset in a damaged file. */
    readonly byte?: number,
  ) {
    super(message);
  }
}

export function refuse(message: string, index?: number): never {
  throw new JuxtaError("invalidArgument", message, index);
}
