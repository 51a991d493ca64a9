// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The slot table against a plain list of living Ids: creation, destruction, reorders, dead Ids, its state
// saved and restored; and restore() on arbitrary numbers, which it must refuse or turn into a table that
// works.
#include "juxta/core/id_table.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "fuzz/check.h"

namespace juxta::fuzz {
namespace {

/// living[row] is the Id in that row.
void check_agrees(const IdTable& table, const std::vector<Id>& living, const std::vector<Id>& dead) {
  JUXTA_FUZZ_CHECK(table.size() == living.size());
  for (std::uint32_t row = 0; row < living.size(); ++row) {
    JUXTA_FUZZ_CHECK(table.alive(living[row]) && table.id_of(row) == living[row]);
    const auto found = table.row_of(living[row]);
    JUXTA_FUZZ_CHECK(found && *found == row);
  }
  for (const Id id : dead) {
    JUXTA_FUZZ_CHECK(!table.alive(id) && !table.row_of(id));
  }
}

void reorder(IdTable& table, std::vector<Id>& living, FuzzedDataProvider& bytes) {
  std::vector<std::uint32_t> order(living.size());
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[bytes.ConsumeIntegralInRange<std::size_t>(0, i - 1)]);
  }
  if (!order.empty() && bytes.ConsumeBool()) {  // no permutation: refused, and nothing changes
    auto broken = order;
    broken[bytes.ConsumeIntegralInRange<std::size_t>(0, order.size() - 1)] =
        bytes.ConsumeIntegral<std::uint32_t>();
    if (!std::is_permutation(broken.begin(), broken.end(), order.begin())) {
      JUXTA_FUZZ_CHECK(!table.reorder(broken));
    }
  }
  JUXTA_FUZZ_CHECK(table.reorder(order).has_value());
  const auto before = living;
  for (std::size_t row = 0; row < order.size(); ++row) {
    living[row] = before[order[row]];
  }
}

void check_history(FuzzedDataProvider& bytes) {
  IdTable table;
  std::vector<Id> living, dead{Id{}};
  while (bytes.remaining_bytes() > 0) {
    const int action = bytes.ConsumeIntegralInRange<int>(0, 7);
    if (action <= 3) {
      const auto id = table.insert();
      JUXTA_FUZZ_CHECK(id.has_value());
      JUXTA_FUZZ_CHECK(std::find(dead.begin(), dead.end(), *id) == dead.end());
      living.push_back(*id);
    } else if (action <= 5 && !living.empty()) {
      const auto row = bytes.ConsumeIntegralInRange<std::size_t>(0, living.size() - 1);
      const auto removed = table.remove(living[row]);
      JUXTA_FUZZ_CHECK(removed && removed->row == row && removed->last == living.size() - 1);
      dead.push_back(living[row]);
      living[row] = living.back();
      living.pop_back();
      JUXTA_FUZZ_CHECK(!table.remove(dead.back()));
    } else if (action == 6) {
      reorder(table, living, bytes);
    } else {
      auto again = IdTable::restore(table.state());
      JUXTA_FUZZ_CHECK(again.has_value());
      table = std::move(*again);
    }
  }
  check_agrees(table, living, dead);
}

void check_restore(FuzzedDataProvider& bytes) {
  std::vector<std::uint32_t> generations(bytes.ConsumeIntegralInRange<std::size_t>(0, 12)), links;
  links.resize(bytes.ConsumeBool() ? generations.size() : bytes.ConsumeIntegralInRange<std::size_t>(0, 12));
  const auto number = [&] {  // mostly small, so that some states make sense
    return bytes.ConsumeIntegralInRange<int>(0, 3) == 0
               ? bytes.ConsumeIntegral<std::uint32_t>()
               : bytes.ConsumeIntegralInRange<std::uint32_t>(0, 12) - 1;
  };
  std::generate(generations.begin(), generations.end(), number);
  std::generate(links.begin(), links.end(), number);
  auto table = IdTable::restore({generations, links, number()});
  if (!table) {
    JUXTA_FUZZ_CHECK(table.error().code == ErrorCode::kCorruptFile);
    return;
  }
  std::vector<Id> living;
  for (std::uint32_t row = 0; row < table->size(); ++row) {
    living.push_back(table->id_of(row));
  }
  for (int i = 0; i < 20; ++i) {
    const auto id = table->insert();
    JUXTA_FUZZ_CHECK(id.has_value());
    living.push_back(*id);
  }
  check_agrees(*table, living, {});
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  if (bytes.ConsumeBool()) {
    juxta::fuzz::check_history(bytes);
  } else {
    juxta::fuzz::check_restore(bytes);
  }
  return 0;
}
