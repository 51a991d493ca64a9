// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "ranked/live_tree.h"

#include <algorithm>

namespace juxta::ranked_detail {
namespace {

/// The place of a record in a node; kBlockSize: it is not there.
std::uint32_t find_record(const LiveNode& node, std::uint32_t record) noexcept {
  std::uint32_t at = kBlockSize;
  for (std::uint32_t i = 0; i < kBlockSize; ++i) {  // unused places are kNoPoint; no branch, so it is SIMD
    at = node.points.name[i] == record ? i : at;
  }
  return at;
}

void clear_at(LiveNode& node, std::uint32_t i) noexcept {
  node.points.x[i] = node.points.y[i] = 0;
  node.points.name[i] = kNoPoint;
  node.key[i] = kBehindAll.key;
}

}  // namespace

LiveOrder LiveTree::order_at(const LiveNode& node, std::uint32_t i) const noexcept {
  return {node.key[i], records_[node.points.name[i]].slot};
}

void LiveTree::find_worst(LiveNode& node) const noexcept {
  std::uint64_t worst = 0;
  for (std::uint32_t i = 0; i < node.size; ++i) {
    worst = std::max(worst, node.key[i]);
  }
  bool found = false;
  for (std::uint32_t i = 0; i < node.size; ++i) {
    if (node.key[i] == worst && (!found || order_at(node, node.worst) < order_at(node, i))) {
      node.worst = i;
      found = true;
    }
  }
}

/// Whether a point is better than all below the node, as far as the node can tell.
bool LiveTree::belongs_here(const LiveNode& node, const LiveOrder& order) const noexcept {
  return (node.size != 0 && order < order_at(node, node.worst)) ||
         order.key < *std::min_element(node.child_best, node.child_best + kFanout);
}

void LiveTree::put_at(std::uint32_t number, std::uint32_t i, const LivePlace& place) noexcept {
  LiveNode& node = nodes_[number];
  node.points.x[i] = place.at.x;
  node.points.y[i] = place.at.y;
  node.points.name[i] = place.record;
  node.key[i] = place.order.key;
  for (std::size_t c = 0; c < columns_; ++c) {
    quanta_[number].of[c][i] = place.at.values[c];
  }
}

LivePlace LiveTree::place_at(std::uint32_t number, std::uint32_t i) const noexcept {
  const LiveNode& node = nodes_[number];
  const LiveRecord& record = records_[node.points.name[i]];
  LivePlace place = {
      node.points.name[i], record.order(), record.categories, {node.points.x[i], node.points.y[i], {}}};
  for (std::size_t c = 0; c < columns_; ++c) {
    place.at.values[c] = quanta_[number].of[c][i];
  }
  return place;
}

std::uint32_t LiveTree::fresh_node() {
  const std::uint32_t number = nodes_.take();
  if (columns_ != 0) {
    quanta_.reach(number);
  }
  LiveNode& node = nodes_[number];
  for (std::uint32_t i = 0; i < kBlockSize; ++i) {
    clear_at(node, i);
  }
  std::fill_n(node.child_best, kFanout, kBehindAll.key);
  std::fill_n(node.child_categories, kFanout, 0);
  std::fill_n(node.child, kFanout, 0);
  node.version = version_;
  node.size = node.total = node.worst = 0;
  return number;
}

/// The node itself if this change made it, else a copy that takes its place.
std::uint32_t LiveTree::writable(std::uint32_t node) {
  if (nodes_[node].version == version_) {
    return node;
  }
  const std::uint32_t copy = nodes_.take();
  nodes_[copy] = nodes_[node];
  nodes_[copy].version = version_;
  if (columns_ != 0) {
    quanta_.reach(copy);
    quanta_[copy] = quanta_[node];
  }
  retire(node, false);
  return copy;
}

void LiveTree::retire(std::uint32_t number, bool is_record) {
  replaced_.push_back({version_, number, is_record});
}

std::uint32_t LiveTree::insert(const LiveRecord& record, const LivePoint& at) {
  const std::uint32_t number = records_.take();
  records_[number] = record;
  LivePlace place = {number, record.order(), record.categories, at};
  std::uint32_t* link = &root_;
  for (std::uint32_t level = 0;; ++level) {
    *link = *link == 0 ? fresh_node() : writable(*link);
    LiveNode& node = nodes_[*link];
    ++node.total;
    const bool full = node.size == kBlockSize;
    const bool is_last = node.total - 1 == node.size;  // nothing is below
    if (!full && (is_last || belongs_here(node, place.order))) {
      const std::uint32_t i = node.size++;
      put_at(*link, i, place);
      if (i == 0 || order_at(node, node.worst) < place.order) {
        node.worst = i;
      }
      return number;
    }
    if (full && place.order < order_at(node, node.worst)) {
      const LivePlace pushed = place_at(*link, node.worst);
      put_at(*link, node.worst, place);
      find_worst(node);
      place = pushed;
    }
    const std::uint32_t child = live_child_of(level, place.at.x, place.at.y, place.order.slot);
    node.child_best[child] = std::min(node.child_best[child], place.order.key);
    node.child_categories[child] |= place.categories;
    link = &node.child[child];
  }
}

void LiveTree::remove(std::uint32_t record, const LivePoint& at) {
  const std::uint32_t slot = records_[record].slot;
  std::uint32_t* link = &root_;
  for (std::uint32_t level = 0;; ++level) {
    if (nodes_[*link].total == 1) {  // it has this point alone, perhaps below empty nodes
      break;
    }
    *link = writable(*link);
    LiveNode& node = nodes_[*link];
    --node.total;
    if (const std::uint32_t i = find_record(node, record); i != kBlockSize) {
      const std::uint32_t last = --node.size;
      put_at(*link, i, place_at(*link, last));
      clear_at(node, last);
      find_worst(node);
      retire(record, true);
      return;
    }
    const std::uint32_t child = live_child_of(level, at.x, at.y, slot);
    link = &node.child[child];
    if (nodes_[*link].total == 1) {
      node.child_best[child] = kBehindAll.key;
      node.child_categories[child] = 0;
    }
  }
  // Drop the rest of the way.
  std::uint32_t dying = *link;
  *link = 0;
  while (dying != 0) {
    const LiveNode& node = nodes_[dying];
    std::uint32_t next = 0;
    for (const std::uint32_t child : node.child) {
      next = child != 0 ? child : next;
    }
    retire(dying, false);
    dying = node.size != 0 ? 0 : next;
  }
  retire(record, true);
}

void LiveTree::reclaim(std::uint64_t version) {
  while (reclaimed_ < replaced_.size() && replaced_[reclaimed_].version <= version) {
    const Replaced& old = replaced_[reclaimed_++];
    if (old.is_record) {
      records_.give_back(old.number);
    } else {
      nodes_.give_back(old.number);
    }
  }
  if (reclaimed_ * 2 > replaced_.size()) {
    replaced_.erase(replaced_.begin(), replaced_.begin() + static_cast<std::ptrdiff_t>(reclaimed_));
    reclaimed_ = 0;
  }
}

}  // namespace juxta::ranked_detail
