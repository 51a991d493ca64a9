// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
import type { GroupInfo, Row } from "../protocol";

/** The names of a row's values: what its group is coloured by comes first, then the columns in their order. */
export function columnsOf(group: GroupInfo | undefined, values: Row["values"]): string[] {
  const first = group ? [group.colour ?? "", ...group.columns] : [];
  return [...new Set([...first, ...Object.keys(values)])].filter((name) => name in values);
}
