// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// docs/formats/xdmf.md shows such an index.
#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "juxta/files/output_file.h"
#include "juxta/files/svg_map.h"
#include "juxta/files/vtk_points.h"

namespace juxta {
namespace {

// In the order of the variant PointField::values.
constexpr std::array<const char*, 6> kNumbers = {"Float 4", "Float 8", "Int 4", "UInt 4", "Int 8", "UChar 1"};

/// A reference to an array of the file, within `indent` blanks.
std::string item(const XdmfStep& step, std::string_view array, std::string_view number,
                 std::uint32_t components, int indent) {
  const std::size_t gap = number.find(' ');
  const std::string extent =
      components == 1 ? fmt::format("{}", step.points) : fmt::format("{} {}", step.points, components);
  return fmt::format(
      "{:{}}<DataItem Dimensions=\"{}\" NumberType=\"{}\" Precision=\"{}\" Format=\"HDF\">{}:/VTKHDF/{}"
      "</DataItem>\n",
      "", indent, extent, number.substr(0, gap), number.substr(gap + 1), xml_escape(step.file),
      xml_escape(array));
}

std::string grid(const XdmfStep& step) {
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

}  // namespace

XdmfStep xdmf_step(const PointCloud& points, std::string file) {
  XdmfStep step{points.time, std::move(file), points.x.size(), {}};
  for (const PointField& field : points.fields) {
    step.fields.push_back({field.name, kNumbers[field.values.index()], field.components});
  }
  return step;
}

Result<void> write_xdmf(const std::filesystem::path& path, std::span<const XdmfStep> steps) {
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
