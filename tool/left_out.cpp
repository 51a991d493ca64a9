// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/left_out.h"

#include <fmt/format.h>

#include "tool/answers.h"
#include "tool/console.h"

namespace juxta::tool {
namespace {

std::string shown(const std::string& file) {
  return file == "-" ? "standard input" : file;
}

}  // namespace

void tell_left_out(const SkippedRows& skipped, const std::string& file, std::size_t left,
                   std::string_view what) {
  for (const Error& why : skipped.first) {
    complain(why, file);
  }
  if (skipped.count != 0) {
    complain(fmt::format(
        "{}: left out {} that cannot be read{}; {} {} are left", shown(file), grouped(skipped.count),
        skipped.count > SkippedRows::kTold ? fmt::format(", the first {} of them above", SkippedRows::kTold)
                                           : "",
        grouped(left), what));
  }
}

void tell_left_out(const PointTable& table, const std::string& file) {
  tell_left_out(table.skipped, file, table.size(), "points");
  if (const auto count = table.without_place; count != 0) {
    complain(fmt::format("{}: left out {} feature{} without a place (null geometry)", shown(file),
                         grouped(count), count == 1 ? "" : "s"));
  }
}

}  // namespace juxta::tool
