// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// When each label appears. A point is hidden at a zoom by a label that is shown there. That label stays, and
// the two boxes shrink in the plane, so that the point is hidden until they part:
//
//   zoom 3        zoom 4          zoom 5
//   +-------+
//   | q +-------+ +---+           +-+
//   +---|   c   | | q |+---+      |q| +-+     q hides c at zooms 3 and 4: c is looked at again at zoom 5
//       +-------+ +---+| c |      +-+ |c|
//                      +---+          +-+
//
// So each point carries one byte: the zoom at which it is due. A zoom looks at the points that are due, in
// rank order. Whichever is free is shown, and keeps the byte as its answer. The others become due later.
//
// The shown labels of a zoom are in a hash table by cells, with one class of cells for each power of four of
// width and height. A look reads the cells around the point, in each class. Labels of one class do not
// overlap and are alike in size, so that a cell holds a few. Where few points are due, as at close zooms,
// they first mark the cells that they will read, one bit each, and the table gets the labels of these cells
// only.

#include <algorithm>

#include "ranked/labels_store.h"

namespace juxta::ranked_detail {
namespace {

constexpr unsigned kPowers = 10;  // powers of four from 1/64 to 4,096
constexpr std::uint32_t kNoLabel = 0xFFFF'FFFF;
constexpr std::size_t kPointsOfReport = std::size_t{1} << 20;  // points between two calls of a monitor

/// The power of four below a size, from 0 on.
unsigned power_of(float size) noexcept {
  return ((std::bit_cast<std::uint32_t>(size) >> 23) - (127 - 6)) / 2;
}

/// Labels of like size.
struct SizeClass {
  double width, height;               // of the widest and of the highest label
  double cells_per_x, cells_per_y;    // at the zoom that is being decided
  std::uint64_t salt;                 // parts its cells from those of other classes
  std::uint32_t size = 0, shown = 0;  // labels
  std::uint32_t last = kNoLabel;      // the one shown last
  bool whole = false;                 // all of its labels are in the table
};

/// Cells in which a label may be that overlaps another one.
struct CellWindow {
  std::int64_t lx, ly, hx, hy;

  [[nodiscard]] bool more_than(double cells) const noexcept {
    return (static_cast<double>(hx) - static_cast<double>(lx) + 1) *
               (static_cast<double>(hy) - static_cast<double>(ly) + 1) >
           cells;
  }
};

class Placement {
 public:
  Placement(std::span<const Label> labels, const Zooms& zooms, std::span<std::uint8_t> due,
            Workspace& workspace)
      : labels_(labels),
        zooms_(zooms),
        due_(due),
        workspace_(workspace),
        shown_(workspace.take<Label>(labels.size())),
        before_(workspace.take<std::uint32_t>(labels.size())),
        marks_(workspace.take<std::uint64_t>(kLeastSlots)),
        table_(workspace.take<Label>(kLeastSlots)) {
    find_classes();
  }

  bool run(Monitor* monitor) {
    const std::uint64_t total = zooms_.last - zooms_.first + 1;
    std::ranges::fill(due_, static_cast<std::uint8_t>(zooms_.first));
    for (unsigned zoom = zooms_.first; zoom <= zooms_.last; ++zoom) {
      if (!begin_zoom(zoom)) {
        continue;
      }
      for (std::size_t first = 0; first < labels_.size(); first += kPointsOfReport) {
        if (!report(monitor, "place labels", zoom - zooms_.first, total)) {
          return false;
        }
        place_due(first, std::min(labels_.size(), first + kPointsOfReport));
      }
    }
    return report(monitor, "place labels", total, total);
  }

 private:
  static constexpr std::size_t kLeastSlots = 64;
  static constexpr double kMarked = 64;  // cells that one label marks at most

  [[nodiscard]] SizeClass& class_of(const Label& label) noexcept {
    return classes_[class_at_[power_of(label.width)][power_of(label.height)]];
  }

  /// Finds the classes that exist, large ones first: they hide more.
  void find_classes() {
    std::array<std::array<SizeClass, kPowers>, kPowers> all{};
    for (const Label& label : labels_) {
      SizeClass& of = all[power_of(label.width)][power_of(label.height)];
      of.width = std::max(of.width, double{label.width});
      of.height = std::max(of.height, double{label.height});
      ++of.size;
    }
    for (int sum = 2 * kPowers - 2; sum >= 0; --sum) {
      for (int w = std::min<int>(sum, kPowers - 1); w >= 0 && sum - w < static_cast<int>(kPowers); --w) {
        const auto i = static_cast<std::size_t>(w), j = static_cast<std::size_t>(sum - w);
        if (all[i][j].width > 0) {
          class_at_[i][j] = static_cast<std::uint16_t>(class_count_);
          classes_[class_count_] = all[i][j];
          classes_[class_count_].last = kNoLabel;
          classes_[class_count_].salt = (class_count_ + 1) * 0x9E37'79B9'7F4A'7C15U;
          ++class_count_;
        }
      }
    }
  }

  /// False: no label is due.
  bool begin_zoom(unsigned zoom) {
    zoom_ = zoom;
    half_unit_ = zooms_.units(zoom) / 2;
    const auto looks = static_cast<std::size_t>(std::ranges::count(due_, static_cast<std::uint8_t>(zoom)));
    if (looks == 0) {
      return false;
    }
    const bool few_looks = 2 * looks < shown_count_;
    for (SizeClass& c : classes()) {
      c.cells_per_x = 1 / (2 * kCellSizes * c.width * half_unit_);
      c.cells_per_y = 1 / (2 * kCellSizes * c.height * half_unit_);
      c.whole = !few_looks;
    }
    if (few_looks) {
      mark_cells(looks);
    }
    // Large enough for what is shown before and at this zoom in most cases: growing means filling it again.
    fill_table(
        std::bit_ceil(kLeastSlots + 2 * (std::min(shown_count_, looks) + std::min(shown_count_, 2 * looks))));
    return true;
  }

  /// Marks the cells that the labels that are due look into, so that the table holds no others.
  void mark_cells(std::size_t looks) {
    const std::size_t bits =
        std::bit_ceil(64 * kLeastSlots + 16 * looks + 4 * std::min(shown_count_, kPointsOfReport));
    if (bits / 64 > marks_.size()) {
      marks_ = workspace_.take<std::uint64_t>(bits / 64);
    }
    mark_shift_ = 64 - std::countr_zero(bits);
    std::ranges::fill(marks_.first(bits / 64), std::uint64_t{0});
    for (std::size_t place = 0; place < labels_.size(); ++place) {
      if (due_[place] == zoom_) {
        for (SizeClass& c : classes()) {
          const CellWindow window = window_of(labels_[place], c);
          if (window.more_than(kMarked)) {
            c.whole = c.whole || !window.more_than(c.size);
            continue;
          }
          for_each_cell(window, [&](std::int64_t x, std::int64_t y) {
            const std::uint64_t bit = hash_of(c, x, y) >> mark_shift_;
            marks_[bit / 64] |= std::uint64_t{1} << bit % 64;
            return true;
          });
        }
      }
    }
  }

  /// Puts the shown labels of all marked cells into an empty table of at least so many slots.
  void fill_table(std::size_t slots) {
    while (!fits_table(slots)) {
      slots *= 2;
    }
  }

  /// False: the table is more than half full.
  bool fits_table(std::size_t slots) {
    if (slots > table_.size()) {
      table_ = workspace_.take<Label>(slots);
    }
    mask_ = slots - 1;
    shift_ = 64 - std::countr_zero(slots);
    used_ = 0;
    std::ranges::fill(table_.first(slots), Label{});
    for (const Label& label : shown_.first(shown_count_)) {
      const SizeClass& c = class_of(label);
      const std::uint64_t hash = hash_of(c, cell_of(label.x, c.cells_per_x), cell_of(label.y, c.cells_per_y));
      const std::uint64_t bit = hash >> mark_shift_;
      if (c.whole || (marks_[bit / 64] >> bit % 64 & 1) != 0) {
        put(label, hash);
        if (crowded()) {
          return false;
        }
      }
    }
    return true;
  }

  [[nodiscard]] bool crowded() const noexcept { return 2 * used_ > mask_; }

  [[nodiscard]] static std::uint64_t hash_of(const SizeClass& c, std::int64_t x, std::int64_t y) noexcept {
    std::uint64_t h = static_cast<std::uint64_t>(x) * 0xFF51'AFD7'ED55'8CCDU + c.salt;
    h = (h ^ h >> 32 ^ static_cast<std::uint64_t>(y)) * 0xC4CE'B9FE'1A85'EC53U;
    return (h ^ h >> 29) * 0x9E37'79B9'7F4A'7C15U;
  }

  void put(const Label& label, std::uint64_t hash) {
    std::size_t slot = hash >> shift_;
    while (table_[slot].width != 0) {
      slot = (slot + 1) & mask_;
    }
    table_[slot] = label;
    ++used_;
  }

  void show(const Label& label) {
    SizeClass& c = class_of(label);
    before_[shown_count_] = c.last;
    c.last = static_cast<std::uint32_t>(shown_count_);
    ++c.shown;
    shown_[shown_count_++] = label;
    const std::uint64_t hash = hash_of(c, cell_of(label.x, c.cells_per_x), cell_of(label.y, c.cells_per_y));
    put(label, hash);
    if (crowded()) {
      fill_table(2 * (mask_ + 1));
    }
  }

  /// Looks at what is due of these places.
  void place_due(std::size_t first, std::size_t last) {
    for (std::size_t place = first; place < last; ++place) {
      if (due_[place] == zoom_) {
        const unsigned free_at = look(labels_[place]);
        if (free_at == zoom_) {
          show(labels_[place]);
        } else {
          due_[place] = static_cast<std::uint8_t>(free_at);
        }
      }
    }
  }

  /// This zoom if no shown label overlaps `label`; else the first at which one that does sets it free.
  [[nodiscard]] unsigned look(const Label& label) noexcept {
    for (const SizeClass& c : classes()) {
      if (c.shown == 0) {
        continue;
      }
      const CellWindow window = window_of(label, c);
      const unsigned free_at = window.more_than(c.shown) ? look_at_all(label, c) : look_in(label, c, window);
      if (free_at != zoom_) {
        return free_at;
      }
    }
    return zoom_;
  }

  /// The cells of the class that hold whatever overlaps `label`.
  [[nodiscard]] CellWindow window_of(const Label& label, const SizeClass& c) const noexcept {
    // A label of the class that overlaps is at most this far. Rounding keeps the order of sizes in each of
    // these steps, so that none is missed.
    const double reach_x = (label.width + c.width) * half_unit_,
                 reach_y = (label.height + c.height) * half_unit_;
    return {cell_of(label.x - reach_x, c.cells_per_x), cell_of(label.y - reach_y, c.cells_per_y),
            cell_of(label.x + reach_x, c.cells_per_x), cell_of(label.y + reach_y, c.cells_per_y)};
  }

  /// Calls visit(x, y) until it returns false.
  template <class Visit>
  static void for_each_cell(const CellWindow& window, const Visit& visit) {
    for (std::int64_t y = window.ly; y <= window.hy; ++y) {
      for (std::int64_t x = window.lx; x <= window.hx; ++x) {
        if (!visit(x, y)) {
          return;
        }
      }
    }
  }

  /// Begins with the cell of the point itself, where a label that hides it is most likely.
  [[nodiscard]] unsigned look_in(const Label& label, const SizeClass& c, const CellWindow& window) noexcept {
    const std::int64_t own_x = cell_of(label.x, c.cells_per_x), own_y = cell_of(label.y, c.cells_per_y);
    unsigned free_at = look_in_cell(label, hash_of(c, own_x, own_y));
    if (free_at == zoom_) {
      for_each_cell(window, [&](std::int64_t x, std::int64_t y) {
        free_at = x == own_x && y == own_y ? zoom_ : look_in_cell(label, hash_of(c, x, y));
        return free_at == zoom_;
      });
    }
    return free_at;
  }

  [[nodiscard]] unsigned look_in_cell(const Label& label, std::uint64_t hash) const noexcept {
    // What else is in these slots is no mistake: a label that overlaps does so wherever it is found.
    for (std::size_t slot = hash >> shift_; table_[slot].width != 0; slot = (slot + 1) & mask_) {
      if (overlaps(label, table_[slot], half_unit_)) {
        return free_of(label, table_[slot]);
      }
    }
    return zoom_;
  }

  [[nodiscard]] unsigned look_at_all(const Label& label, const SizeClass& c) noexcept {
    for (std::uint32_t i = c.last; i != kNoLabel; i = before_[i]) {
      const Label& other = shown_[i];
      if (overlaps(label, other, half_unit_)) {
        return free_of(label, other);
      }
    }
    return zoom_;
  }

  static bool overlaps(const Label& a, const Label& b, double half_unit) noexcept {
    const bool in_x = std::abs(a.x - b.x) < (double{a.width} + double{b.width}) * half_unit;
    const bool in_y = std::abs(a.y - b.y) < (double{a.height} + double{b.height}) * half_unit;
    return in_x & in_y;  // one branch: each half alone would often be mispredicted
  }

  /// The first zoom at which two labels that overlap now do not, or kNever.
  [[nodiscard]] unsigned free_of(const Label& a, const Label& b) const noexcept {
    if (overlaps(a, b, zooms_.units(zooms_.last) / 2)) {
      return RankedLabels::kNever;
    }
    unsigned zoom = zoom_ + 1;
    for (double half_unit = half_unit_ / 2; overlaps(a, b, half_unit); half_unit /= 2) {
      ++zoom;
    }
    return zoom;
  }

  [[nodiscard]] std::span<SizeClass> classes() noexcept { return std::span(classes_).first(class_count_); }

  std::span<const Label> labels_;
  Zooms zooms_;
  std::span<std::uint8_t> due_;
  Workspace& workspace_;
  std::span<Label> shown_;
  std::span<std::uint32_t> before_;  // of each shown label the one of its class that was shown before
  std::size_t shown_count_ = 0;
  std::span<std::uint64_t> marks_;  // a bit for each cell that is looked into, by its hash
  std::span<Label> table_;          // a slot of width 0 is empty
  std::size_t mask_ = 0, used_ = 0;
  int shift_ = 0, mark_shift_ = 63;
  std::array<SizeClass, kPowers * kPowers> classes_;
  std::array<std::array<std::uint16_t, kPowers>, kPowers> class_at_{};
  std::size_t class_count_ = 0;
  unsigned zoom_ = 0;
  double half_unit_ = 0;
};

}  // namespace

bool place_labels(std::span<const Label> labels, const Zooms& zooms, std::span<std::uint8_t> due,
                  Workspace& workspace, Monitor* monitor) {
  const Workspace::Scope scope(workspace);
  return Placement(labels, zooms, due, workspace).run(monitor);
}

}  // namespace juxta::ranked_detail
