// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a simulation without its agents.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agents/simulation_store.h"
#include "agents/store.h"
#include "grid/field_ranks.h"
#include "juxta/agents/simulation.h"
#include "juxta/core/error.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {

/// What a simulation is like, without its agents: bytes that another rank can read.
class Blueprint {
 public:
  [[nodiscard]] static std::vector<std::byte> of(const SimulationStore& simulation) {
    Blueprint print;
    for_each_number(simulation, [&](const auto& number) { print.put(number); });
    print.put(simulation.populations.size());
    for (const auto& population : simulation.populations) {
      const PopulationStore& store = PopulationStore::of(*population);
      print.put_bytes(store.name.data(), store.name.size());
      print.put(store.extents);
      print.put(store.columns.size());
      for (const ColumnData& column : store.columns) {
        print.put_bytes(column.name.data(), column.name.size());
        print.put(column.kind);
        print.put_bytes(column.initial.data(), column.initial.size());
        print.put_bytes(column.target.data(), column.target.size());
      }
    }
    print.put(simulation.fields.size());
    for (const auto& field : simulation.fields) {
      print.put(record_of(*field));
      print.put_bytes(field->name.data(), field->name.size());
    }
    return std::move(print.bytes_);
  }

  /// The same populations, columns and fields in a simulation that has none. The values of fields
  /// are not set.
  [[nodiscard]] static Result<void> build(std::vector<std::byte> bytes, SimulationStore& store,
                                          Simulation& simulation) {
    Blueprint print;
    print.bytes_ = std::move(bytes);
    for_each_number(store, [&](auto& number) { print.take(number); });
    auto populations = print.take_value<std::size_t>();
    for (; populations > 0; --populations) {
      JUXTA_TRY_LET(Population* const population, simulation.add_population(print.take_text()));
      PopulationStore& of = PopulationStore::of(*population);
      print.take(of.extents);
      const auto columns = print.take_value<std::size_t>();
      for (std::size_t c = 0; c < columns; ++c) {
        const std::string name = print.take_text();
        const auto kind = print.take_value<ColumnKind>();
        const std::string initial = print.take_text(), target = print.take_text();
        if (c >= of.columns.size()) {  // x, y and z are there
          of.add(name, kind, initial.size(), initial.data()).target = target;
        }
      }
    }
    auto fields = print.take_value<std::size_t>();
    for (; fields > 0; --fields) {
      JUXTA_TRY_LET(const FieldOptions options,
                    options_of(print.take_value<FieldRecord>(), store.world.dimensions));
      const std::string name = print.take_text();
      JUXTA_TRY_LET(Field field, grid_detail::FieldParts::build_unset(options, store.resource));
      store.fields.push_back(std::make_unique<NamedField>(NamedField{name, std::move(field)}));
    }
    return {};
  }

 private:
  /// Field by field: a World has padding, whose bytes may differ.
  template <class Store, class Visit>
  static void for_each_number(Store& simulation, Visit&& visit) {
    visit(simulation.world.dimensions);
    visit(simulation.world.edges);
    visit(simulation.world.lo);
    visit(simulation.world.hi);
    visit(simulation.seed);
    visit(simulation.step);
  }
  template <class T>
  void put(const T& value) {
    const auto* const from = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), from, from + sizeof value);
  }
  void put_bytes(const void* data, std::size_t size) {
    put(size);
    const auto* const from = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  template <class T>
  void take(T& value) {
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
  }
  template <class T>
  [[nodiscard]] T take_value() {
    T value{};
    take(value);
    return value;
  }
  [[nodiscard]] std::string take_text() {
    const auto size = take_value<std::size_t>();
    std::string text(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
    at_ += size;
    return text;
  }

  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace juxta::agents_detail
