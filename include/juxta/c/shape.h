/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * Shapes: what a body is, in its own coordinates; a juxta_qvvs says where it stands. Rays, distances, casts
 * and contacts of one shape and another. <juxta/c/bodies.h> asks many at once. juxta/shape/query.h has the
 * long description.
 *
 * Lengths are in units of the world. All shapes are closed: a point on the surface belongs to them.
 * Placement: a point p stands at position + rotate(rotation, p * stretch * scale). Scale and stretch are
 * above 0; boxes that are turned inside their shape are not stretched unevenly.
 */
#ifndef JUXTA_C_SHAPE_H
#define JUXTA_C_SHAPE_H

#include <juxta/c/layer_queries.h>
#include <juxta/c/transform.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The smallest convex set that holds some points. */
typedef struct juxta_hull juxta_hull;
/** Triangles, and a tree over them: a surface, hit from both sides. */
typedef struct juxta_mesh juxta_mesh;
/** Shapes that move together, each at its own place. */
typedef struct juxta_compound juxta_compound;
/** Heights over a grid. */
typedef struct juxta_height_field juxta_height_field;

/** What a juxta_shape is. The first four and the hull are called convex. */
typedef enum juxta_shape_kind {
  JUXTA_SPHERE = 0,
  JUXTA_CAPSULE = 1,
  JUXTA_BOX = 2,
  JUXTA_TRIANGLE = 3,
  JUXTA_HULL = 4,
  JUXTA_MESH = 5,
  JUXTA_COMPOUND = 6,
  JUXTA_HEIGHT_FIELD = 7
} juxta_shape_kind;

/** All points within the radius of the centre. */
typedef struct juxta_sphere {
  float center[3];
  float radius; /**< >= 0. */
} juxta_sphere;
/** All points within the radius of the segment from a to b. */
typedef struct juxta_capsule {
  float a[3], b[3];
  float radius; /**< >= 0. */
} juxta_capsule;
/** A box, turned about its centre. */
typedef struct juxta_box {
  float center[3];
  float rotation[4]; /**< x, y, z, w; of length 1. */
  float half[3];     /**< Half its edges, >= 0. */
} juxta_box;
/** A surface without volume. */
typedef struct juxta_triangle {
  float a[3], b[3], c[3];
} juxta_triangle;

/** One of eight kinds. Handles are borrowed: they outlive what uses the shape, and any number of shapes may
 * share one. */
typedef struct juxta_shape {
  uint32_t kind; /**< A juxta_shape_kind: which member of `of` counts. */
  union {
    juxta_sphere sphere;
    juxta_capsule capsule;
    juxta_box box;
    juxta_triangle triangle;
    const juxta_hull* hull;
    const juxta_mesh* mesh;
    const juxta_compound* compound;
    const juxta_height_field* height_field;
  } of;
} juxta_shape;

/** At the origin, not rotated, of scale and stretch 1. */
JUXTA_STABLE JUXTA_API juxta_qvvs juxta_default_qvvs(void);

/** The hull of `count` points (three floats each). Errors: JUXTA_INVALID_ARGUMENT, JUXTA_NOT_FINITE,
 * JUXTA_TOO_LARGE. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hull_build(const float* points, size_t stride, size_t count,
                                                     juxta_hull** out, juxta_error* error);
/** Frees it. NULL is fine. */
JUXTA_STABLE JUXTA_API void juxta_hull_free(juxta_hull* hull);
/** Its corners: three floats each, of which there are `*count`. They live as long as the hull. */
JUXTA_STABLE JUXTA_API const float* juxta_hull_vertices(const juxta_hull* hull, size_t* count);

/**
 * A mesh of vertices (three floats each) and triangles (three numbers of vertices each, packed). About 1 us a
 * triangle. Errors: JUXTA_INVALID_ARGUMENT (a vertex that is not there, with the triangle's index),
 * JUXTA_NOT_FINITE, JUXTA_TOO_LARGE.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_mesh_build(const float* vertices, size_t stride,
                                                     size_t vertex_count, const uint32_t* triangles,
                                                     size_t triangle_count, const juxta_context* context,
                                                     juxta_mesh** out, juxta_error* error);
/** How much time a build takes for rays that take less. No answer depends on it. */
typedef enum juxta_mesh_quality {
  JUXTA_MESH_DEFAULT = 0,
  JUXTA_MESH_FAST = 1, /**< A tenth of the time; rays take about half as long again. */
  JUXTA_MESH_BEST = 2  /**< Two to six times the time, for meshes that are built once and saved. */
} juxta_mesh_quality;

/** Buffers of vertices and of numbers of vertices. Initialise it as a whole. */
typedef struct juxta_mesh_input {
  const void* vertices; /**< The first position, three floats: inside a larger vertex, or packed. */
  size_t stride;        /**< Bytes from one to the next: a multiple of 4, at least 12; 0: 12. */
  size_t vertex_count;
  const void* indices;  /**< Three numbers of vertices for each triangle. */
  size_t index_count;   /**< A multiple of 3. */
  uint32_t index_bytes; /**< 2 or 4, of each number. */
  uint32_t quality;     /**< A juxta_mesh_quality. */
} juxta_mesh_input;

/** A mesh from buffers as renderers have them; copies. Errors: as juxta_mesh_build(), and
 * JUXTA_INVALID_ARGUMENT for what the comments above do not allow. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_mesh_build_from(const juxta_mesh_input* input,
                                                                const juxta_context* context,
                                                                juxta_mesh** out, juxta_error* error);
/** New places for all vertices, of which there are `vertex_count` (`stride` as above); the triangles stay. No
 * question may be asked of the mesh meanwhile. Then call juxta_bodies_refit() for bodies that borrow it.
 * Errors: JUXTA_INVALID_ARGUMENT (another number of vertices), JUXTA_NOT_FINITE (with the vertex's index);
 * the mesh is then as it was. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_mesh_refit(juxta_mesh* mesh, const void* vertices,
                                                           size_t stride, size_t vertex_count,
                                                           const juxta_context* context, juxta_error* error);
/**
 * Where this mesh stands beside another mesh or a height field, its surface goes on there: contacts have no
 * ghost edges along edges of its border that lie along the other's border, within `within` (up to
 * half of the edge's length; 0: a ten-thousandth of it). Call it for both. It holds while the two stand like
 * that: when the other goes, forget it. juxta_mesh_refit() forgets it, and juxta_mesh_save() does not keep
 * it. No question about contacts may run meanwhile. *edges: how many have got a neighbour; may be NULL.
 * Errors: JUXTA_INVALID_ARGUMENT (neither a mesh nor a height field; `within` below 0 or not finite),
 * JUXTA_NOT_FINITE.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_mesh_adjoin(juxta_mesh* mesh, const juxta_qvvs* at,
                                                            const juxta_shape* other,
                                                            const juxta_qvvs* other_at, float within,
                                                            size_t* edges, juxta_error* error);
/** All borders are free again. */
JUXTA_EXPERIMENTAL JUXTA_API void juxta_mesh_forget_adjoined(juxta_mesh* mesh);
/** Writes the mesh and its tree to a file, as a whole or not at all. Errors: JUXTA_IO. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_mesh_save(const juxta_mesh* mesh, const char* path,
                                                          juxta_error* error);
/** The mesh of such a file, mapped and checked. Errors: JUXTA_IO, JUXTA_CORRUPT_FILE. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_mesh_open(const char* path, juxta_mesh** out,
                                                          juxta_error* error);
/** Vertices. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_mesh_vertex_count(const juxta_mesh* mesh);

/** Frees it. NULL is fine. */
JUXTA_STABLE JUXTA_API void juxta_mesh_free(juxta_mesh* mesh);
/** Triangles. */
JUXTA_STABLE JUXTA_API size_t juxta_mesh_triangle_count(const juxta_mesh* mesh);
/** Whether it has an inside: every edge belongs to two triangles, which run along it in opposite directions.
 */
JUXTA_STABLE JUXTA_API bool juxta_mesh_closed(const juxta_mesh* mesh);

/** `count` shapes, shape i at at[i]; none is a compound. Errors: as juxta_check_shape(), with the index. */
JUXTA_STABLE JUXTA_API juxta_status juxta_compound_build(const juxta_shape* shapes, const juxta_qvvs* at,
                                                         size_t count, juxta_compound** out,
                                                         juxta_error* error);
/** Frees it. NULL is fine. */
JUXTA_STABLE JUXTA_API void juxta_compound_free(juxta_compound* compound);

/**
 * Heights, y upwards: vertex (i, j) is (i * cell, heights[j * columns + i], j * cell). A NaN makes a hole.
 * Errors: JUXTA_INVALID_ARGUMENT (columns or rows below 2, cell not above 0), JUXTA_NOT_FINITE.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_height_field_build(uint32_t columns, uint32_t rows, float cell,
                                                             const float* heights, juxta_height_field** out,
                                                             juxta_error* error);
/** As juxta_mesh_adjoin(). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_height_field_adjoin(juxta_height_field* height_field,
                                                                    const juxta_qvvs* at,
                                                                    const juxta_shape* other,
                                                                    const juxta_qvvs* other_at, float within,
                                                                    size_t* edges, juxta_error* error);
/** All borders are free again. */
JUXTA_EXPERIMENTAL JUXTA_API void juxta_height_field_forget_adjoined(juxta_height_field* height_field);
/** Frees it. NULL is fine. */
JUXTA_STABLE JUXTA_API void juxta_height_field_free(juxta_height_field* height_field);

/** Refuses what no function here can take: JUXTA_NOT_FINITE, JUXTA_INVALID_ARGUMENT. */
JUXTA_STABLE JUXTA_API juxta_status juxta_check_shape(const juxta_shape* shape, const juxta_qvvs* at,
                                                      juxta_error* error);
/** The box of a shape where it stands, rounded outwards, to box[0] ... box[5]. */
JUXTA_STABLE JUXTA_API void juxta_shape_bounds(const juxta_shape* shape, const juxta_qvvs* at, float* box);

/* ---- one shape and another. Nothing here allocates; a shape of an unknown kind, or of a NULL handle, is far
 * away */

/** "No part", of shapes that have none. */
#define JUXTA_NO_PART UINT32_MAX

/** Which part of a shape. */
typedef struct juxta_part {
  uint32_t part;     /**< Of a compound, or JUXTA_NO_PART. */
  uint32_t triangle; /**< Of a mesh or height field, or JUXTA_NO_PART. */
} juxta_part;

/** Where a ray meets a surface. */
typedef struct juxta_surface_hit {
  bool hit;
  float t; /**< In lengths of the ray's direction; INFINITY when nothing is hit. */
  float point[3];
  float normal[3]; /**< Of length 1, against the ray; 0 when the ray starts inside a solid. */
  juxta_part part;
  uint32_t body; /**< Of queries of bodies; else JUXTA_NO_BODY. */
} juxta_surface_hit;

/** The first point of the ray in the shape. */
JUXTA_STABLE JUXTA_API juxta_surface_hit juxta_shape_raycast(const juxta_shape* shape, const juxta_qvvs* at,
                                                             const juxta_ray* ray);
/** Whether juxta_shape_raycast() hits: a line of sight. Costs less, for meshes and height fields. */
JUXTA_EXPERIMENTAL JUXTA_API bool juxta_shape_raycast_any(const juxta_shape* shape, const juxta_qvvs* at,
                                                          const juxta_ray* ray);
/** All surfaces that the ray meets, by (t, part, triangle): each triangle of meshes and height fields, and
 * each convex part once, where the ray enters it. The nearest `most` are written. Returns how many there are.
 */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_shape_raycast_every(const juxta_shape* shape, const juxta_qvvs* at,
                                                              const juxta_ray* ray, juxta_surface_hit* out,
                                                              size_t most);

/** The nearest points of two shapes. */
typedef struct juxta_closest_points {
  bool found;     /**< False: farther apart than was asked for. */
  float distance; /**< Below 0: the least way out of each other. */
  float on_a[3], on_b[3];
  float normal[3]; /**< Of length 1, from a to b. */
  juxta_part part_a, part_b;
  uint32_t body; /**< Of queries of bodies, where b is the body; else JUXTA_NO_BODY. */
} juxta_closest_points;

/** The nearest points within `max_distance`, which may be INFINITY or 0. */
JUXTA_STABLE JUXTA_API juxta_closest_points juxta_shape_closest(const juxta_shape* a, const juxta_qvvs* at_a,
                                                                const juxta_shape* b, const juxta_qvvs* at_b,
                                                                float max_distance);
/** Whether they have a point in common. */
JUXTA_STABLE JUXTA_API bool juxta_shape_overlaps(const juxta_shape* a, const juxta_qvvs* at_a,
                                                 const juxta_shape* b, const juxta_qvvs* at_b);
/** Whether a point (three floats) is in a solid; closed meshes are solid here. */
JUXTA_STABLE JUXTA_API bool juxta_shape_contains(const juxta_shape* shape, const juxta_qvvs* at,
                                                 const float* point);

/** When a moving shape first meets another. */
typedef struct juxta_cast_hit {
  bool hit;
  float t; /**< Part of the way, 0 to 1; 0: they overlap at the start; INFINITY when nothing is hit. */
  float point[3];
  float normal[3]; /**< Of length 1, from the still shape to the moving one. */
  juxta_part part; /**< Of the still shape. */
  uint32_t body;   /**< Of queries of bodies; else JUXTA_NO_BODY. */
  /** Where they overlap at the start: how deep, below 0, along the normal; otherwise 0. */
  float distance;
} juxta_cast_hit;

/** Moves a convex shape by `way` (three floats) without turning it. One that is not convex hits nothing. */
JUXTA_STABLE JUXTA_API juxta_cast_hit juxta_shape_cast(const juxta_shape* moving, const juxta_qvvs* from,
                                                       const float* way, const juxta_shape* still,
                                                       const juxta_qvvs* at);

/** A motion that turns: for t from 0 to 1 the shape has moved by `way` * t and turned by `turn` * t about the
 * pivot, which moves along. */
typedef struct juxta_motion {
  juxta_qvvs from; /**< Where the shape starts. */
  float way[3];    /**< In the world. */
  float turn[3];   /**< Axis times angle in radians, in the world; of length 1000 at most. */
  float pivot[3];  /**< In the shape's own coordinates; 0 is its origin. */
} juxta_motion;
/** Where the shape stands at t. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_qvvs juxta_place_at(const juxta_motion* motion, float t);
/** As juxta_shape_cast(), for a convex shape that turns as it moves; juxta/shape/query.h says how exactly. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_cast_hit juxta_shape_cast_turning(const juxta_shape* moving,
                                                                     const juxta_motion* motion,
                                                                     const juxta_shape* still,
                                                                     const juxta_qvvs* at);

/** One point of a juxta_manifold. */
typedef struct juxta_contact_point {
  float point[3]; /**< Half way between the two surfaces. */
  float distance; /**< Along the normal; below 0: inside. */
} juxta_contact_point;
/** Up to four points where two convex shapes touch, the deepest first. */
typedef struct juxta_manifold {
  float normal[3]; /**< From a to b. */
  uint32_t count;
  juxta_contact_point points[4];
} juxta_manifold;

/** The points within `margin`. Shapes that are not convex, or too far apart, and a margin below 0 or NaN:
 * none. */
JUXTA_STABLE JUXTA_API juxta_manifold juxta_shape_contact(const juxta_shape* a, const juxta_qvvs* at_a,
                                                          const juxta_shape* b, const juxta_qvvs* at_b,
                                                          float margin);

/** A point of contact with its name: what touches what. It stays from frame to frame while the same features
 * touch (juxta/shape/query.h). */
typedef struct juxta_named_point {
  float point[3]; /**< Half way between the two surfaces. */
  float distance; /**< Along the normal; below 0: inside. */
  uint32_t feature;
} juxta_named_point;
/** Up to four points of one direction, the deepest first. */
typedef struct juxta_named_manifold {
  float normal[3]; /**< From a to b. */
  uint32_t count;
  juxta_named_point points[4];
  juxta_part part_a, part_b; /**< Of the deepest point. */
} juxta_named_manifold;

/** Contacts of shapes of any kind, within `margin`: one manifold for two convex shapes, up to 16 for others,
 * ascending by part_a, then part_b. The first `most` are written. Returns how many there are: none for a
 * margin below 0 or NaN. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_shape_contacts(const juxta_shape* a, const juxta_qvvs* at_a,
                                                         const juxta_shape* b, const juxta_qvvs* at_b,
                                                         float margin, juxta_named_manifold* out,
                                                         size_t most);

#ifdef __cplusplus
}
#endif

#endif
