// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tests/models/scalar/wolf_sheep.h"

#include <algorithm>

#include "juxta/core/random.h"

namespace juxta::scalar {
namespace {

// The purposes of models/wolf_sheep.cpp.
constexpr std::uint32_t kLot = 0, kGrass = 1, kSheepOrder = 3, kSheepAct = 4, kWolfOrder = 6, kWolfAct = 7;
constexpr std::uint32_t kNobody = ~std::uint32_t{0};

std::vector<WolfSheep::Animal> animals_of(const Population& population) {
  const auto x = population.read(population.position(0)), y = population.read(population.position(1));
  const auto energy = population.read(*population.find_column<double>("energy"));
  std::vector<WolfSheep::Animal> animals;
  for (std::size_t i = 0; i < population.size(); ++i) {
    animals.push_back({static_cast<std::int32_t>(x[i]), static_cast<std::int32_t>(y[i]), energy[i], false});
  }
  return animals;
}

}  // namespace

WolfSheep::WolfSheep(const Simulation& start, const WolfSheepRules& rules)
    : rules_(rules),
      seed_(start.seed()),
      sheep_(animals_of(*start.find_population("sheep"))),
      wolves_(animals_of(*start.find_population("wolves"))),
      first_(static_cast<std::size_t>(rules.size) * static_cast<std::size_t>(rules.size)) {
  for (std::uint32_t cell = 0; cell < first_.size(); ++cell) {
    const auto words = random_block({seed_, 0, kGrass}, cell);
    const bool grown = (words[0] & 0x8000'0000) != 0;
    const auto regrowth = static_cast<std::uint64_t>(rules.regrowth);
    grown_.push_back(grown);
    countdown_.push_back(grown ? rules.regrowth : static_cast<std::int32_t>(words[1] * regrowth >> 32));
  }
}

void WolfSheep::walk(Animal& animal, std::uint32_t word) const noexcept {
  constexpr std::int32_t kSteps[8][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0},
                                         {1, 0},   {-1, 1}, {0, 1},  {1, 1}};
  const auto& step = kSteps[word >> 29];
  animal.x = std::clamp(animal.x + step[0], 0, rules_.size - 1);
  animal.y = std::clamp(animal.y + step[1], 0, rules_.size - 1);
  animal.energy -= 1;
}

void WolfSheep::live_or_die(std::vector<Animal>& animals, std::uint32_t number, std::uint32_t word,
                            double reproduction) {
  Animal& animal = animals[number];
  if (animal.energy < 0) {
    animal.dead = true;
  } else if (word * 0x1p-32 <= reproduction) {
    animal.energy /= 2;
    animals.push_back(Animal(animal));
  }
}

void WolfSheep::sheep_turn() {
  order_.resize(sheep_.size());
  random_order({seed_, step_, kSheepOrder}, order_);
  for (const std::uint32_t number : order_) {
    Animal& sheep = sheep_[number];
    if (sheep.dead) {
      continue;
    }
    const auto words = random_block({seed_, step_, kSheepAct}, number);
    walk(sheep, words[0]);
    const std::size_t cell = cell_of(sheep);
    if (grown_[cell] != 0) {
      sheep.energy += rules_.sheep_gain;
      grown_[cell] = 0;
    }
    live_or_die(sheep_, number, words[1], rules_.sheep_reproduction);
  }
}

void WolfSheep::wolves_turn() {
  std::fill(first_.begin(), first_.end(), kNobody);
  next_.resize(sheep_.size());
  for (std::size_t i = sheep_.size(); i-- > 0;) {
    if (!sheep_[i].dead) {
      next_[i] = first_[cell_of(sheep_[i])];
      first_[cell_of(sheep_[i])] = static_cast<std::uint32_t>(i);
    }
  }
  order_.resize(wolves_.size());
  random_order({seed_, step_, kWolfOrder}, order_);
  for (const std::uint32_t number : order_) {
    Animal& wolf = wolves_[number];
    const auto words = random_block({seed_, step_, kWolfAct}, number);
    walk(wolf, words[0]);
    std::uint32_t* prey = &first_[cell_of(wolf)];
    if (*prey != kNobody) {
      std::uint64_t count = 0;
      for (std::uint32_t i = *prey; i != kNobody; i = next_[i]) {
        ++count;
      }
      for (std::uint64_t skip = words[2] * count >> 32; skip > 0; --skip) {
        prey = &next_[*prey];
      }
      sheep_[*prey].dead = true;
      *prey = next_[*prey];
      wolf.energy += rules_.wolf_gain;
    }
    live_or_die(wolves_, number, words[1], rules_.wolf_reproduction);
  }
}

void WolfSheep::grow() {
  for (std::size_t cell = 0; cell < grown_.size(); ++cell) {
    if (grown_[cell] == 0) {
      if (countdown_[cell] <= 0) {
        grown_[cell] = 1;
        countdown_[cell] = rules_.regrowth;
      } else {
        --countdown_[cell];
      }
    }
  }
}

void WolfSheep::step() {
  if (random_u32({seed_, step_, kLot}, 0) < 0x8000'0000) {
    sheep_turn();
    wolves_turn();
  } else {
    wolves_turn();
    sheep_turn();
  }
  std::erase_if(sheep_, [](const Animal& animal) { return animal.dead; });
  std::erase_if(wolves_, [](const Animal& animal) { return animal.dead; });
  grow();
  ++step_;
}

}  // namespace juxta::scalar
