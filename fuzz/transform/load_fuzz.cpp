// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// load() on arbitrary bytes and on damaged copies of saved files, most of them with a checksum that fits
// again, as an attacker would: it loads or refuses. Whatever loads holds together: its tree is a tree,
// reading agrees with propagating, and it takes changes.
#include <cmath>
#include <cstring>
#include <string>

#include "fuzz/check.h"
#include "fuzz/damage.h"
#include "scenes/draws.h"
#include "transform/hierarchy_file.h"
#include "transform/history.h"

namespace juxta::fuzz {
namespace {

using transform_detail::HierarchyFileHeader;

const ScratchFile& scratch() {
  static const ScratchFile file("hierarchy_load_fuzz");
  return file;
}

/// The file of a hierarchy with links, holes, dead names, flags, things not propagated; or fresh from a
/// build.
std::string saved(std::uint32_t nodes, bool lived_in, bool history) {
  scenes::Draws draws(nodes);
  test::History<scenes::Draws> one(draws, {.most = nodes, .history = history, .destroyed = lived_in});
  JUXTA_FUZZ_CHECK(one.create_tree(test::Tree::kRandom, nodes).empty());
  for (std::uint32_t i = 0; lived_in && i < 100; ++i) {
    static_cast<void>(i % 25 == 0 ? one.propagate() : one.change());
  }
  return scratch().saved(one.hierarchy);
}

const std::string& pristine(std::size_t which) {
  static const std::vector<std::string> files{saved(0, false, false),  saved(1, false, true),
                                              saved(30, false, false), saved(30, true, false),
                                              saved(30, true, true),   saved(1500, true, false)};
  return files[which % files.size()];
}

/// In the header or in one section.
std::string damaged(FuzzedDataProvider& bytes) {
  std::string file = pristine(bytes.ConsumeIntegral<std::uint8_t>());
  HierarchyFileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  damage(bytes, file, parts_of(header, transform_detail::HierarchyFileLayout(header)), 1100,
         [](std::string& damaged) { seal(damaged, transform_detail::kHierarchyFormat); });
  return file;
}

/// Every node once, below its parent; nobody above himself.
std::vector<Id> check_tree(const Hierarchy& hierarchy) {
  std::vector<Id> ids, reached;
  hierarchy.for_each([&](Id id) {
    ids.push_back(id);
    if (hierarchy.parent(id).value() == Id{}) {
      reached.push_back(id);
    }
  });
  JUXTA_FUZZ_CHECK(ids.size() == hierarchy.size());
  JUXTA_FUZZ_CHECK(reached.size() == hierarchy.stats().roots);
  for (std::size_t i = 0; i < reached.size() && reached.size() <= ids.size(); ++i) {
    const Id parent = reached[i];
    JUXTA_FUZZ_CHECK(hierarchy.alive(parent));
    JUXTA_FUZZ_CHECK(hierarchy
                         .for_each_child(parent,
                                         [&](Id child) {
                                           JUXTA_FUZZ_CHECK(hierarchy.parent(child).value() == parent);
                                           reached.push_back(child);
                                         })
                         .has_value());
  }
  JUXTA_FUZZ_CHECK(reached.size() == ids.size());
  return ids;
}

/// A file may say that all versions are used up.
bool propagate(Hierarchy& hierarchy) {
  const auto done = hierarchy.propagate();
  JUXTA_FUZZ_CHECK(done.has_value() || done.error().code == ErrorCode::kTooLarge);
  return done.has_value();
}

/// What is read before propagating is what is there after it. (A file may hold worlds that no calls lead to,
/// so a plain tree has nothing to say about them.)
void check_worlds(Hierarchy& hierarchy, const std::vector<Id>& ids) {
  std::vector<Qvvs> before(ids.size()), after(ids.size());
  JUXTA_FUZZ_CHECK(hierarchy.world(ids, before).has_value());
  if (!propagate(hierarchy)) {
    return;
  }
  JUXTA_FUZZ_CHECK(hierarchy.world(ids, after).has_value());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const float sum = before[i].position.x + before[i].position.y + before[i].position.z;
    JUXTA_FUZZ_CHECK(!std::isfinite(sum) || test::same_bits(before[i], after[i]));
  }
}

void use(Hierarchy& hierarchy) {
  std::vector<Id> ids = check_tree(hierarchy);
  check_worlds(hierarchy, ids);
  scenes::Draws draws(3);
  const auto some = [&] { return ids[draws.below(static_cast<std::uint32_t>(ids.size()))]; };
  for (int i = 0; i < 40; ++i) {
    ids.push_back(hierarchy.insert(test::draw_local(draws, true), ids.empty() ? Id{} : Id{some()})
                      .value_or(ids.empty() ? Id{} : ids[0]));
    static_cast<void>(hierarchy.set_position(some(), test::draw_vector(draws, 5)));
    static_cast<void>(hierarchy.reparent(some(), some(), i % 2 == 0 ? Keep::kWorld : Keep::kLocal));
    static_cast<void>(hierarchy.set_inherit(some(), test::draw_inherit(draws, test::Flags::kMixed)));
    static_cast<void>(hierarchy.remove(some(), i % 3 == 0 ? Children::kDestroy : Children::kToAncestor));
    if (i % 10 == 0) {
      static_cast<void>(hierarchy.begin_step());
      hierarchy.shrink();
      propagate(hierarchy);
    }
  }
  ids = check_tree(hierarchy);
  check_worlds(hierarchy, ids);
  JUXTA_FUZZ_CHECK(hierarchy.save(scratch().path().string()).has_value());
  JUXTA_FUZZ_CHECK(Hierarchy::load(scratch().path().string()).has_value());
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta;
  FuzzedDataProvider bytes(data, size);
  const bool arbitrary = bytes.ConsumeIntegralInRange<int>(0, 15) == 0;
  fuzz::scratch().write(arbitrary ? bytes.ConsumeRemainingBytesAsString() : fuzz::damaged(bytes));
  auto loaded = Hierarchy::load(fuzz::scratch().path().string());
  if (!loaded) {
    JUXTA_FUZZ_CHECK(!loaded.error().message.empty());
    return 0;
  }
  fuzz::use(*loaded);
  return 0;
}
