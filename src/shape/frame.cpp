// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/frame.h"

namespace juxta::shape_detail {

Frame::Frame(const Qvvs& at, const V3& origin) noexcept
    : position(V3(at.position) - origin), scale(static_cast<double>(at.scale)) {
  const double x = static_cast<double>(at.rotation.x), y = static_cast<double>(at.rotation.y);
  const double z = static_cast<double>(at.rotation.z), w = static_cast<double>(at.rotation.w);
  const double k = 2 / (x * x + y * y + z * z + w * w);  // lengths near 1 are rotations too
  row[0] = {1 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y)};
  row[1] = {k * (x * y + w * z), 1 - k * (x * x + z * z), k * (y * z - w * x)};
  row[2] = {k * (x * z - w * y), k * (y * z + w * x), 1 - k * (x * x + y * y)};
  stretch = V3(at.stretch) * scale;
}

}  // namespace juxta::shape_detail
