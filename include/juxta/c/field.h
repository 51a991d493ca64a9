/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * Fields: values on a regular grid of cells over a world, such as pheromone or oxygen. juxta/grid/field.h has
 * the long description, docs/grid.md the guide.
 *
 * A component has one float a cell. Cell (x, y, z) is value x + nx * (y + ny * z), x fastest.
 *
 * Points come as coordinates along x, y and z, each `stride` bytes from that of the next point; 0: packed.
 * Columns of a population are packed; for structs, give the addresses of the first one's members and the size
 * of the struct. In 2D z is not looked at.
 */
#ifndef JUXTA_C_FIELD_H
#define JUXTA_C_FIELD_H

#include <juxta/c/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Values on a grid. */
typedef struct juxta_field juxta_field;

/** What a field covers, and how finely. From juxta_default_field_options(). */
typedef struct juxta_field_options {
  uint32_t cookie;     /**< From juxta_default_field_options(). */
  juxta_world world;   /**< lo and hi are finite on all axes, on open ones too. Yours to set. */
  uint32_t cells[3];   /**< Along x, y and z: 1 to 2^24 each, 2^31 - 1 in all. In 2D the third is 1. */
  uint32_t components; /**< Values of each cell: 1 to 64. */
} juxta_field_options;

/** juxta_diffusion: all components. */
#define JUXTA_ALL_COMPONENTS UINT32_MAX

/** Steps of diffusion and decay. From juxta_default_diffusion(). */
typedef struct juxta_diffusion {
  uint32_t cookie;    /**< From juxta_default_diffusion(). */
  float amount;       /**< The part of the difference to each neighbour that flows in a step: 0 to 1/4, in 3D
                         0 to 1/6. */
  float decay;        /**< The part that is lost in a step: 0 to 1. */
  uint32_t steps;     /**< Many at once are faster than one by one, with the same result. */
  uint32_t component; /**< A component, or JUXTA_ALL_COMPONENTS. */
} juxta_diffusion;

/** How a point and the cells around it belong together. */
typedef enum juxta_field_method {
  JUXTA_FIELD_NEAREST = 0, /**< The cell that holds the point. */
  JUXTA_FIELD_LINEAR = 1   /**< The 4 (in 3D 8) cells whose centres are around it, by distance. */
} juxta_field_method;

/** What a call with points is about. From juxta_default_field_access(). */
typedef struct juxta_field_access {
  uint32_t cookie;    /**< From juxta_default_field_access(). */
  uint32_t component; /**< Counted from 0. */
  uint32_t method;    /**< A juxta_field_method. */
} juxta_field_access;

/** One cell, one component, three open axes without a size. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_field_options juxta_default_field_options(void);
/** Nothing flows and nothing decays, in one step of all components. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_diffusion juxta_default_diffusion(void);
/** Component 0, JUXTA_FIELD_LINEAR. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_field_access juxta_default_field_access(void);

/**
 * A field of zeros. Errors: JUXTA_INVALID_ARGUMENT and JUXTA_NOT_FINITE (index: the axis), JUXTA_TOO_LARGE,
 * JUXTA_UNSUPPORTED_CPU.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_field_build(const juxta_field_options* options,
                                                            juxta_field** out, juxta_error* error);
/** Frees it. NULL is fine. */
JUXTA_EXPERIMENTAL JUXTA_API void juxta_field_free(juxta_field* field);

/** What it was built with. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_field_options juxta_field_get_options(const juxta_field* field);
/** Values of one component. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_field_cells(const juxta_field* field);
/** Of one axis: (hi - lo) / cells; 0 for an axis that is not there. */
JUXTA_EXPERIMENTAL JUXTA_API float juxta_field_cell_size(const juxta_field* field, uint32_t axis);
/**
 * All values of a component, juxta_field_cells() floats; NULL for one that is not there. Yours to change;
 * diffusing and saving refuse what is not finite. Valid until the next juxta_field_diffuse(): ask again then.
 */
JUXTA_EXPERIMENTAL JUXTA_API float* juxta_field_write(juxta_field* field, uint32_t component);
/** The same, to read. */
JUXTA_EXPERIMENTAL JUXTA_API const float* juxta_field_read(const juxta_field* field, uint32_t component);
/** Bytes that it holds: 4 a value, and as many again after the first juxta_field_diffuse(). */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_field_memory_bytes(const juxta_field* field);
/** A number of the options and of the bits of all values: equal fields have equal ones. */
JUXTA_EXPERIMENTAL JUXTA_API uint64_t juxta_field_state_hash(const juxta_field* field);

/** Every value of a component becomes `value`. Errors: JUXTA_NOT_FINITE, JUXTA_INVALID_ARGUMENT (component).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_field_fill(juxta_field* field, uint32_t component,
                                                           float value, juxta_error* error);
/** The sum of a component. Errors: JUXTA_INVALID_ARGUMENT (component). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_field_total(const juxta_field* field, uint32_t component,
                                                            const juxta_context* context, double* out,
                                                            juxta_error* error);
/**
 * Steps of diffusion and decay. Without open edges and decay the total stays. Errors, and nothing was
 * changed: JUXTA_INVALID_ARGUMENT (amount, decay, component), JUXTA_NOT_FINITE (a value, or differences that
 * are beyond float; index: the cell). JUXTA_CANCELLED, asked every few steps: some of the steps are done.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_field_diffuse(juxta_field* field,
                                                              const juxta_diffusion* diffusion,
                                                              const juxta_context* context,
                                                              juxta_error* error);

/**
 * Adds to the cell of each point, or shares among the cells around it. `amount_count` is `count`, or 1: the
 * amount of every point; amounts are `amount_stride` bytes apart. Sums are taken in the order of the points,
 * on the calling thread. Errors, and nothing was changed: JUXTA_INVALID_ARGUMENT (counts, component, method;
 * a point outside of walls), JUXTA_NOT_FINITE (a coordinate or an amount): index: the point.
 * JUXTA_NOT_FINITE for a cell that would not be finite: earlier points have been added.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_field_deposit(juxta_field* field, const float* x,
                                                              const float* y, const float* z, size_t stride,
                                                              size_t count, const float* amounts,
                                                              size_t amount_stride, size_t amount_count,
                                                              const juxta_field_access* access,
                                                              juxta_error* error);
/**
 * out[i] = the value at point i. Errors: JUXTA_INVALID_ARGUMENT (component, method; a point outside of
 * walls), JUXTA_NOT_FINITE (a coordinate, or the result): index: the first such point.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_field_sample(
    const juxta_field* field, const float* x, const float* y, const float* z, size_t stride, size_t count,
    float* out, const juxta_field_access* access, const juxta_context* context, juxta_error* error);
/**
 * The slope at points, per unit of length: central differences of the cells, read as juxta_field_sample()
 * reads values. `count` floats along each axis; in 2D out_z is not looked at. Errors: as
 * juxta_field_sample().
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_field_gradient(const juxta_field* field, const float* x,
                                                               const float* y, const float* z, size_t stride,
                                                               size_t count, float* out_x, float* out_y,
                                                               float* out_z, const juxta_field_access* access,
                                                               const juxta_context* context,
                                                               juxta_error* error);

/** Writes one file, whole or not at all; `path` is UTF-8. Errors: JUXTA_IO, JUXTA_NOT_FINITE (the cell). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_field_save(const juxta_field* field, const char* path,
                                                           juxta_error* error);
/** A saved field. Errors: JUXTA_IO, JUXTA_CORRUPT_FILE, JUXTA_UNSUPPORTED_CPU. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_field_load(const char* path, juxta_field** out,
                                                           juxta_error* error);

#ifdef __cplusplus
}
#endif

#endif
