// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/agents/population.h"

#include <array>
#include <string>
#include <utility>

#include "agents/store.h"
#include "juxta/core/executor.h"

namespace juxta {
namespace {

constexpr std::size_t kRangeRows = 1024;
constexpr std::array<std::string_view, 3> kExtents = {"ex", "ey", "ez"};

tl::unexpected<Error> taken(std::string_view name) {
  return fail(ErrorCode::kInvalidArgument,
              name.empty() ? std::string("a column needs a name")
                           : "there is a column \"" + std::string(name) + "\": take another name");
}

}  // namespace

Population::Population(Owned<agents_detail::PopulationStore> store) noexcept : store_(std::move(store)) {}

std::string_view Population::name() const noexcept {
  return store_->name;
}
const World& Population::world() const noexcept {
  return store_->world;
}
std::size_t Population::size() const noexcept {
  return store_->size();
}

Result<std::uint32_t> Population::add_raw_column(std::string_view name, ColumnKind kind, std::size_t bytes,
                                                 const void* initial) {
  if (name.empty() || store_->find(name) != nullptr) {
    return taken(name);
  }
  store_->add(name, kind, bytes, initial);
  return static_cast<std::uint32_t>(store_->columns.size() - 1);
}

namespace {

Result<void> add_floats(agents_detail::PopulationStore& store, std::initializer_list<std::string_view> names,
                        ColumnKind kind) {
  for (const auto* name = names.begin(); name != names.end(); ++name) {
    if (name->empty() || store.find(*name) != nullptr || std::find(names.begin(), name, *name) != name) {
      return taken(*name);
    }
  }
  const float zero = 0;
  for (const std::string_view name : names) {
    store.add(name, kind, sizeof zero, &zero);
  }
  return {};
}

}  // namespace

Result<void> Population::add_columns(std::initializer_list<std::string_view> names) {
  return add_floats(*store_, names, ColumnKind::kFloat);
}

Result<void> Population::add_results(std::initializer_list<std::string_view> names) {
  return add_floats(*store_, names, ColumnKind::kResult);
}

Result<void> Population::add_extents() {
  const std::uint32_t dimensions = store_->world.dimensions;
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    if (store_->find(kExtents[axis]) != nullptr) {
      return taken(kExtents[axis]);
    }
  }
  const auto first = static_cast<std::uint32_t>(store_->columns.size());
  const float zero = 0;
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    store_->add(kExtents[axis], ColumnKind::kFloat, sizeof zero, &zero);
  }
  store_->extents = first;
  ++store_->changed;
  ++store_->members;
  return {};
}

bool Population::has_extents() const noexcept {
  return store_->extents != Column<float>::kNone;
}

Result<Column<Id>> Population::add_references(std::string_view name, const Population& target) {
  if (target.store_->family != store_->family) {
    return fail(ErrorCode::kInvalidArgument,
                "\"" + target.store_->name + "\" is a population of another simulation: name one of this");
  }
  const Id nobody{};
  return as_column<Id>(
      add_raw_column(name, ColumnKind::kReference, sizeof nobody, &nobody).map([&](std::uint32_t index) {
        store_->columns[index].target = target.store_->name;
        return index;
      }));
}

Result<std::uint32_t> Population::find_raw_column(std::string_view name, ColumnKind kind,
                                                  std::size_t bytes) const {
  const agents_detail::ColumnData* const column = store_->find(name);
  if (column == nullptr) {
    return fail(ErrorCode::kNotFound,
                "\"" + store_->name + "\" has no column \"" + std::string(name) + "\": add_column() first");
  }
  // A reference is asked for as an Id, which is kOther to column_kind(), a result as a float.
  const ColumnKind known = column->kind == ColumnKind::kReference ? ColumnKind::kOther
                           : column->kind == ColumnKind::kResult  ? ColumnKind::kFloat
                                                                  : column->kind;
  if (known != kind || column->bytes != bytes) {
    return fail(ErrorCode::kInvalidArgument, "the column \"" + std::string(name) +
                                                 "\" is of another type: ask for the one it was made with");
  }
  return static_cast<std::uint32_t>(column - store_->columns.data());
}

std::size_t Population::column_count() const noexcept {
  return store_->columns.size();
}
std::string_view Population::column_name(std::size_t index) const noexcept {
  return store_->columns[index].name;
}
ColumnKind Population::kind_of(std::size_t index) const noexcept {
  return store_->columns[index].kind;
}

const void* Population::raw_column(std::uint32_t index, std::size_t bytes) const noexcept {
  const auto& columns = store_->columns;
  return index < columns.size() && columns[index].bytes == bytes ? columns[index].data.data() : nullptr;
}

void* Population::raw_column_to_write(std::uint32_t index, std::size_t bytes) noexcept {
  auto& columns = store_->columns;
  if (index >= columns.size() || columns[index].bytes != bytes) {
    return nullptr;
  }
  store_->changed += store_->is_place(index);
  columns[index].unchecked = columns[index].kind == ColumnKind::kReference;
  return columns[index].data.data();
}

bool Population::alive(Id id) const noexcept {
  return store_->ids.alive(id);
}
Id Population::id_of(std::uint32_t row) const noexcept {
  return store_->ids.id_of(row);
}
Result<std::uint32_t> Population::row_of(Id id) const {
  return store_->ids.row_of(id);
}

void Population::rows_of(std::span<const Id> ids, std::span<std::uint32_t> rows) const noexcept {
  const auto links = store_->ids.state().links;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    rows[i] = store_->ids.alive(ids[i]) ? links[ids[i].slot] : kNoRow;
  }
}

Result<std::uint32_t> Population::insert(std::size_t count) {
  return store_->append(count);
}

Changes& Population::changes() noexcept {
  return store_->changes;
}

Result<void> Population::for_each(FunctionRef<void(std::uint32_t row, Changes& changes)> body,
                                  const Context& context) {
  const std::size_t first_range = store_->ranges_used;
  const std::size_t count = (size() + kRangeRows - 1) / kRangeRows;
  store_->begin_ranges(count);
  store_->ranges_used += count;
  store_->calls.push_back(first_range);
  executor_or_serial(context.executor)
      .parallel_for(size(), kRangeRows, [&](std::size_t first, std::size_t last) {
        Changes& changes = *store_->ranges[first_range + first / kRangeRows];
        for (std::size_t row = first; row < last; ++row) {
          body(static_cast<std::uint32_t>(row), changes);
        }
      });
  return {};
}

std::size_t Population::memory_bytes() const noexcept {
  const IdTable::State ids = store_->ids.state();
  std::size_t total = ids.generations.size_bytes() + ids.links.size_bytes() + size() * sizeof(std::uint32_t) +
                      store_->scratch.memory_bytes() + store_->directory.memory_bytes() +
                      store_->skin.memory_bytes();
  if (store_->distribution) {
    total += store_->distribution->memory_bytes();
  }
  for (const agents_detail::ColumnData& column : store_->columns) {
    total += column.data.memory_bytes() + column.spare.memory_bytes();
  }
  return total;
}

}  // namespace juxta
