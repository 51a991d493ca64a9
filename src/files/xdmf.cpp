// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// docs/formats/xdmf.md shows such an index.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "core/path.h"
#include "files/cell_image.h"
#include "juxta/files/output_file.h"
#include "juxta/files/svg_map.h"
#include "juxta/files/vtk_cells.h"
#include "juxta/files/vtk_points.h"

namespace juxta {
namespace {

// In the order of the variant PointField::values.
constexpr std::array<const char*, 6> kNumbers = {"Float 4", "Float 8", "Int 4", "UInt 4", "Int 8", "UChar 1"};

/// "z y x": grids are told backwards.
template <class T>
std::string backwards(const std::array<T, 3>& numbers, T more) {
  return fmt::format("{} {} {}", numbers[2] + more, numbers[1] + more, numbers[0] + more);
}

/// A reference to an array of the file, within `indent` blanks.
std::string item(const XdmfStep& step, std::string_view array, std::string_view number,
                 std::uint32_t components, int indent) {
  const std::size_t gap = number.find(' ');
  const std::string extent = step.grid         ? backwards(step.grid->points, 0U)
                             : components == 1 ? fmt::format("{}", step.points)
                                               : fmt::format("{} {}", step.points, components);
  return fmt::format(
      "{:{}}<DataItem Dimensions=\"{}\" NumberType=\"{}\" Precision=\"{}\" Format=\"HDF\">{}:/VTKHDF/{}"
      "</DataItem>\n",
      "", indent, extent, number.substr(0, gap), number.substr(gap + 1), xml_escape(step.file),
      xml_escape(array));
}

std::string cells(const XdmfStep& step) {
  const auto corner = [](const char* name, const std::array<double, 3>& numbers) {
    return fmt::format(
        "          <DataItem Name=\"{}\" Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" "
        "Format=\"XML\">{}</DataItem>\n",
        name, backwards(numbers, 0.0));
  };
  std::string out = fmt::format(
      "      <Grid Name=\"cells\" GridType=\"Uniform\">\n"
      "        <Time Value=\"{}\"/>\n"
      "        <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"{}\"/>\n"
      "        <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n{}{}        </Geometry>\n",
      step.time, backwards(step.grid->points, 0U), corner("Origin", step.grid->origin),
      corner("Spacing", step.grid->spacing));
  for (const XdmfStep::Field& field : step.fields) {
    out += fmt::format("        <Attribute Name=\"{}\" AttributeType=\"Scalar\" Center=\"Node\">\n",
                       xml_escape(field.name));
    out += item(step, "PointData/" + field.name, field.number, 1, 10);
    out += "        </Attribute>\n";
  }
  return out + "      </Grid>\n";
}

std::string grid(const XdmfStep& step) {
  if (step.grid) {
    return cells(step);
  }
  std::string out = fmt::format(
      "      <Grid Name=\"points\" GridType=\"Uniform\">\n"
      "        <Time Value=\"{}\"/>\n"
      "        <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\" NodesPerElement=\"1\">\n",
      step.time, step.points);
  out += item(step, "Connectivity", "Int 8", 1, 10);
  out += "        </Topology>\n        <Geometry GeometryType=\"XYZ\">\n";
  out += item(step, "Points", "Float 4", 3, 10);
  out += "        </Geometry>\n";
  for (const XdmfStep::Field& field : step.fields) {
    out += fmt::format("        <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">\n",
                       xml_escape(field.name), field.components == 1 ? "Scalar" : "Vector");
    out += item(step, "PointData/" + field.name, field.number, field.components, 10);
    out += "        </Attribute>\n";
  }
  return out + "      </Grid>\n";
}

/// Text of XML as it was before xml_escape().
std::string unescaped(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 4> kSigns = {
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}}};
  std::string out;
  while (!text.empty()) {
    const auto sign = std::ranges::find_if(kSigns, [&](const auto& s) { return text.starts_with(s.first); });
    out += sign == kSigns.end() ? text.front() : sign->second;
    text.remove_prefix(sign == kSigns.end() ? 1 : sign->first.size());
  }
  return out;
}

/// What stands between two words of a line; empty when they are not there.
std::string_view between(std::string_view line, std::string_view before, std::string_view after) {
  const std::size_t at = line.find(before);
  if (at == std::string_view::npos) {
    return {};
  }
  line.remove_prefix(at + before.size());
  return line.substr(0, std::min(line.find(after), line.size()));
}

template <class T>
bool read_number(std::string_view text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

/// "Float 4"
std::string number_of(std::string_view line) {
  return fmt::format("{} {}", between(line, "NumberType=\"", "\""), between(line, "Precision=\"", "\""));
}

/// "3 2 1" as 1, 2 and 3; false: no three numbers.
template <class T>
bool read_backwards(std::string_view text, std::array<T, 3>& numbers) {
  const std::size_t first = text.find(' '), second = text.find(' ', std::min(first, text.size() - 1) + 1);
  return first != std::string_view::npos && second != std::string_view::npos &&
         read_number(text.substr(0, first), numbers[2]) &&
         read_number(text.substr(first + 1, second - first - 1), numbers[1]) &&
         read_number(text.substr(second + 1), numbers[0]);
}

/// A line about the cells of a grid.
bool read_grid_line(std::string_view line, XdmfStep& step) {
  if (line.find("\"3DCoRectMesh\"") != std::string_view::npos) {
    XdmfGrid& grid = step.grid.emplace();
    const bool good = read_backwards(between(line, "Dimensions=\"", "\""), grid.points);
    step.points = std::size_t{grid.points[0]} * grid.points[1] * grid.points[2];
    return good;
  }
  const std::string_view corner = between(line, "Format=\"XML\">", "<");
  if (corner.empty()) {
    return true;
  }
  const bool origin = line.find("\"Origin\"") != std::string_view::npos;
  return step.grid && read_backwards(corner, origin ? step.grid->origin : step.grid->spacing);
}

/// One line of an index; false: not as write_xdmf() writes it.
bool read_line(std::string_view line, std::vector<XdmfStep>& steps) {
  if (const std::string_view time = between(line, "<Time Value=\"", "\""); !time.empty()) {
    return read_number(time, steps.emplace_back().time);
  }
  const std::string_view array = between(line, ":/VTKHDF/", "<");
  if (array.empty()) {
    return steps.empty() || read_grid_line(line, steps.back());
  }
  if (steps.empty()) {
    return false;
  }
  XdmfStep& step = steps.back();
  step.file = unescaped(between(line, "\"HDF\">", ":/VTKHDF/"));
  const std::string_view extent = between(line, "Dimensions=\"", "\"");
  const std::size_t gap = std::min(extent.find(' '), extent.size());
  if (array.starts_with("PointData/")) {
    step.fields.push_back(
        {unescaped(array.substr(10)), number_of(line), step.grid || gap == extent.size() ? 1u : 3u});
  }
  return step.grid || read_number(extent.substr(0, gap), step.points);
}

}  // namespace

Result<std::vector<XdmfStep>> read_xdmf(std::string_view path) {
  std::ifstream in(path_of(path), std::ios::binary);
  if (!in) {
    return fail(ErrorCode::kIo, fmt::format("cannot read {}", path));
  }
  std::vector<XdmfStep> steps;
  std::string line;
  for (std::uint64_t number = 1; std::getline(in, line); ++number) {
    if (!read_line(line, steps)) {
      Error error;
      error.code = ErrorCode::kParse;
      error.message = fmt::format("{}: no index of snapshots as Juxta writes it: give another folder", path);
      error.line = number;
      return tl::unexpected<Error>(std::move(error));
    }
  }
  return steps;
}

XdmfStep xdmf_step(const PointCloud& points, std::string file) {
  XdmfStep step{points.time, std::move(file), points.x.size(), {}, {}};
  for (const PointField& field : points.fields) {
    step.fields.push_back({field.name, kNumbers[field.values.index()], field.components});
  }
  return step;
}

XdmfStep xdmf_step(const CellImage& grid, std::string file) {
  const XdmfGrid image = files_detail::image_of(grid);
  XdmfStep step{grid.time,
                std::move(file),
                std::size_t{image.points[0]} * image.points[1] * image.points[2],
                {},
                image};
  for (const PointField& field : grid.fields) {
    step.fields.push_back({field.name, kNumbers[field.values.index()], 1});
  }
  return step;
}

Result<void> write_xdmf(std::string_view path, std::span<const XdmfStep> steps) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
      "<Xdmf Version=\"3.0\">\n"
      "  <Domain>\n"
      "    <Grid Name=\"points\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (const XdmfStep& step : steps) {
    out += grid(step);
  }
  return write_file(path, out + "    </Grid>\n  </Domain>\n</Xdmf>\n");
}

}  // namespace juxta
