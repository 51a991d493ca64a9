// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: who reads which state, so that a writer knows what nobody can have any more.
//
//   writer:  publishes state v, replaced things are marked with v;  later: looks at all pins
//   reader:  pins the version it has seen, then loads the state
//
//   Either the writer sees the pin, or the reader loads the new state: both orders are sequentially
//   consistent. So what was replaced by version v is free when no pin is below v.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ranked/live_kernel.h"

namespace juxta::ranked_detail {

struct alignas(64) ReaderSlot {
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  std::atomic<std::uint64_t> pin{kFree};
  LiveScratch scratch;  // of whoever has the slot
};

class Readers {
 public:
  Readers() = default;
  Readers(const Readers&) = delete;
  Readers& operator=(const Readers&) = delete;
  ~Readers() {
    for (Block* block = first_.next; block != nullptr;) {
      Block* next = block->next;
      delete block;
      block = next;
    }
  }

  /// A slot that pins `version`, which the caller has just read. Waits for nobody: where all are taken, there
  /// are more.
  [[nodiscard]] ReaderSlot& pin(std::uint64_t version) {
    const std::size_t start = thread_number() % kSlots;
    for (Block* block = &first_;; block = next_of(*block)) {
      for (std::size_t i = 0; i < kSlots; ++i) {
        ReaderSlot& slot = block->slots[(start + i) % kSlots];
        std::uint64_t expected = ReaderSlot::kFree;
        if (slot.pin.load(std::memory_order_relaxed) == ReaderSlot::kFree &&
            slot.pin.compare_exchange_strong(expected, version)) {
          return slot;
        }
      }
    }
  }
  static void release(ReaderSlot& slot) noexcept {
    slot.pin.store(ReaderSlot::kFree, std::memory_order_release);
  }

  /// No reader has a state older than this. kFree: nobody reads.
  [[nodiscard]] std::uint64_t oldest() const noexcept {
    std::uint64_t oldest = ReaderSlot::kFree;
    for (const Block* block = &first_; block != nullptr; block = block->next) {
      for (const ReaderSlot& slot : block->slots) {
        const std::uint64_t pin = slot.pin.load();
        oldest = pin < oldest ? pin : oldest;
      }
    }
    return oldest;
  }

 private:
  static constexpr std::size_t kSlots = 32;
  struct Block {
    ReaderSlot slots[kSlots];
    std::atomic<Block*> next{nullptr};
  };

  static std::size_t thread_number() noexcept {
    static std::atomic<std::size_t> threads{0};
    thread_local const std::size_t own = threads.fetch_add(1, std::memory_order_relaxed);
    return own;
  }
  static Block* next_of(Block& block) {
    Block* next = block.next.load();
    if (next == nullptr) {
      auto* added = new Block;
      if (block.next.compare_exchange_strong(next, added)) {
        return added;
      }
      delete added;
    }
    return next;
  }

  Block first_;
};

}  // namespace juxta::ranked_detail
