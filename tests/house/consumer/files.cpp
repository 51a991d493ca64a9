// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A user of juxta::files: reads two points from a text. Exit 0 when they are there.
#include <juxta/files/read_points.h>

int main() {
  const auto table = juxta::parse_points("x,y,rank\n1,2,3\n4,5,6\n");
  return table && table->size() == 2 && table->y[1] == 5 && !juxta::parse_points("x,y,rank\n1,two,3\n") ? 0
                                                                                                        : 1;
}
