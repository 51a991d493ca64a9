// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/agents/changes.h"

#include "agents/store.h"

namespace juxta {

Changes::Changes(agents_detail::PopulationStore& store)
    : store_(&store), noted_(make_owned<agents_detail::NotedChanges>()) {}

void Changes::Newborn::put(std::uint32_t column, const void* value, std::size_t bytes) {
  const auto& columns = changes_.store_->columns;
  if (column < columns.size() && columns[column].bytes == bytes) {
    std::memcpy(changes_.noted_->born.data() + at_ + columns[column].at, value, bytes);
  }
}

Changes::Newborn Changes::spawn() {
  const std::size_t at = noted_->born.size();
  noted_->born.insert(noted_->born.end(), store_->newborn.begin(), store_->newborn.end());
  return {*this, at};
}

Changes::Newborn Changes::spawn_like(std::uint32_t parent_row) {
  const Newborn newborn = spawn();
  if (parent_row < store_->size()) {
    for (const agents_detail::ColumnData& column : store_->columns) {
      std::memcpy(noted_->born.data() + newborn.at_ + column.at,
                  column.data.data() + parent_row * column.bytes, column.bytes);
    }
  }
  return newborn;
}

void Changes::kill(std::uint32_t row) {
  if (row < store_->size()) {
    noted_->died.push_back(store_->ids.id_of(row).slot);
  }
}

}  // namespace juxta
