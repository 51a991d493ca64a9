// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A field to a file and back.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "core/os.h"
#include "core/path.h"
#include "grid/field_file.h"
#include "grid/field_store.h"
#include "juxta/core/isa.h"
#include "juxta/core/try.h"

namespace juxta {
namespace grid_detail {
namespace {

FieldFileHeader header_of(const FieldOptions& options) noexcept {
  FieldFileHeader header{};
  header.magic = kFieldFormat.magic;
  header.version = kFieldFormat.version;
  header.byte_order = core_detail::kByteOrder;
  header.dimensions = options.world.dimensions;
  header.components = options.components;
  header.cells = options.cells;
  for (std::uint32_t axis = 0; axis < options.world.dimensions; ++axis) {
    header.edges[axis] = static_cast<std::uint32_t>(options.world.edges[axis]);
    header.lo[axis] = options.world.lo[axis];
    header.hi[axis] = options.world.hi[axis];
  }
  return header;
}

/// What the header says, as far as it makes sense.
Result<FieldOptions> options_of(const FieldFileHeader& header) {
  FieldOptions options;
  options.world.dimensions = header.dimensions;
  options.components = header.components;
  options.cells = header.cells;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    if (header.edges[axis] > static_cast<std::uint32_t>(Edge::kPeriodic)) {
      return kFieldFormat.corrupt("there is no such edge", offsetof(FieldFileHeader, edges));
    }
    options.world.edges[axis] = static_cast<Edge>(header.edges[axis]);
    options.world.lo[axis] = header.lo[axis];
    options.world.hi[axis] = header.hi[axis];
  }
  if (const auto checked = check_options(options); !checked) {
    return kFieldFormat.corrupt("there is no such field (" + checked.error().message + ")",
                                offsetof(FieldFileHeader, dimensions));
  }
  return options;
}

/// Fields are equal exactly if their files are: what is not used is 0.
bool rest_is_zero(std::span<const std::byte> file, const FieldFileHeader& header) noexcept {
  const auto rest = file.subspan(sizeof header, core_detail::kHeaderBytes - sizeof header);
  const bool flat = header.dimensions == 2;
  return std::all_of(rest.begin(), rest.end(), [](std::byte b) { return b == std::byte{0}; }) &&
         (!flat || (header.edges[2] == 0 && std::bit_cast<std::uint32_t>(header.lo[2]) == 0 &&
                    std::bit_cast<std::uint32_t>(header.hi[2]) == 0));  // -0 is not written either
}

Result<Owned<FieldStore>> read_field(std::span<const std::byte> file, std::pmr::memory_resource* resource) {
  JUXTA_TRY(kFieldFormat.check_head(file));
  FieldFileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  JUXTA_TRY_LET(const FieldOptions options, options_of(header));
  if (!rest_is_zero(file, header)) {
    return kFieldFormat.corrupt("the rest of the header is not 0", sizeof header);
  }
  std::size_t cells = 1;
  for (const std::uint32_t along : options.cells) {
    if (!core_detail::may_hold(file, along, cells * sizeof(float))) {
      return kFieldFormat.corrupt("the file has fewer bytes than the counts in its header ask for",
                                  offsetof(FieldFileHeader, cells));
    }
    cells *= along;
  }
  const std::size_t bytes = core_detail::padded_to_section(cells * sizeof(float));
  JUXTA_TRY(
      kFieldFormat.check_whole(file, core_detail::kHeaderBytes + std::uint64_t{options.components} * bytes));
  auto store = make_owned<FieldStore>(options, resource);
  for (std::uint32_t c = 0; c < options.components; ++c) {
    const std::size_t begin = core_detail::kHeaderBytes + c * bytes;
    float* const values = store->planes[c].data();
    std::memcpy(values, file.data() + begin, cells * sizeof(float));
    if (const std::size_t bad = first_not_finite(values, cells); bad < cells) {
      return kFieldFormat.corrupt("a value is not finite", begin + bad * sizeof(float));
    }
  }
  return store;
}

}  // namespace
}  // namespace grid_detail

Result<void> Field::save(std::string_view path) const {
  if (store_->over) {
    return fail(ErrorCode::kInvalidArgument,
                "This field is on several ranks. Call gather() and save the result.");
  }
  const grid_detail::FieldStore& store = *store_;
  for (std::uint32_t c = 0; c < store.options.components; ++c) {
    if (const std::size_t bad = grid_detail::first_not_finite(store.planes[c].data(), store.cells);
        bad < store.cells) {
      return fail(
          ErrorCode::kNotFinite,
          "The value of " + grid_detail::name_of_cell(store, c, bad) + " is not finite. Set it again.", bad);
    }
  }
  const grid_detail::FieldFileHeader header = grid_detail::header_of(store.options);
  std::array<std::byte, core_detail::kHeaderBytes> head{};
  std::memcpy(head.data(), &header, sizeof header);
  const auto pieces = [&](core_detail::FlatSink sink) -> Result<void> {
    for (const Array<float>& plane : store.planes) {
      JUXTA_TRY(core_detail::put_section(std::as_bytes(plane.span()), sink));
    }
    return {};
  };
  return grid_detail::kFieldFormat.save(path_of(path), head, pieces);
}

Result<Field> Field::load(std::string_view path, std::pmr::memory_resource* resource) {
  const auto prefix = [&](Error error) {
    if (error.code == ErrorCode::kCorruptFile) {
      error.message = std::string(path) + ": " + error.message;
    }
    return error;
  };
  return active_isa()
      .and_then([&](Isa) { return core_detail::MappedFile::open(path_of(path)); })
      .and_then([&](core_detail::MappedFile file) { return grid_detail::read_field(file.bytes(), resource); })
      .map([](Owned<grid_detail::FieldStore> store) { return Field(std::move(store)); })
      .map_error(prefix);
}

}  // namespace juxta
