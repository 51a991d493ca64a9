// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "ranked/live_store.h"

#include <algorithm>
#include <exception>

namespace juxta::ranked_detail {

LiveStore::~LiveStore() {
  stop = true;
  if (worker.joinable()) {
    worker.join();
  }
}

void LiveStore::apply(const LiveLogEntry& entry) {
  const std::uint32_t slot = entry.record.slot;
  if (entry.is_erased) {
    generation->erase(slot);
    --points;
    (++generations[slot] != 0 ? free_slots : used_up).push_back(slot);
  } else {
    if (slot == generations.size()) {
      generations.resize(slot + std::size_t{1});
      ++points;
    } else if (generations[slot] != entry.record.generation) {
      free_slots.pop_back();
      ++points;
    }
    generations[slot] = entry.record.generation;
    generation->put(entry.record);
  }
  if (logging) {
    log.push_back(entry);
  }
}

void LiveStore::prepare() {
  if (spare_states.empty()) {
    spare_states.push_back(std::make_unique<LiveState>());
  }
  old_states.reserve(old_states.size() + 1);
}

void LiveStore::publish() {
  prepare();
  const std::uint64_t next = version.load(std::memory_order_relaxed) + 1;
  std::unique_ptr<LiveState> fresh = std::move(spare_states.back());
  spare_states.pop_back();
  *fresh = {.generation = generation.get(),
            .live_root = generation->live().root(),
            .removed_root = generation->removed().root(),
            .sequence = generation->sequence(),
            .version = next,
            .size = points};
  state.store(fresh.get());
  version.store(next);
  if (own_state != nullptr) {
    old_states.push_back({next, std::move(own_state)});
  }
  own_state = std::move(fresh);
  size.store(points, std::memory_order_relaxed);
  unmerged.store(generation->unmerged(), std::memory_order_relaxed);
}

void LiveStore::reclaim_if_due(std::vector<std::unique_ptr<LiveGeneration>>& dying) {
  if (old_states.size() + generation->replaced() >= reclaim_from) {
    reclaim(dying);
    constexpr std::size_t kEnough = 1024;  // so that the look at all pins costs little a change
    reclaim_from = std::max(kEnough, 2 * (old_states.size() + generation->replaced()));
  }
}

void LiveStore::reclaim(std::vector<std::unique_ptr<LiveGeneration>>& dying) {
  const std::uint64_t oldest = readers.oldest();
  generation->reclaim(oldest);
  const auto is_needed = [oldest](const auto& retired) { return retired.version > oldest; };
  const auto states = std::ranges::find_if(old_states, is_needed);
  for (auto old = old_states.begin(); old != states; ++old) {
    spare_states.push_back(std::move(old->what));
  }
  old_states.erase(old_states.begin(), states);
  const auto generations_kept = std::ranges::find_if(old_generations, is_needed);
  for (auto old = old_generations.begin(); old != generations_kept; ++old) {
    dying.push_back(std::move(old->what));
  }
  old_generations.erase(old_generations.begin(), generations_kept);
}

void LiveStore::set_merge_from(std::size_t changed) noexcept {
  constexpr std::size_t kLeast = 1024;  // a build of few points takes a millisecond
  merge_from = std::max(kLeast, changed);
}

void LiveStore::merge_if_due() {
  // Looking a gone answer up costs 35 to 70 ns, building 450 ns a point.
  constexpr std::size_t kWasteOfPoint = 8;
  const bool due =
      generation->unmerged() >= merge_from ||
      wasted.load(std::memory_order_relaxed) > kWasteOfPoint * (generation->frozen().size() + 1024);
  if (!due || !options.merge_in_background || worker_runs) {
    return;
  }
  if (worker.joinable()) {
    worker.join();  // it has ended
  }
  worker_runs = true;
  try {
    worker = std::thread([this] {
      bool merged = false;
      try {
        merged = merge_now(*this, options.merging).has_value();
      } catch (const std::exception&) {  // no memory: the points stay as they are, and so do the answers
      }
      if (!merged) {
        const core_detail::Lock lock(changes);
        set_merge_from(2 * generation->unmerged());
      }
      worker_runs = false;
    });
  } catch (const std::exception&) {  // no thread can be had: try again later
    worker_runs = false;
    set_merge_from(2 * generation->unmerged());
  }
}

}  // namespace juxta::ranked_detail
