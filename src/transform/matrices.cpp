// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/transform/matrices.h"
#include "juxta/core/try.h"

#include <cstddef>

#include "transform/spans.h"

namespace juxta {
namespace {

template <class Matrix, class Convert>
Result<void> convert_all(std::span<const Qvvs> transforms, std::span<Matrix> out, const Executor* executor,
                         Convert convert) {
  JUXTA_TRY(transform_detail::same_length("the matrices", out.size(), transforms.size()));
  executor_or_serial(executor).parallel_for(transforms.size(), transform_detail::kSpanGrain,
                                            [&](std::size_t first, std::size_t last) {
                                              for (std::size_t i = first; i < last; ++i) {
                                                out[i] = convert(transforms[i]);
                                              }
                                            });
  return {};
}

}  // namespace

Result<void> to_matrices(std::span<const Qvvs> transforms, std::span<Matrix34> out, const Context& context) {
  return convert_all(transforms, out, context.executor, [](const Qvvs& t) { return to_matrix34(t); });
}

Result<void> to_matrices(std::span<const Qvvs> transforms, std::span<Matrix44> out, const Context& context) {
  return convert_all(transforms, out, context.executor, [](const Qvvs& t) { return to_matrix44(t); });
}

Result<void> to_matrices(std::span<const Qvvs> transforms, const MatrixColumns& out, const Context& context) {
  for (const std::span<float> column : out.entries) {
    if (auto fits =
            transform_detail::same_length("each column of the matrices", column.size(), transforms.size());
        !fits) {
      return fits;
    }
  }
  executor_or_serial(context.executor)
      .parallel_for(transforms.size(), transform_detail::kSpanGrain,
                    [&](std::size_t first, std::size_t last) {
                      for (std::size_t i = first; i < last; ++i) {
                        const Matrix34 matrix = to_matrix34(transforms[i]);
                        for (std::size_t entry = 0; entry < out.entries.size(); ++entry) {
                          out.entries[entry][i] = matrix.m[entry / 4][entry % 4];
                        }
                      }
                    });
  return {};
}

}  // namespace juxta
