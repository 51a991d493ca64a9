// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A small solver for boxes: sequential impulses in substeps (Catto 2024, "Solver2D": soft contacts with
// relaxation), warm-started by match_contacts(). It is an example, not a physics engine: no sleep, no
// islands, one thread.
#pragma once

#include <cstdint>
#include <vector>

#include <juxta/core/executor.h>
#include <juxta/core/workspace.h>
#include <juxta/shape/bodies.h>

namespace pyramid {

struct Moving {
  juxta::Vec3 velocity{}, turning{};
  float inverse_mass = 0;         // 0: stands still
  juxta::Vec3 inverse_inertia{};  // of the box's own axes
};

/// One direction of a point of contact: what an impulse along it does to the speeds of the two.
struct Row {
  juxta::Vec3 way{};                 // from a to b, of length 1
  juxta::Vec3 lever_a{}, lever_b{};  // arm x way
  juxta::Vec3 turn_a{}, turn_b{};    // the same by the inverse inertia
  float mass = 0, impulse = 0;
};
/// A point of contact, for one step.
struct Point {
  juxta::Vec3 arm_a{}, arm_b{};  // from the centres, at the start of the step
  float gap = 0;                 // distance then
  Row rows[3];                   // the normal, two tangents
};

class Solver {
 public:
  Solver(std::vector<juxta::Body> boxes, std::vector<Moving> moving, const juxta::Executor* executor);

  /// One step of `seconds`: contacts once, then substeps.
  void step(float seconds, int substeps);

  [[nodiscard]] const std::vector<juxta::Body>& boxes() const { return boxes_; }
  [[nodiscard]] std::size_t points() const { return count_; }
  /// Points that continued one of the step before.
  [[nodiscard]] std::size_t continued() const { return continued_; }

 private:
  void find_contacts();
  void prepare();
  void warm_start();
  void solve(float seconds, bool soft);
  void solve_point(const juxta::Bodies::Contact& c, Point& p, float seconds, bool soft);
  void move(float seconds);
  void push(const juxta::Bodies::Contact& c, const Row& row, float impulse);
  [[nodiscard]] float speed_along(const juxta::Bodies::Contact& c, const Row& row) const;
  [[nodiscard]] juxta::Vec3 by_inertia(std::uint32_t body, const juxta::Vec3& v) const;

  std::vector<juxta::Body> boxes_;
  std::vector<Moving> moving_;
  std::vector<juxta::Vec3> moved_, turned_;  // since the start of the step
  juxta::Bodies world_;
  juxta::Workspace workspace_;
  const juxta::Executor* executor_;
  std::vector<juxta::Bodies::Contact> contacts_, before_;
  std::vector<Point> points_, points_before_;  // four for each contact
  std::vector<std::uint32_t> continues_;
  std::size_t count_ = 0, continued_ = 0;
};

}  // namespace pyramid
