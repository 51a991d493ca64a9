// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Your own models as a program. Link juxta::program (docs/models.md).
#pragma once

#include <initializer_list>
#include <span>

#include "juxta/study/model.h"

namespace juxta {

/// A program that has all that `juxta model` has, for these models: --list, runs, --sweep, --checkpoint,
/// --resume, tables, pictures and recordings. With one model its name may be left out.
///
///   int main(int argc, char** argv) { return juxta::study_main(argc, argv, {info}); }
///
/// Returns the exit code: 0 done, 1 failed, 2 wrong use, 128 + signal interrupted. Reports go to the standard
/// output, errors and progress to the error output. Ctrl-C ends a run between two steps and writes what there
/// is. This is the one function of the library that prints; it also sets signal handlers, so call it once,
/// from main(), and end the program with what it returns. Errors: none but the exit code; 2 without models.
[[nodiscard]] int study_main(int argc, char** argv, std::span<const ModelInfo> models);
[[nodiscard]] int study_main(int argc, char** argv, std::initializer_list<ModelInfo> models);

}  // namespace juxta
