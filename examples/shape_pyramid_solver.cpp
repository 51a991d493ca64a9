// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape_pyramid_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace pyramid {
namespace {

using juxta::Vec3;

constexpr float kGravity = -9.81F, kFriction = 0.6F;
constexpr float kMargin = 0.02F, kSlack = 0.02F;  // of contacts; of points without the same feature
constexpr float kPi = 3.14159265F, kHertz = 30, kDamping = 10, kPush = 3;  // of soft contacts

std::array<Vec3, 3> directions(const Vec3& n) {
  const Vec3 side = std::fabs(n.x) < 0.57F ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 tangent = juxta::normalized(juxta::cross(n, side));
  return {n, tangent, juxta::cross(n, tangent)};
}

void check(bool good, const char* what) {
  if (!good) {
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
  }
}

}  // namespace

Solver::Solver(std::vector<juxta::Body> boxes, std::vector<Moving> moving, const juxta::Executor* executor)
    : boxes_(std::move(boxes)),
      moving_(std::move(moving)),
      moved_(boxes_.size()),
      turned_(boxes_.size()),
      executor_(executor) {
  check(world_.rebuild(boxes_).has_value(), "the boxes are not finite");
}

void Solver::find_contacts() {
  std::vector<juxta::Qvvs> at(boxes_.size());
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    at[i] = boxes_[i].at;
  }
  check(world_.refit(at).has_value(), "a box went beyond all bounds");
  contacts_.swap(before_);
  points_.swap(points_before_);
  const juxta::Context context{.executor = executor_, .workspace = &workspace_};
  const auto moves = [this](std::uint32_t a, std::uint32_t b) {
    return moving_[a].inverse_mass + moving_[b].inverse_mass > 0;
  };
  for (;;) {
    contacts_.resize(contacts_.capacity());
    const auto found = world_.find_contacts(kMargin, contacts_, {.accept = moves}, context);
    check(found.has_value(), "no contacts");
    contacts_.resize(found->written);
    if (found->found == found->written) {
      break;
    }
    contacts_.reserve(found->found);
  }
  continues_.resize(4 * contacts_.size());
  check(juxta::match_contacts(before_, contacts_, kSlack, continues_).has_value(), "contacts do not match");
}

Vec3 Solver::by_inertia(std::uint32_t body, const Vec3& v) const {
  const juxta::Quat q = boxes_[body].at.rotation;
  const Vec3 local = juxta::rotate(juxta::conjugate(q), v), &i = moving_[body].inverse_inertia;
  return juxta::rotate(q, Vec3{local.x * i.x, local.y * i.y, local.z * i.z});
}

void Solver::prepare() {
  points_.assign(4 * contacts_.size(), {});
  count_ = continued_ = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const juxta::Bodies::Contact& c = contacts_[i];
    const std::array<Vec3, 3> ways = directions(c.manifold.normal);
    for (std::uint32_t j = 0; j < c.manifold.count; ++j) {
      Point& p = points_[4 * i + j];
      p.arm_a = c.manifold.points[j].point - boxes_[c.a].at.position;
      p.arm_b = c.manifold.points[j].point - boxes_[c.b].at.position;
      p.gap = c.manifold.points[j].distance;
      const std::uint32_t old = continues_[4 * i + j];
      for (std::size_t k = 0; k < 3; ++k) {
        Row& row = p.rows[k];
        row.way = ways[k];
        row.lever_a = juxta::cross(p.arm_a, row.way);
        row.lever_b = juxta::cross(p.arm_b, row.way);
        row.turn_a = by_inertia(c.a, row.lever_a);
        row.turn_b = by_inertia(c.b, row.lever_b);
        row.mass = 1 / (moving_[c.a].inverse_mass + moving_[c.b].inverse_mass +
                        juxta::dot(row.lever_a, row.turn_a) + juxta::dot(row.lever_b, row.turn_b));
        row.impulse = old != juxta::kNewPoint ? points_before_[old].rows[k].impulse : 0;
      }
      ++count_;
      continued_ += old != juxta::kNewPoint ? 1 : 0;
    }
  }
}

void Solver::push(const juxta::Bodies::Contact& c, const Row& row, float impulse) {
  Moving &a = moving_[c.a], &b = moving_[c.b];
  a.velocity = a.velocity - row.way * (impulse * a.inverse_mass);
  b.velocity = b.velocity + row.way * (impulse * b.inverse_mass);
  a.turning = a.turning - row.turn_a * impulse;
  b.turning = b.turning + row.turn_b * impulse;
}

float Solver::speed_along(const juxta::Bodies::Contact& c, const Row& row) const {
  const Moving &a = moving_[c.a], &b = moving_[c.b];
  return juxta::dot(row.way, b.velocity - a.velocity) + juxta::dot(row.lever_b, b.turning) -
         juxta::dot(row.lever_a, a.turning);
}

void Solver::warm_start() {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    for (std::uint32_t j = 0; j < contacts_[i].manifold.count; ++j) {
      for (const Row& row : points_[4 * i + j].rows) {
        push(contacts_[i], row, row.impulse);
      }
    }
  }
}

void Solver::solve_point(const juxta::Bodies::Contact& c, Point& p, float seconds, bool soft) {
  const Vec3 apart =
      moved_[c.b] + juxta::cross(turned_[c.b], p.arm_b) - moved_[c.a] - juxta::cross(turned_[c.a], p.arm_a);
  Row& normal = p.rows[0];
  const float gap = p.gap + juxta::dot(apart, normal.way);
  float bias = 0, mass_scale = 1, impulse_scale = 0;
  if (gap > 0) {  // it may come as near as that in this substep
    bias = gap / seconds;
  } else if (soft) {
    const float omega = 2 * kPi * std::min(kHertz, 0.25F / seconds);
    const float a1 = 2 * kDamping + seconds * omega, a2 = seconds * omega * a1;
    bias = std::max(omega / a1 * gap, -kPush);
    mass_scale = a2 / (1 + a2);
    impulse_scale = 1 / (1 + a2);
  }
  const float old = normal.impulse, speed = speed_along(c, normal);
  normal.impulse = std::max(old - normal.mass * mass_scale * (speed + bias) - impulse_scale * old, 0.0F);
  push(c, normal, normal.impulse - old);
  for (Row* rub : {&p.rows[1], &p.rows[2]}) {
    const float most = kFriction * normal.impulse, rubbed = rub->impulse;
    rub->impulse = std::clamp(rubbed - rub->mass * speed_along(c, *rub), -most, most);
    push(c, *rub, rub->impulse - rubbed);
  }
}

void Solver::solve(float seconds, bool soft) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    for (std::uint32_t j = 0; j < contacts_[i].manifold.count; ++j) {
      solve_point(contacts_[i], points_[4 * i + j], seconds, soft);
    }
  }
}

void Solver::move(float seconds) {
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const Vec3 step = moving_[i].velocity * seconds, turn = moving_[i].turning * seconds;
    juxta::Qvvs& at = boxes_[i].at;
    at.position = at.position + step;
    const juxta::Quat q = at.rotation, spin = juxta::Quat{turn.x / 2, turn.y / 2, turn.z / 2, 0} * q;
    at.rotation = juxta::normalized(juxta::Quat{q.x + spin.x, q.y + spin.y, q.z + spin.z, q.w + spin.w});
    moved_[i] = moved_[i] + step;
    turned_[i] = turned_[i] + turn;
  }
}

void Solver::step(float seconds, int substeps) {
  find_contacts();
  prepare();
  std::fill(moved_.begin(), moved_.end(), Vec3{});
  std::fill(turned_.begin(), turned_.end(), Vec3{});
  const float part = seconds / static_cast<float>(substeps);
  for (int i = 0; i < substeps; ++i) {
    for (Moving& body : moving_) {
      body.velocity.y += body.inverse_mass > 0 ? kGravity * part : 0;
    }
    warm_start();
    solve(part, true);
    move(part);
    solve(part, false);  // takes back the speed that pushed boxes apart
  }
}

}  // namespace pyramid
