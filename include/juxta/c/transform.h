/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * Hierarchies: trees of nodes, each placed relative to its parent, that answer where every node is in the
 * world and which nodes moved. juxta/transform/hierarchy.h has the long description.
 *
 * A change takes effect in juxta_hierarchy_world() at once, and everywhere with the next
 * juxta_hierarchy_propagate(). Refused, with the index, and nothing is changed: a dead id (JUXTA_NOT_FOUND),
 * NaN and infinity (JUXTA_NOT_FINITE), a scale that is not above 0, a zero rotation and a cycle
 * (JUXTA_INVALID_ARGUMENT). Where a parent is asked for, juxta_no_id() means none.
 */
#ifndef JUXTA_C_TRANSFORM_H
#define JUXTA_C_TRANSFORM_H

#include <juxta/c/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Trees of nodes. */
typedef struct juxta_hierarchy juxta_hierarchy;
/** A tree to be instantiated many times. Immutable. */
typedef struct juxta_prefab juxta_prefab;

/** Where a node stands relative to its parent. */
typedef struct juxta_local_transform {
  float rotation[4]; /**< x, y, z, w; of length 1, or it is normalised. */
  float position[3];
  float scale; /**< Uniform, above 0. */
} juxta_local_transform;

/** Where a node stands in the world. */
typedef struct juxta_qvvs {
  float rotation[4]; /**< x, y, z, w. */
  float position[3];
  int32_t context;  /**< Your own number; travels along. */
  float stretch[3]; /**< Of this node alone, along its own axes. */
  float scale;      /**< Uniform; inherited. */
} juxta_qvvs;

/** What a node keeps of its world transform when its parent moves. Combine with |. */
typedef enum juxta_inherit {
  JUXTA_INHERIT_NORMAL = 0,  /**< Follows its parent in everything. */
  JUXTA_INHERIT_WORLD_X = 1, /**< Keeps its world position, axis by axis. */
  JUXTA_INHERIT_WORLD_Y = 2,
  JUXTA_INHERIT_WORLD_Z = 4,
  JUXTA_INHERIT_WORLD_FORWARD = 8, /**< Keeps the world direction of its +z axis. */
  JUXTA_INHERIT_WORLD_UP = 16,     /**< Keeps the world direction of its +y axis. */
  JUXTA_INHERIT_STRICT_UP = 32,    /**< Up has precedence over forward. */
  JUXTA_INHERIT_WORLD_SCALE = 64,  /**< Keeps its world scale. */
  JUXTA_INHERIT_COPY_PARENT = 128, /**< Its world transform is its parent's. */
  JUXTA_INHERIT_USER_WORLD = 256   /**< juxta_hierarchy_set_world() alone moves it. */
} juxta_inherit;

/** A node's parent that is none, in a juxta_node. */
#define JUXTA_ROOT UINT32_MAX

/** One node of a tree that is given as a list. From juxta_default_node(). */
typedef struct juxta_node {
  juxta_local_transform local;
  uint32_t parent;  /**< Place of the parent in the list, before this one; or JUXTA_ROOT. */
  float stretch[3]; /**< Any finite numbers. */
  int32_t context;  /**< Your own number. */
  uint16_t inherit; /**< Bits of juxta_inherit. */
} juxta_node;

/** A root at the origin, not rotated, of scale and stretch 1. */
JUXTA_STABLE JUXTA_API juxta_node juxta_default_node(void);
/** The id that names nothing. */
JUXTA_STABLE JUXTA_API juxta_id juxta_no_id(void);

/** An empty hierarchy. `history`: keep where nodes were one and two steps ago, 96 bytes a node. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_build(bool history, juxta_hierarchy** out,
                                                          juxta_error* error);
/** How a hierarchy keeps its nodes. From juxta_default_hierarchy_options(). */
typedef struct juxta_hierarchy_options {
  uint32_t cookie; /**< From juxta_default_hierarchy_options(). */
  bool history;    /**< Keep where nodes were one and two steps ago, 96 bytes a node. */
  bool destroyed;  /**< Keep the ids of nodes that are removed, for juxta_hierarchy_destroyed_since(). */
  /** Eight trees of one shape stand side by side: faster where most nodes move in a frame. */
  bool side_by_side;
} juxta_hierarchy_options;

/** Neither is kept; trees stand side by side. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_hierarchy_options juxta_default_hierarchy_options(void);
/** An empty hierarchy. `options` may be NULL. Errors: JUXTA_INVALID_ARGUMENT (a wrong cookie). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_build_with(const juxta_hierarchy_options* options,
                                                                     juxta_hierarchy** out,
                                                                     juxta_error* error);
/** Frees it. NULL is fine. */
JUXTA_STABLE JUXTA_API void juxta_hierarchy_free(juxta_hierarchy* hierarchy);

/** A prefab of `count` nodes, at most 1000; the first is the root. Errors: JUXTA_INVALID_ARGUMENT,
 * JUXTA_NOT_FINITE. */
JUXTA_STABLE JUXTA_API juxta_status juxta_prefab_build(const juxta_node* nodes, size_t stride, size_t count,
                                                       juxta_prefab** out, juxta_error* error);
/** Frees it. Instances stay. NULL is fine. */
JUXTA_STABLE JUXTA_API void juxta_prefab_free(juxta_prefab* prefab);
/** Nodes, the root included. */
JUXTA_STABLE JUXTA_API size_t juxta_prefab_size(const juxta_prefab* prefab);

/* ---- nodes come and go */

/** One node below `parent` (juxta_no_id(): a root), as `node` says; node->parent is not read. O(1) amortised.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_insert(juxta_hierarchy* hierarchy, const juxta_node* node,
                                                           juxta_id parent, juxta_id* out,
                                                           juxta_error* error);
/** Whole trees: ids[i] names node i. About 200 ns a node, the first propagation included. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_insert_many(juxta_hierarchy* hierarchy,
                                                                const juxta_node* nodes, size_t stride,
                                                                size_t count, juxta_id* ids,
                                                                juxta_error* error);
/**
 * `count` instances, placed at `roots`. `ids`: `id_count` of them, one per instance (its root), or
 * juxta_prefab_size() per instance. `parents`: one per instance, or NULL. About 60 ns a node.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_instantiate(
    juxta_hierarchy* hierarchy, const juxta_prefab* prefab, const juxta_local_transform* roots, size_t stride,
    size_t count, const juxta_id* parents, juxta_id* ids, size_t id_count, juxta_error* error);
/** The same with contexts: `context_count` of them, one per instance, for its root, or juxta_prefab_size()
 * per instance. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_instantiate_with(
    juxta_hierarchy* hierarchy, const juxta_prefab* prefab, const juxta_local_transform* roots, size_t stride,
    size_t count, const juxta_id* parents, const int32_t* contexts, size_t context_count, juxta_id* ids,
    size_t id_count, juxta_error* error);
/** Gets a node and its copy. */
typedef void (*juxta_copy_visitor)(void* user, juxta_id source, juxta_id copy);
/** A copy of a node and of all below it, under `parent` (juxta_no_id(): a root); `out` names the copy of the
 * node itself. `visitor` (or NULL) gets all of them, the node first, then in the order of
 * juxta_hierarchy_for_each_below(). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_copy(juxta_hierarchy* hierarchy, juxta_id id,
                                                               juxta_id parent, juxta_copy_visitor visitor,
                                                               void* user, juxta_id* out, juxta_error* error);
/** The nodes go, in this order. `keep_children`: their children are handed to their parents, and else go too.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_remove(juxta_hierarchy* hierarchy, const juxta_id* ids,
                                                           size_t stride, size_t count, bool keep_children,
                                                           juxta_error* error);

/* ---- who belongs to whom */

/** The node, with all below it, gets another parent. `keep_local`: it jumps; else its place in the world
 * stays. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_reparent(juxta_hierarchy* hierarchy, juxta_id id,
                                                             juxta_id parent, bool keep_local,
                                                             juxta_error* error);
/** The parent; of a root juxta_no_id(). */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_parent(const juxta_hierarchy* hierarchy, juxta_id id,
                                                           juxta_id* out, juxta_error* error);
/** Gets one node. */
typedef void (*juxta_node_visitor)(void* user, juxta_id id);
/** Hands over each child of a node. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_for_each_child(const juxta_hierarchy* hierarchy,
                                                                   juxta_id id, juxta_node_visitor visitor,
                                                                   void* user, juxta_error* error);
/** The node at the top of its tree; of a root the node itself. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_root_of(const juxta_hierarchy* hierarchy,
                                                                  juxta_id id, juxta_id* out,
                                                                  juxta_error* error);
/** Hands over each node below a node, without the node itself: breadth first, so parents before children. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_for_each_below(const juxta_hierarchy* hierarchy,
                                                                         juxta_id id,
                                                                         juxta_node_visitor visitor,
                                                                         void* user, juxta_error* error);
/** Hands over each living node, in the order of memory. */
JUXTA_STABLE JUXTA_API void juxta_hierarchy_for_each(const juxta_hierarchy* hierarchy,
                                                     juxta_node_visitor visitor, void* user);
/** Whether the id names a living node. */
JUXTA_STABLE JUXTA_API bool juxta_hierarchy_alive(const juxta_hierarchy* hierarchy, juxta_id id);
/** Living nodes. */
JUXTA_STABLE JUXTA_API size_t juxta_hierarchy_size(const juxta_hierarchy* hierarchy);

/* ---- places, of `count` nodes at once: all or none */

/** ids[i] gets the local transform i. About 5 ns a node in the order of memory, 25 in any. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_set_local(
    juxta_hierarchy* hierarchy, const juxta_id* ids, size_t id_stride, const juxta_local_transform* locals,
    size_t stride, size_t count, const juxta_context* context, juxta_error* error);
/** The position of the local transform alone; three floats a node. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_set_position(juxta_hierarchy* hierarchy,
                                                                 const juxta_id* ids, size_t id_stride,
                                                                 const float* positions, size_t stride,
                                                                 size_t count, juxta_error* error);
/** The same, in a context: on its executor to the same effect. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_set_positions(
    juxta_hierarchy* hierarchy, const juxta_id* ids, size_t id_stride, const float* positions, size_t stride,
    size_t count, const juxta_context* context, juxta_error* error);
/** The rotation of the local transform alone: x, y, z, w, four floats a node. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_set_rotation(juxta_hierarchy* hierarchy,
                                                                       const juxta_id* ids, size_t id_stride,
                                                                       const float* rotations, size_t stride,
                                                                       size_t count, juxta_error* error);
/** The scale of the local transform alone: one float a node, above 0. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_set_scale(juxta_hierarchy* hierarchy,
                                                                    const juxta_id* ids, size_t id_stride,
                                                                    const float* scales, size_t stride,
                                                                    size_t count, juxta_error* error);
/** Adds to the position of the local transform: a move along the axes of the parent, three floats a node. A
 * node that is listed twice moves twice. Errors: JUXTA_NOT_FINITE also when a sum is not finite. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_translate_by(juxta_hierarchy* hierarchy,
                                                                       const juxta_id* ids, size_t id_stride,
                                                                       const float* by, size_t stride,
                                                                       size_t count, juxta_error* error);
/** Local rotation = by * rotation: a turn about axes of the parent, in place; x, y, z, w, four floats a node.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_rotate_by(juxta_hierarchy* hierarchy,
                                                                    const juxta_id* ids, size_t id_stride,
                                                                    const float* by, size_t stride,
                                                                    size_t count, juxta_error* error);
/** Place, stretch and context in the world: the local transform becomes what brings the node there. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_set_world(juxta_hierarchy* hierarchy, const juxta_id* ids,
                                                              size_t id_stride, const juxta_qvvs* worlds,
                                                              size_t stride, size_t count,
                                                              juxta_error* error);
/** Three factors along the node's own axes. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_set_stretch(juxta_hierarchy* hierarchy, juxta_id id,
                                                                const float* stretch, juxta_error* error);
/** Your own number. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_set_context(juxta_hierarchy* hierarchy, juxta_id id,
                                                                int32_t number, juxta_error* error);
/** Seven bits of your own, 0 for a new node. The node and all below it count as changed. Errors:
 * JUXTA_INVALID_ARGUMENT (128 or more). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_set_tags(juxta_hierarchy* hierarchy, juxta_id id,
                                                                   uint8_t tags, juxta_error* error);
/** Of the node itself. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_tags(const juxta_hierarchy* hierarchy, juxta_id id,
                                                               uint8_t* out, juxta_error* error);
/** The tags that the node or any node above it has: a part is hidden when its hull is. About 4 ns a level. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_inherited_tags(const juxta_hierarchy* hierarchy,
                                                                         juxta_id id, uint8_t* out,
                                                                         juxta_error* error);
/** out[id.slot] = those of each living node, 0 for slots without one. `count`: bytes there are, at least
 * juxta_hierarchy_slot_count(). About 3 ns a node. Errors: JUXTA_INVALID_ARGUMENT. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_all_inherited_tags(const juxta_hierarchy* hierarchy,
                                                                             uint8_t* out, size_t count,
                                                                             juxta_error* error);
/** Bits of juxta_inherit. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_set_inherit(juxta_hierarchy* hierarchy, juxta_id id,
                                                                uint16_t inherit, juxta_error* error);
/** out[i] = the local transform of ids[i]. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_local(const juxta_hierarchy* hierarchy,
                                                          const juxta_id* ids, size_t id_stride, size_t count,
                                                          juxta_local_transform* out, juxta_error* error);
/** out[i] = the world transform of ids[i], exact at once, propagated or not. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_world(const juxta_hierarchy* hierarchy,
                                                          const juxta_id* ids, size_t id_stride, size_t count,
                                                          juxta_qvvs* out, juxta_error* error);

/* ---- all at once */

/** What a propagation did. */
typedef struct juxta_propagate_result {
  uint64_t version;          /**< juxta_hierarchy_version() after the call. */
  size_t computed;           /**< World transforms computed, each once. */
  size_t moved_nodes;        /**< Nodes that moved in memory since the last call. */
  size_t overflowed;         /**< Nodes whose place left the range of float: they take their parent's. */
  juxta_id first_overflowed; /**< The first of them, or juxta_no_id(). */
} juxta_propagate_result;

/** Brings every world transform up to date. Costs as much as what changed. `result` may be NULL. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_propagate(juxta_hierarchy* hierarchy,
                                                              const juxta_context* context,
                                                              juxta_propagate_result* result,
                                                              juxta_error* error);
/** How many propagations had something to do. */
JUXTA_STABLE JUXTA_API uint64_t juxta_hierarchy_version(const juxta_hierarchy* hierarchy);
/** Gets one node and where the last propagation left it. */
typedef void (*juxta_qvvs_visitor)(void* user, juxta_id id, const juxta_qvvs* world);
/** Hands over exactly the nodes whose world transform changed in a version above `version`. */
JUXTA_STABLE JUXTA_API void juxta_hierarchy_changed_since(const juxta_hierarchy* hierarchy, uint64_t version,
                                                          juxta_qvvs_visitor visitor, void* user);

/** Sixteen nodes next to each other in memory, with an array of sixteen for each number. Valid during a call.
 */
typedef struct juxta_local_lanes {
  uint32_t mask;            /**< Bit i: lane i holds a node. The others are identities. */
  const uint32_t* slots;    /**< juxta_id.slot of each node: the index into arrays of your own. */
  float *qx, *qy, *qz, *qw; /**< Local rotations. */
  float *x, *y, *z, *scale; /**< Local positions and scales. */
} juxta_local_lanes;

/** What a system reads and writes; the other arrays hold identities. */
typedef enum juxta_node_fields {
  JUXTA_NODE_ROTATION = 1,
  JUXTA_NODE_PLACE = 2, /**< Position and scale. */
  JUXTA_NODE_ALL = 3
} juxta_node_fields;

/** Changes sixteen nodes. Returns a mask of the lanes that it wrote; others stay as they are. It may be
 * called from several threads at the same time, and does not call the hierarchy. */
typedef uint32_t (*juxta_system)(void* user, const juxta_local_lanes* nodes);

/** juxta_id.slot of every node is below it: the length of arrays by slot. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_hierarchy_slot_count(const juxta_hierarchy* hierarchy);
/**
 * Calls `system` for all nodes, in the order of memory, from the threads of `context`. Errors:
 * JUXTA_INVALID_ARGUMENT (a system with one of these fields is running; `fields` is none of the enum). A lane
 * that juxta_hierarchy_set_local() would refuse stays as it was, and its error is returned when all others
 * are written.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_for_each_tile(juxta_hierarchy* hierarchy,
                                                                        juxta_node_fields fields,
                                                                        juxta_system system, void* user,
                                                                        const juxta_context* context,
                                                                        juxta_error* error);
/**
 * The system, the propagation and juxta_hierarchy_changed_matrices() in one pass. `result` may be NULL.
 * Errors: of the three; for a lane that is refused, when everything else is done.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_frame(
    juxta_hierarchy* hierarchy, juxta_node_fields fields, juxta_system system, void* user, float* matrices,
    size_t count, const juxta_context* context, juxta_propagate_result* result, juxta_error* error);
/** World transforms of sixteen nodes, with an array of sixteen for each number. Valid during a call. */
typedef struct juxta_world_lanes {
  uint32_t mask;                  /**< Bit i: lane i holds a node. What the others hold is not defined. */
  const uint32_t* slots;          /**< juxta_id.slot of each node: the index into arrays of your own. */
  const float *qx, *qy, *qz, *qw; /**< Rotations. */
  const float *x, *y, *z, *scale; /**< Positions and scales. */
  const float *stretch_x, *stretch_y, *stretch_z; /**< Stretches. */
  const int32_t* context;                         /**< Your own numbers. */
} juxta_world_lanes;
/** Reads sixteen nodes. It may be called from several threads at the same time, and does not call the
 * hierarchy. */
typedef void (*juxta_world_reader)(void* user, const juxta_world_lanes* nodes);
/** juxta_hierarchy_changed_since() by sixteens, from the threads of `context`: each node that changed is in
 * one mask of one call. Errors: JUXTA_INVALID_ARGUMENT. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_changed_spans(const juxta_hierarchy* hierarchy,
                                                                        uint64_t version,
                                                                        juxta_world_reader reader, void* user,
                                                                        const juxta_context* context,
                                                                        juxta_error* error);
/**
 * Twelve floats at 12 * slot for each node whose world transform changed in a version above `version`: a 3x4
 * matrix row by row, the last column being the position. Others stay as they are. `count`: matrices there
 * are, at least juxta_hierarchy_slot_count(). `written` (or NULL) gets how many were written. Errors:
 * JUXTA_INVALID_ARGUMENT.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_changed_matrices(const juxta_hierarchy* hierarchy,
                                                                           uint64_t version, float* out,
                                                                           size_t count, size_t* written,
                                                                           const juxta_context* context,
                                                                           juxta_error* error);

/** Hands over each node that was destroyed in a version above `version`, in the order of destruction. A node
 * is destroyed in the version of the next propagation. Read them before what changed: a slot may live again.
 * Errors: JUXTA_INVALID_ARGUMENT (built without `destroyed`; forgotten). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_destroyed_since(const juxta_hierarchy* hierarchy,
                                                                          uint64_t version,
                                                                          juxta_node_visitor visitor,
                                                                          void* user, juxta_error* error);
/** Forgets what was destroyed up to `version`, so that the list does not grow for ever. Errors:
 * JUXTA_INVALID_ARGUMENT (built without `destroyed`). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_forget_destroyed(juxta_hierarchy* hierarchy,
                                                                           uint64_t version,
                                                                           juxta_error* error);
/** Gives back memory of nodes that are gone; `out` (or NULL) gets how many bytes. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_hierarchy_shrink(juxta_hierarchy* hierarchy, size_t* out,
                                                                 juxta_error* error);

/** A step begins: what was one step ago is two steps ago. Errors: JUXTA_INVALID_ARGUMENT (built without
 * history). */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_begin_step(juxta_hierarchy* hierarchy,
                                                               juxta_error* error);
/** Where nodes were when this step began (`steps` 1) or the one before (2). */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_previous(const juxta_hierarchy* hierarchy, int steps,
                                                             const juxta_id* ids, size_t id_stride,
                                                             size_t count, juxta_qvvs* out,
                                                             juxta_error* error);

/** Writes everything; `path` is UTF-8. Replaces the file as a whole or not at all. Errors: JUXTA_IO. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_save(const juxta_hierarchy* hierarchy, const char* path,
                                                         juxta_error* error);
/** Reads what juxta_hierarchy_save() wrote. Errors: JUXTA_IO, JUXTA_CORRUPT_FILE. */
JUXTA_STABLE JUXTA_API juxta_status juxta_hierarchy_load(const char* path, juxta_hierarchy** out,
                                                         juxta_error* error);

/**
 * out[i] = the world's box (lo, hi: six floats) around the box i of a node at worlds[i]. Rounding never loses
 * a point. A box or a transform that is not finite gives infinite sides. Cost: 2 to 9 ns each.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_world_boxes(const juxta_qvvs* worlds, size_t stride,
                                                      const float* boxes, size_t box_stride, size_t count,
                                                      float* out, const juxta_context* context,
                                                      juxta_error* error);

#ifdef __cplusplus
}
#endif

#endif
