// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/workspace.h"

#include <algorithm>
#include <memory>
#include <memory_resource>
#include <utility>

namespace juxta {
namespace {

// Many small takes share a block; large ones get a block of exactly their size.
constexpr std::size_t kSmallestBlock = std::size_t{64} << 10;
constexpr std::size_t kLargestShared = std::size_t{1} << 20;

}  // namespace

Workspace::Workspace(std::pmr::memory_resource* resource) noexcept : resource_(resource), blocks_(resource) {}

Workspace::Workspace(Workspace&& other) noexcept
    : resource_(other.resource_),
      blocks_(std::move(other.blocks_)),
      block_(std::exchange(other.block_, 0)),
      used_(std::exchange(other.used_, 0)) {}

// Rebuilt in place: the blocks held so far go back to their own resource first.
Workspace& Workspace::operator=(Workspace&& other) noexcept {
  if (this != &other) {
    std::destroy_at(this);
    std::construct_at(this, std::move(other));
  }
  return *this;
}

Workspace::~Workspace() {
  for (const Block& block : blocks_) {
    resource_->deallocate(block.data, block.size, kArrayAlignment);
  }
}

//   blocks_:  | full | full | block_: used_ ->|....... | free | free |
// A block too small for the request is passed over until the scope ends; the same calls in the same order
// therefore find the same blocks, and allocate nothing the second time.
void* Workspace::take_bytes(std::size_t count, std::size_t each) {
  const std::size_t bytes = core_detail::padded_bytes(count, each);
  const std::size_t size = (bytes + kArrayAlignment - 1) / kArrayAlignment * kArrayAlignment;
  for (; block_ < blocks_.size(); ++block_, used_ = 0) {
    if (blocks_[block_].size - used_ >= size) {
      return blocks_[block_].data + std::exchange(used_, used_ + size);
    }
  }
  const std::size_t block_size = std::max({size, kSmallestBlock, std::min(memory_bytes(), kLargestShared)});
  blocks_.reserve(blocks_.size() + 1);  // before the new block, which would leak if this threw
  auto* const data = static_cast<std::byte*>(resource_->allocate(block_size, kArrayAlignment));
  blocks_.resize(blocks_.size() + 1);
  blocks_[blocks_.size() - 1] = {data, block_size};
  used_ = size;
  return data;
}

void Workspace::reset() {
  block_ = used_ = 0;
  if (blocks_.size() < 2) {
    return;
  }
  const std::size_t total = memory_bytes();
  for (const Block& block : blocks_) {
    resource_->deallocate(block.data, block.size, kArrayAlignment);
  }
  blocks_.resize(0);  // if the next line throws, the workspace is empty
  auto* const data = static_cast<std::byte*>(resource_->allocate(total, kArrayAlignment));
  blocks_.resize(1);
  blocks_[0] = {data, total};
}

std::size_t Workspace::memory_bytes() const noexcept {
  std::size_t total = 0;
  for (const Block& block : blocks_) {
    total += block.size;
  }
  return total;
}

Workspace::Scope::Scope(Workspace& workspace) noexcept
    : workspace_(workspace), block_(workspace.block_), used_(workspace.used_) {}

Workspace::Scope::~Scope() {
  workspace_.block_ = block_;
  workspace_.used_ = used_;
}

}  // namespace juxta
