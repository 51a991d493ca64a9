// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A user of juxta::program: your own model with all that `juxta model` has. install_test.py calls it.
#include <juxta/study/program.h>

#include "walk.h"

int main(int argc, char** argv) {
  return juxta::study_main(argc, argv, {walk()});
}
