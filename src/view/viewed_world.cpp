// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a world answers that does not care.
#include "juxta/view/viewed_world.h"

namespace juxta {

ViewParts::~ViewParts() = default;
ViewedWorld::~ViewedWorld() = default;

std::uint64_t ViewedWorld::id_of(std::size_t, std::size_t row) const {
  return row;
}

std::optional<std::size_t> ViewedWorld::row_of(std::size_t, std::uint64_t id) const {
  return id;
}

std::string ViewedWorld::more(std::size_t, std::size_t) const {
  return "{}";
}

std::vector<double> ViewedWorld::stage_ms() const {
  return {};
}

std::vector<double> ViewedWorld::reports() const {
  return {};
}

std::optional<std::uint64_t> ViewedWorld::hash() const {
  return {};
}

Result<void> ViewedWorld::set(std::string_view, double) {
  return fail(ErrorCode::kNotFound, "this world has no parameters that act at once");
}

Result<void> ViewedWorld::restart(std::optional<std::uint64_t>,
                                  std::span<const std::pair<std::string, double>>) {
  return fail(ErrorCode::kInvalidArgument, "this world cannot begin again");
}

void ViewedWorld::overlay(std::size_t, ViewParts&) const {}

ViewField ViewedWorld::field(std::size_t) const {
  return {};
}

ViewShape ViewedWorld::shape(std::size_t, std::size_t) const {
  return {};
}

Result<void> ViewedWorld::seek(std::uint64_t) {
  return fail(ErrorCode::kNotFound, "this world is no recording: it cannot go back");
}

}  // namespace juxta
