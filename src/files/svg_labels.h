// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: labels that do not touch each other.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/math/rect.h"

namespace juxta::files_detail {

/// A label to place: its dot in pixels and its text.
struct SvgLabel {
  double x, y;
  std::string text;
};

/// Draws dots and texts, most important first: each text takes the first free place around its dot, near ones
/// first; a farther one is joined by a thin line; a text without a free place is left out, its dot stays.
std::string draw_labels(std::span<const SvgLabel> labels, const RectD& frame);

/// A text element; `attributes` begin with a space.
std::string svg_text(double x, double y, const char* anchor, std::string_view what,
                     const char* attributes = "");

/// Width of a text in pixels, roughly: what a sans-serif face of this size takes.
double text_width(const std::string& text, double font_size);

/// The text, cut after `length` characters (not bytes).
std::string shortened(const std::string& text, std::size_t length);

}  // namespace juxta::files_detail
