// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Everything that a hierarchy refuses: the code, the Id in the message, the index of a bulk call, and not a
// byte of it changed.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/saved_bytes.h"
#include "transform/values.h"

namespace juxta {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr auto kInvalid = ErrorCode::kInvalidArgument;

/// A transform with one bad number in each of its places.
template <class Transform>
std::vector<Transform> spoiled(const Transform& good, std::initializer_list<float Transform::*> own) {
  std::vector<Transform> all;
  for (const float bad : {kNan, kInf, -kInf}) {
    for (const auto number : {&Quat::x, &Quat::y, &Quat::z, &Quat::w}) {
      all.push_back(good);
      all.back().rotation.*number = bad;
    }
    for (const auto number : {&Vec3::x, &Vec3::y, &Vec3::z}) {
      all.push_back(good);
      all.back().position.*number = bad;
    }
    for (const auto number : own) {
      all.push_back(good);
      all.back().*number = bad;
    }
  }
  return all;
}

class TransformRefusal : public testing::Test {
 protected:
  void SetUp() override {
    scenes::Draws draws(1);
    const auto nodes = test::draw_tree(draws, test::Tree::kRandom, 200, test::Flags::kExact, false);
    ids_.resize(nodes.size());
    ASSERT_TRUE(hierarchy_.insert(nodes, ids_));
    ASSERT_TRUE(hierarchy_.propagate());
    stale_ = ids_[150];
    ASSERT_TRUE(hierarchy_.remove(stale_, Children::kToAncestor));
    reused_ = hierarchy_.insert({}, ids_[3]).value();
    ids_.erase(ids_.begin() + 150);
    while (!(hierarchy_.parent(ids_[top_]).value() == Id{}) || !has_child(ids_[top_])) {
      ++top_;
    }
    child_ = 0;
    while (!(hierarchy_.parent(ids_[child_]).value() == ids_[top_])) {
      ++child_;
    }
    ASSERT_TRUE(hierarchy_.propagate());
    before_ = test::saved_bytes(hierarchy_);
    seen_ = seen();
    version_ = hierarchy_.version();
  }
  void TearDown() override {
    EXPECT_TRUE(seen_ == seen()) << "something was changed";
    if (to_the_byte_) {
      EXPECT_TRUE(before_ == test::saved_bytes(hierarchy_)) << "something inside was changed";
    }
    EXPECT_EQ(hierarchy_.propagate()->version, version_) << "there is nothing to do";
  }

  /// All that users can see of a node.
  struct Seen {
    Id id, parent;
    Qvvs world;
    LocalTransform local;
    Inherit inherit;
    std::uint64_t changed_at;
    bool operator==(const Seen&) const = default;
  };
  [[nodiscard]] std::vector<Seen> seen() const {
    std::vector<Seen> all;
    hierarchy_.for_each([&](Id id) {
      all.push_back({id, hierarchy_.parent(id).value(), hierarchy_.world(id).value(),
                     hierarchy_.local(id).value(), hierarchy_.inherit(id).value(),
                     hierarchy_.changed_at(id).value()});
    });
    return all;
  }

  bool has_child(Id id) {
    bool found = false;
    EXPECT_TRUE(hierarchy_.for_each_child(id, [&](Id) { found = true; }));
    return found;
  }
  /// `named`: the Id in the message.
  template <class T>
  void refused(const Result<T>& result, ErrorCode code, Id named, std::uint64_t index = Error::kNowhere) {
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(test::code_of(result), code) << result.error().message;
    EXPECT_EQ(result.error().index, index) << result.error().message;
    EXPECT_NE(result.error().message.find(std::to_string(named.slot)), std::string::npos)
        << result.error().message;
    EXPECT_NE(result.error().message.find(std::to_string(named.generation)), std::string::npos)
        << result.error().message;
  }
  template <class T>
  void refused(const Result<T>& result, ErrorCode code) {
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(test::code_of(result), code) << result.error().message;
    EXPECT_FALSE(result.error().message.empty());
  }

  Hierarchy hierarchy_{{.history = true}};
  std::vector<Id> ids_;
  Id stale_, reused_;
  std::size_t top_ = 0, child_ = 0;  // a root with children, one of them
  std::vector<char> before_;
  std::vector<Seen> seen_;
  std::uint64_t version_ = 0;
  bool to_the_byte_ = true;
};

TEST_F(TransformRefusal, DeadIds) {
  const Hierarchy& reader = hierarchy_;
  for (const Id dead : {stale_, Id{12345678, 1}, Id{reused_.slot, reused_.generation + 2}, Id{}}) {
    SCOPED_TRACE(dead.slot);
    constexpr auto kDead = ErrorCode::kNotFound;
    EXPECT_FALSE(reader.alive(dead));
    refused(reader.parent(dead), kDead, dead);
    refused(reader.for_each_child(dead, [](Id) {}), kDead, dead);
    refused(reader.local(dead), kDead, dead);
    refused(reader.world(dead), kDead, dead);
    refused(reader.inherit(dead), kDead, dead);
    refused(reader.changed_at(dead), kDead, dead);
    refused(reader.previous(dead), kDead, dead);
    refused(reader.two_ago(dead), kDead, dead);
    refused(hierarchy_.remove(dead), kDead, dead);
    refused(hierarchy_.remove(dead, Children::kToAncestor), kDead, dead);
    refused(hierarchy_.reparent(dead, ids_[0]), kDead, dead);
    refused(hierarchy_.set_local(dead, {}), kDead, dead);
    refused(hierarchy_.set_position(dead, {}), kDead, dead);
    refused(hierarchy_.set_world(dead, {}), kDead, dead);
    refused(hierarchy_.set_stretch(dead, {1, 1, 1}), kDead, dead);
    refused(hierarchy_.set_context(dead, 1), kDead, dead);
    refused(hierarchy_.set_inherit(dead, Inherit::kNormal), kDead, dead);
    if (!(dead == Id{})) {  // Id{} is no parent, and that is no error
      refused(hierarchy_.insert({}, dead), kDead, dead);
      refused(hierarchy_.reparent(ids_[0], dead), kDead, dead);
      refused(hierarchy_.reparent(ids_[0], dead, Keep::kLocal), kDead, dead);
    }
  }
}

TEST_F(TransformRefusal, DeadIdsAmongMany) {
  const Prefab prefab = Prefab::build(std::vector<NodeDescription>(1)).value();
  for (const std::size_t at : {std::size_t{0}, std::size_t{7}, ids_.size() - 1}) {
    SCOPED_TRACE(at);
    constexpr auto kDead = ErrorCode::kNotFound;
    std::vector<Id> some = ids_, parents(ids_.size());
    some[at] = stale_;
    const std::size_t n = some.size();
    std::vector<LocalTransform> locals(n);
    std::vector<Qvvs> worlds(n);
    refused(hierarchy_.remove(some), kDead, stale_, at);
    refused(hierarchy_.remove(some, Children::kToAncestor), kDead, stale_, at);
    refused(hierarchy_.set_local(some, locals), kDead, stale_, at);
    refused(hierarchy_.set_position(some, std::vector<Vec3>(n)), kDead, stale_, at);
    refused(hierarchy_.set_world(some, worlds), kDead, stale_, at);
    refused(hierarchy_.local(some, locals), kDead, stale_, at);
    refused(hierarchy_.world(some, worlds), kDead, stale_, at);
    refused(hierarchy_.previous(some, worlds), kDead, stale_, at);
    refused(hierarchy_.two_ago(some, worlds), kDead, stale_, at);
    refused(hierarchy_.reparent(some, std::vector<Id>(n)), kDead, stale_, at);
    parents[at] = stale_;
    std::vector<Id> out(n);
    refused(hierarchy_.reparent(std::vector<Id>(n, ids_[0]), parents, Keep::kLocal), kDead, stale_, at);
    refused(hierarchy_.instantiate(prefab, locals, out, parents), kDead, stale_, at);
  }
}

TEST_F(TransformRefusal, NumbersThatAreNotFinite) {
  constexpr auto kBad = ErrorCode::kNotFinite;
  const Id id = ids_[child_];
  const Prefab prefab = Prefab::build(std::vector<NodeDescription>(1)).value();
  for (const LocalTransform& bad : spoiled<LocalTransform>({}, {&LocalTransform::scale})) {
    refused(hierarchy_.insert(bad, id), kBad);
    refused(hierarchy_.set_local(id, bad), kBad, id);
    std::vector<LocalTransform> locals(ids_.size());
    locals[11] = bad;
    refused(hierarchy_.set_local(ids_, locals), kBad, ids_[11], 11);
    std::vector<NodeDescription> nodes(20);
    nodes[13].local = bad;
    std::vector<Id> out(20);
    refused(hierarchy_.insert(nodes, out), kBad);
    EXPECT_EQ(hierarchy_.insert(nodes, out).error().index, 13u);
    EXPECT_EQ(hierarchy_.instantiate(prefab, std::span(locals).first(20), out).error().index, 11u);
    refused(hierarchy_.instantiate(prefab, std::span(locals).first(20), out), kBad);
  }
  for (const Qvvs& bad : spoiled<Qvvs>({}, {&Qvvs::scale})) {
    refused(hierarchy_.set_world(id, bad), kBad, id);
    std::vector<Qvvs> worlds(ids_.size());
    worlds[5] = bad;
    refused(hierarchy_.set_world(ids_, worlds), kBad, ids_[5], 5);
  }
  for (const float bad : {kNan, kInf, -kInf}) {
    for (const Vec3 v : {Vec3{bad, 1, 1}, Vec3{1, bad, 1}, Vec3{1, 1, bad}}) {
      refused(hierarchy_.set_position(id, v), kBad, id);
      refused(hierarchy_.set_stretch(id, v), kBad, id);
      refused(hierarchy_.insert({}, id, {.stretch = v}), kBad);
      refused(hierarchy_.set_world(id, {{}, {}, 0, v, 1}), kBad, id);
      std::vector<Vec3> positions(ids_.size());
      positions[9] = v;
      refused(hierarchy_.set_position(ids_, positions), kBad, ids_[9], 9);
      std::vector<NodeDescription> nodes(4);
      std::vector<Id> out(4);
      nodes[2].stretch = v;
      refused(hierarchy_.insert(nodes, out), kBad);
    }
  }
}

TEST_F(TransformRefusal, ScalesAndRotationsThatAreNone) {
  const Id id = ids_[child_];
  std::vector<LocalTransform> bad(4);
  bad[0].scale = 0;
  bad[1].scale = -0.0F;
  bad[2].scale = -2;
  bad[3].rotation = {0, 0, 0, 0};
  for (const LocalTransform& local : bad) {
    const Qvvs world{local.rotation, local.position, 0, {1, 1, 1}, local.scale};
    refused(hierarchy_.insert(local), kInvalid);
    refused(hierarchy_.set_local(id, local), kInvalid, id);
    refused(hierarchy_.set_world(id, world), kInvalid, id);
    std::vector<NodeDescription> nodes(3);
    std::vector<Id> out(3);
    nodes[1].local = local;
    refused(hierarchy_.insert(nodes, out), kInvalid);
    EXPECT_EQ(hierarchy_.insert(nodes, out).error().index, 1u);
  }
}

TEST_F(TransformRefusal, Cycles) {
  to_the_byte_ = false;  // links that were made and taken back leave other numbers behind
  const Id top = ids_[top_], child = ids_[child_], other = reused_;
  for (const Keep keep : {Keep::kWorld, Keep::kLocal}) {
    refused(hierarchy_.reparent(top, top, keep), kInvalid, top);
    refused(hierarchy_.reparent(top, child, keep), kInvalid, top);
    // Good by itself, and a cycle with the link before it.
    const std::vector<Id> ids{child, other, top}, parents{Id{}, top, other};
    refused(hierarchy_.reparent(ids, parents, keep), kInvalid, top, 2);
  }
  // A cycle by itself, were it not for the link before it.
  Hierarchy copy = test::from_bytes<Hierarchy>(test::saved_bytes(hierarchy_));
  const std::vector<Id> ids{child, top}, parents{Id{}, child};
  EXPECT_TRUE(copy.reparent(ids, parents));
  EXPECT_TRUE(copy.parent(top).value() == child);
}

TEST(TransformUndo, GivesBackTheWorldThatAUserWrote) {
  Hierarchy hierarchy;
  const Id above = hierarchy.insert({.position = {1, 2, 3}}).value();
  const Id below = hierarchy.insert({}, above).value();
  const Id user = hierarchy.insert({.position = {4, 5, 6}}, above, {.inherit = Inherit::kUserWorld}).value();
  ASSERT_TRUE(hierarchy.propagate());
  ASSERT_TRUE(hierarchy.set_position(above, {7, 7, 7}));
  const Qvvs before = hierarchy.world(user).value();
  EXPECT_TRUE((before.position == Vec3{5, 7, 9}));
  // A root for a moment, where its local transform alone decides; then the last link is a cycle.
  const std::vector<Id> ids{user, user, above}, parents{Id{}, below, below};
  ASSERT_FALSE(hierarchy.reparent(ids, parents, Keep::kLocal));
  EXPECT_TRUE(hierarchy.world(user).value() == before);
  ASSERT_TRUE(hierarchy.propagate());
  EXPECT_TRUE(hierarchy.world(user).value() == before);
}

TEST_F(TransformRefusal, Lengths) {
  std::vector<LocalTransform> locals(5);
  std::vector<Vec3> positions(5);
  std::vector<Qvvs> worlds(5);
  std::vector<Id> out(7);
  const std::span<const Id> four = std::span<const Id>(ids_).first(4);
  refused(hierarchy_.set_local(four, locals), kInvalid);
  refused(hierarchy_.set_position(four, positions), kInvalid);
  refused(hierarchy_.set_world(four, worlds), kInvalid);
  refused(hierarchy_.local(four, locals), kInvalid);
  refused(hierarchy_.world(four, worlds), kInvalid);
  refused(hierarchy_.previous(four, worlds), kInvalid);
  refused(hierarchy_.two_ago(four, worlds), kInvalid);
  refused(hierarchy_.reparent(four, std::vector<Id>(5)), kInvalid);
  refused(hierarchy_.insert(std::vector<NodeDescription>(6), out), kInvalid);
  const Prefab prefab =
      Prefab::build(std::vector<NodeDescription>{{}, {.local = {}, .parent = 0}, {.local = {}, .parent = 1}})
          .value();
  refused(hierarchy_.instantiate(prefab, locals, out), kInvalid);
  refused(hierarchy_.instantiate(prefab, locals, std::span(out).first(5), std::vector<Id>(4)), kInvalid);
}

TEST_F(TransformRefusal, ParentsBehindTheirChildren) {
  std::vector<Id> out(6);
  for (const std::uint32_t parent : {3U, 4U, 6U, 0x7FFFFFFFU, 0xFFFFFFFEU}) {
    std::vector<NodeDescription> nodes(6);
    nodes[3].parent = parent;
    refused(hierarchy_.insert(nodes, out), kInvalid);
    EXPECT_EQ(hierarchy_.insert(nodes, out).error().index, 3u);
  }
}

TEST_F(TransformRefusal, WorldsWithoutAFiniteLocalTransform) {
  auto bytes = test::saved_bytes(hierarchy_);
  Hierarchy copy = test::from_bytes<Hierarchy>(bytes);
  const Id root = copy.insert({{}, {}, 1e-30F}).value();
  const Id child = copy.insert({}, root).value();
  bytes = test::saved_bytes(copy);
  refused(copy.set_world(child, {{}, {1e30F, 0, 0}, 0, {1, 1, 1}, 1}), ErrorCode::kNotFinite, child);
  EXPECT_TRUE(bytes == test::saved_bytes(copy));
  EXPECT_TRUE(copy.set_world(child, {{}, {1, 0, 0}, 0, {1, 1, 1}, 1}));
}

TEST(TransformPrefab, RefusesWhatIsNoTree) {
  const auto code = [](const std::vector<NodeDescription>& nodes, std::uint64_t index) {
    const auto made = Prefab::build(nodes);
    EXPECT_FALSE(made.has_value());
    EXPECT_EQ(made.error().index, index) << made.error().message;
    EXPECT_FALSE(made.error().message.empty());
    return made.error().code;
  };
  std::vector<NodeDescription> good(8);
  for (std::uint32_t i = 1; i < 8; ++i) {
    good[i].parent = i / 2;
  }
  ASSERT_TRUE(Prefab::build(good));
  EXPECT_FALSE(Prefab::build({}));
  EXPECT_EQ(test::code_of(Prefab::build({})), kInvalid);
  for (const std::uint32_t parent : {NodeDescription::kRoot, 5U, 6U, 100U}) {
    auto bad = good;
    bad[5].parent = parent;
    EXPECT_EQ(code(bad, 5), kInvalid);
  }
  auto bad = good;
  bad[0].parent = 0;
  EXPECT_EQ(code(bad, 0), kInvalid);
  bad = good;
  bad[6].local.scale = 0;
  EXPECT_EQ(code(bad, 6), kInvalid);
  bad = good;
  bad[6].local.rotation = {0, 0, 0, 0};
  EXPECT_EQ(code(bad, 6), kInvalid);
  for (const LocalTransform& local : spoiled<LocalTransform>({}, {&LocalTransform::scale})) {
    bad = good;
    bad[7].local = local;
    EXPECT_EQ(code(bad, 7), ErrorCode::kNotFinite);
  }
  bad = good;
  bad[2].stretch.y = kNan;
  EXPECT_EQ(code(bad, 2), ErrorCode::kNotFinite);
  std::vector<NodeDescription> many(Prefab::kMaxNodes, NodeDescription{.local = {}, .parent = 0});
  many[0].parent = NodeDescription::kRoot;
  EXPECT_TRUE(Prefab::build(many));
  many.push_back(many.back());
  EXPECT_EQ(test::code_of(Prefab::build(many)), kInvalid);
}

TEST(TransformSize, ManyNodesInABulkCallThatFailsLeaveNothing) {
  Hierarchy hierarchy;
  std::vector<NodeDescription> nodes(50'000);
  nodes.back().local.position.x = kNan;
  std::vector<Id> ids(nodes.size());
  EXPECT_FALSE(hierarchy.insert(nodes, ids));
  EXPECT_EQ(hierarchy.size(), 0u);
  EXPECT_EQ(hierarchy.propagate()->version, 0u);
}

}  // namespace
}  // namespace juxta
