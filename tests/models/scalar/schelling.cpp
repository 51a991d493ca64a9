// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tests/models/scalar/schelling.h"

#include <cstddef>

namespace juxta::scalar {
namespace {

[[gnu::always_inline]] inline std::int32_t alike_in_square(const std::uint8_t* row, std::int32_t stride,
                                                           std::int32_t width, std::uint8_t group) noexcept {
  std::int32_t count = -1;  // itself
  for (std::int32_t dy = 0; dy < width; ++dy, row += stride) {
    for (std::int32_t dx = 0; dx < width; ++dx) {
      count += row[dx] == group;
    }
  }
  return count;
}

}  // namespace

Schelling::Schelling(const Simulation& start, std::int32_t size, std::int32_t radius, std::int32_t happy,
                     SchellingOrder order)
    : how_(order),
      size_(size),
      radius_(radius),
      happy_(happy),
      stride_(size + 2 * radius),
      seed_(start.seed()),
      step_(start.step()),
      grid_(static_cast<std::size_t>(stride_ * stride_)) {
  const Population& agents = *start.find_population("agents");
  const auto x = agents.read(agents.position(0)), y = agents.read(agents.position(1));
  const auto group = agents.read(*agents.find_column<std::uint8_t>("group"));
  for (std::size_t i = 0; i < agents.size(); ++i) {
    agents_.push_back({static_cast<std::int32_t>(x[i]), static_cast<std::int32_t>(y[i]),
                       static_cast<std::uint8_t>(group[i] + 1)});
    at(agents_[i].x, agents_[i].y) = agents_[i].group;
  }
  order_.resize(agents_.size());
}

std::int32_t Schelling::alike(const Agent& agent) const noexcept {
  const std::uint8_t* row = grid_.data() + std::ptrdiff_t{agent.y} * stride_ + agent.x;
  switch (radius_) {  // loops of known length are a third faster
    case 1:
      return alike_in_square(row, stride_, 3, agent.group);
    case 2:
      return alike_in_square(row, stride_, 5, agent.group);
    default:
      return alike_in_square(row, stride_, 2 * radius_ + 1, agent.group);
  }
}

std::int32_t Schelling::neighbours(const Agent& agent) const noexcept {
  std::int32_t count = -1;
  for (std::int32_t y = agent.y; y <= agent.y + 2 * radius_; ++y) {
    for (std::int32_t x = agent.x; x <= agent.x + 2 * radius_; ++x) {
      count += grid_[static_cast<std::size_t>(y) * static_cast<std::size_t>(stride_) +
                     static_cast<std::size_t>(x)] != 0;
    }
  }
  return count;
}

std::int32_t Schelling::free_cell(std::uint32_t number) const {
  return static_cast<std::int32_t>(draw_free_cell(
      seed_, step_, number, static_cast<std::uint32_t>(size_ * size_), [&](std::uint32_t drawn) {
        const auto cell = static_cast<std::int32_t>(drawn);
        return at(cell % size_, cell / size_) == 0;
      }));
}

void Schelling::move(std::uint32_t number) {
  Agent& agent = agents_[number];
  const std::int32_t cell = free_cell(number);
  at(agent.x, agent.y) = 0;
  agent.x = cell % size_;
  agent.y = cell / size_;
  at(agent.x, agent.y) = agent.group;
  ++moves_;
}

void Schelling::step() {
  order_agents(how_, seed_, step_, order_);
  for (const std::uint32_t number : order_) {
    if (alike(agents_[number]) < happy_) {
      move(number);
    }
  }
  ++step_;
}

}  // namespace juxta::scalar
