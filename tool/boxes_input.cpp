// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/boxes_input.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/files/read_boxes.h"
#include "juxta/files/read_points.h"
#include "tool/console.h"
#include "tool/left_out.h"
#include "tool/mesh_input.h"

namespace juxta::tool {
namespace {

Result<BoxesInput> mesh_boxes(const std::string& file, const std::string& bytes, Monitor* monitor) {
  JUXTA_TRY_LET(auto parsed, parse_mesh(file, bytes, monitor));
  BoxesInput input;
  input.mesh = true;
  input.table.boxes = triangle_boxes(parsed.mesh);
  input.note = std::move(parsed.note);
  return input;
}

}  // namespace

Result<BoxesInput> load_boxes(const std::string& file, bool skip_bad, Monitor* monitor) {
  const Stopwatch watch;
  JUXTA_TRY_LET(const auto bytes, read_bytes(file, ~std::size_t{0}, {.monitor = monitor}));
  Result<BoxesInput> input;
  if (is_mesh(file, bytes)) {
    input = mesh_boxes(file, bytes, monitor);
  } else if (auto table = parse_boxes_csv(bytes, {.skip_bad = skip_bad}, {.monitor = monitor})) {
    input->table = std::move(*table);
  } else {
    input = tl::unexpected<Error>(std::move(table.error()));
  }
  if (input) {
    input->read_seconds = watch.seconds();
  }
  return input;
}

void tell_about(const BoxesInput& input, const std::string& file) {
  if (!input.note.empty()) {
    complain(input.note);
  }
  tell_left_out(input.table.skipped, file, input.table.size(), "boxes, numbered without them,");
}

void add_skip_bad(CLI::App& command, bool& skip_bad) {
  command.add_flag("--skip-bad", skip_bad,
                   "Leave out rows of boxes that cannot be read, and tell of them; else they are an error");
}

template <>
std::span<const Aabb3> boxes_of<3>(const BoxTable& table, std::vector<Aabb3>& /*storage*/) {
  return table.boxes;
}

template <>
std::span<const Aabb2> boxes_of<2>(const BoxTable& table, std::vector<Aabb2>& storage) {
  storage.reserve(table.size());
  std::transform(table.boxes.begin(), table.boxes.end(), std::back_inserter(storage), [](const Aabb3& box) {
    return Aabb2{{box.lo[0], box.lo[1]}, {box.hi[0], box.hi[1]}};
  });
  return storage;
}

}  // namespace juxta::tool
