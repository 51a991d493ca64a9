// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "program/camera.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace juxta::program_detail {
namespace {

template <class Number>
std::optional<Number> whole_text(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// "X,Y".
std::optional<std::array<double, 2>> place_of(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) {
    return std::nullopt;
  }
  const auto x = whole_text<double>(text.substr(0, comma)), y = whole_text<double>(text.substr(comma + 1));
  return x && y && std::isfinite(*x) && std::isfinite(*y) ? std::optional(std::array{*x, *y}) : std::nullopt;
}

/// The middle of all agents, as their positions are: around the edges of a periodic world this is no middle.
void look_at_all(const Population& agents, Camera& camera) {
  const auto mean = [&](std::uint32_t axis) {
    double sum = 0;
    for (const float value : agents.read(agents.position(axis))) {
      sum += static_cast<double>(value);
    }
    return sum / static_cast<double>(agents.size());
  };
  if (agents.size() != 0) {
    camera.x = mean(0);
    camera.y = mean(1);
  }
}

void look_at_one(const Population& agents, Id id, Camera& camera) {
  if (const auto row = agents.row_of(id)) {
    camera.x = static_cast<double>(agents.read(agents.position(0))[*row]);
    camera.y = static_cast<double>(agents.read(agents.position(1))[*row]);
  }
}

}  // namespace

std::string camera_mistake(const CameraSettings& settings) {
  if (!(settings.zoom >= 0.1 && settings.zoom <= 1000)) {
    return fmt::format("--zoom {}: give a number from 0.1 to 1000", settings.zoom);
  }
  const std::string& centre = settings.centre;
  const std::size_t colon = centre.find(':');
  const bool good = centre.find(',') != std::string::npos
                        ? place_of(centre).has_value()
                        : colon == std::string::npos ||
                              whole_text<std::uint64_t>(std::string_view(centre).substr(colon + 1));
  return good ? ""
              : fmt::format(
                    "--centre '{}': give X,Y, as 1.5,-2, or a population, or POPULATION:ID with an id of "
                    "its table of agents",
                    centre);
}

Result<ModelCamera> ModelCamera::open(const CameraSettings& settings, const Simulation& simulation) {
  ModelCamera camera;
  camera.camera_.zoom = settings.zoom;
  if (settings.centre.empty()) {
    return camera;
  }
  if (const auto place = place_of(settings.centre)) {
    camera.camera_.x = (*place)[0];
    camera.camera_.y = (*place)[1];
    return camera;
  }
  const std::size_t colon = settings.centre.find(':');
  camera.population_ = settings.centre.substr(0, colon);
  const Population* const agents = simulation.find_population(camera.population_);
  if (agents == nullptr) {
    std::string names;
    for (std::size_t i = 0; i < simulation.population_count(); ++i) {
      names += (i == 0 ? "" : ", ") + std::string(simulation.population(i).name());
    }
    return fail(ErrorCode::kNotFound,
                fmt::format("--centre: there is no population '{}': give one of {}, or X,Y",
                            camera.population_, names));
  }
  if (colon != std::string::npos) {
    const std::uint64_t id = *whole_text<std::uint64_t>(std::string_view(settings.centre).substr(colon + 1));
    camera.agent_ = Id{static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32)};
    if (!agents->alive(*camera.agent_)) {
      return fail(
          ErrorCode::kNotFound,
          fmt::format("--centre: '{}' has no agent {}: give an id of its table, which --agents writes",
                      camera.population_, id));
    }
  }
  return camera;
}

const Camera& ModelCamera::at(const Simulation& simulation) {
  const Population* const agents = population_.empty() ? nullptr : simulation.find_population(population_);
  if (agents != nullptr && agent_) {
    look_at_one(*agents, *agent_, camera_);
  } else if (agents != nullptr) {
    look_at_all(*agents, camera_);
  }
  return camera_;
}

}  // namespace juxta::program_detail
