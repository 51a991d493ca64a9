// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/memory.h"
#include "juxta/core/owned.h"
#include "juxta/math/vec.h"
#include "juxta/math/world.h"

namespace juxta {
class Ranks;  // juxta/core/ranks.h
namespace grid_detail {
struct FieldParts;
struct FieldStore;
}  // namespace grid_detail

struct FieldOptions {
  /// What the cells cover. lo and hi are finite and lo < hi on all axes, on open ones too. In 2D z becomes 0
  /// and open.
  World world;
  /// Along x, y and z: 1 to Field::kMostCellsOfAxis each, Field::kMostCells in all. In 2D the third is 1.
  std::array<std::uint32_t, 3> cells = {1, 1, 1};
  std::uint32_t components = 1;  ///< Values of each cell: 1 to Field::kMostComponents.

  friend bool operator==(const FieldOptions&, const FieldOptions&) = default;
};

/// One call of Field::diffuse().
struct Diffusion {
  static constexpr std::uint32_t kAllComponents = ~std::uint32_t{0};

  /// The part of the difference to each neighbour that flows in a step: 0 to 1 / (2 * dimensions). For a
  /// diffusion coefficient d, a time step t and cells of size h it is d * t / (h * h).
  float amount = 0;
  float decay = 0;          ///< The part that is lost in a step: 0 to 1.
  std::uint32_t steps = 1;  ///< Many at once are faster than one by one, with the same result.
  std::uint32_t component = kAllComponents;
};

/// How a point and the cells around it belong together.
enum class FieldMethod : std::uint8_t {
  kNearest,  ///< The cell that holds the point.
  kLinear,   ///< The 4 (in space 8) cells whose centres are around it, by distance along each axis.
};

/// What a call with points is about.
struct FieldAccess {
  std::uint32_t component = 0;
  FieldMethod method = FieldMethod::kLinear;
};

/// Values on a regular grid of cells over a world: pheromone, oxygen, plankton.
///
///   y  | 8  9 10 11 |     a component of 4 x 3 cells: cell (x, y, z) is value x + nx * (y + ny * z),
///   ^  | 4  5  6  7 |     x fastest. Each component is an array of its own.
///   |  | 0  1  2  3 |
///      +------------> x   The centre of cell 0 is half a cell from lo.
///
/// The edges of the world say what is beyond the outermost cells:
///   kWall      nothing flows through; points are in [lo, hi], and next to the wall they see its cell
///   kPeriodic  the cells at the other end; points anywhere are brought back into [lo, hi)
///   kOpen      zeros: what flows or is deposited there is lost, and points there see 0
///
/// A point at p is in cell floor((p - lo) * (cells / (hi - lo))), computed in floats.
///
/// Memory:  4 bytes a value; the same again after the first diffuse().
/// Threads: const members from any number of threads at once; the others from one.
/// Results: the same bits for any executor, instruction set, number of steps a call and number of ranks.
/// A moved-from field may only be assigned to or destroyed.
class JUXTA_API Field {
 public:
  static constexpr std::uint32_t kMostCellsOfAxis = std::uint32_t{1} << 24;
  static constexpr std::uint32_t kMostCells = 0x7FFF'FFFF;
  static constexpr std::uint32_t kMostComponents = 64;

  /// All values are 0. Errors: kInvalidArgument (with the axis), kNotFinite (lo or hi, with the axis),
  /// kTooLarge (more than kMostCells), kUnsupportedCpu.
  [[nodiscard]] static Result<Field> build(const FieldOptions& options,
                                           std::pmr::memory_resource* resource = huge_page_resource());

  [[nodiscard]] const FieldOptions& options() const noexcept;
  /// Of one component, on all ranks.
  [[nodiscard]] std::size_t cells() const noexcept;
  /// Of one axis: (hi - lo) / cells; 0 for z in 2D.
  [[nodiscard]] float cell_size(std::uint32_t axis) const noexcept;
  /// All values of a component, x fastest; empty for a component that is not there. Yours to change;
  /// diffuse() and save() refuse what is not finite. A span is valid until the next diffuse(). Over ranks:
  /// those of this rank.
  [[nodiscard]] std::span<float> values(std::uint32_t component = 0) noexcept;
  [[nodiscard]] std::span<const float> values(std::uint32_t component = 0) const noexcept;
  /// Which cell values()[0] is: 0 on one machine.
  [[nodiscard]] std::size_t first_cell() const noexcept;
  /// Over ranks, addresses for all cells. Of a field that came with Simulation::distribute(), pages that a
  /// rank does not use take no memory.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Every value of a component becomes `value`. Errors: kNotFinite, kInvalidArgument (no such component).
  [[nodiscard]] Result<void> fill(float value, std::uint32_t component = 0);
  /// The sum of a component, in double: of blocks of 65,536 cells, each in 16 sums side by side.
  /// Errors: kInvalidArgument (no such component).
  [[nodiscard]] Result<double> total(std::uint32_t component = 0, const Context& context = {}) const;

  /// Explicit steps of diffusion and decay. From each neighbour flows amount * (neighbour - cell), rounded to
  /// a multiple of the last digit of |cell| + |neighbour|, so that the neighbour loses what the cell gains.
  /// Each cell becomes (cell + (x- + x+) + (y- + y+) + (z- + z+)) * (1 - decay), the flows added first, all
  /// in floats. Values below 2^-100 (8e-31) become 0: floats below 1e-38 would be very slow.
  ///
  /// Without open edges and decay the total stays, but for the rounding of values that grow into another
  /// power of two: in a thousand steps 6e-8 of it in all that was tried (docs/grid.md).
  ///
  /// Cost:    docs/grid.md has a table.
  /// Memory:  a second array for each component that diffuses; with steps > 1 up to 64 blocks of rows.
  /// Errors:  kInvalidArgument (amount, decay or component): nothing is changed. kNotFinite (with the cell: a
  ///          value that is not finite, or neighbours whose magnitudes add up beyond float) and kCancelled
  ///          (asked every few steps): some of the steps may be done, each of them whole.
  [[nodiscard]] Result<void> diffuse(const Diffusion& diffusion, const Context& context = {});

  /// Adds amounts[i] to the cell of point i, or shares it among the cells around it. One amount alone is that
  /// of every point. In 2D z is empty. Every sum is taken in the order of the points, so this runs on the
  /// calling thread. Over ranks that is the order of ranks, and of the points of each; agents have it after
  /// Population::sort().
  ///
  /// Errors: kInvalidArgument (lengths, component; a point outside of walls), kNotFinite (a coordinate or an
  ///         amount): with the index, and nothing is changed. kNotFinite for a cell that would not be finite:
  ///         earlier points have been added.
  [[nodiscard]] Result<void> deposit(std::span<const float> x, std::span<const float> y,
                                     std::span<const float> z, std::span<const float> amounts,
                                     const FieldAccess& access = {});
  /// out[i] = the value at point i.
  ///
  /// Errors: kInvalidArgument (lengths, component; a point outside of walls), kNotFinite (a coordinate,
  ///         or the result): with the lowest index. `out` is unspecified then.
  [[nodiscard]] Result<void> sample(std::span<const float> x, std::span<const float> y,
                                    std::span<const float> z, std::span<float> out,
                                    const FieldAccess& access = {}, const Context& context = {}) const;
  /// The slope at points, per unit of length: central differences of the cells, (next - previous) / (2 cell
  /// sizes) along each axis, read as sample() reads values. In 2D z and out_z are empty. Errors as sample().
  [[nodiscard]] Result<void> gradient(std::span<const float> x, std::span<const float> y,
                                      std::span<const float> z, std::span<float> out_x,
                                      std::span<float> out_y, std::span<float> out_z,
                                      const FieldAccess& access = {}, const Context& context = {}) const;

  /// A number of the options and of the bits of all values() of this rank: equal fields have equal ones.
  [[nodiscard]] std::uint64_t state_hash() const;
  /// The same options, and the same bits of all values.
  friend JUXTA_API bool operator==(const Field& a, const Field& b) noexcept;

  /// Spreads the cells over ranks: each has a run of rows, in 3D of planes. All ranks have the same options;
  /// the values are those of rank 0. Simulation::distribute() does this for the fields of a simulation.
  ///
  /// From then on diffuse(), deposit(), sample(), gradient() and total() are collective: all ranks call them
  /// in the same order, from one thread, each with points of its own. An error of one rank is one on all. A
  /// rank fetches the rows around its points: few, if Population::sort() has sent agents to their ranks.
  ///
  /// `ranks` lives as long as the field. Collective.
  /// Errors: kInvalidArgument (distributed before; other options), kIo.
  [[nodiscard]] Result<void> distribute(Ranks& ranks);
  /// All cells, on one rank, as they would be on one machine; zeros on the others. Collective.
  /// Errors: kInvalidArgument (not distributed, no such rank), kIo.
  [[nodiscard]] Result<Field> gather(std::uint32_t rank = 0) const;
  /// Where its cells are; null: all here.
  [[nodiscard]] Ranks* ranks() const noexcept;

  /// Whole or not at all; docs/formats/field.md. Errors: kIo, kNotFinite (with the cell), kInvalidArgument
  /// (over ranks).
  [[nodiscard]] Result<void> save(std::string_view path) const;
  /// Every number is checked. Errors: kIo, kCorruptFile, kUnsupportedCpu.
  [[nodiscard]] static Result<Field> load(std::string_view path,
                                          std::pmr::memory_resource* resource = huge_page_resource());

 private:
  friend struct grid_detail::FieldParts;
  explicit Field(Owned<grid_detail::FieldStore> store) noexcept;
  Owned<grid_detail::FieldStore> store_;
};

}  // namespace juxta
