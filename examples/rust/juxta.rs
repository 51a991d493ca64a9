// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//! Juxta from Rust: layers of boxes, and ranked points. Copy this file and add what you need of juxta.h in the same
//! way: the C declarations are in `c`, and everything outside it is safe to call.
use std::ffi::{c_void, CStr};
use std::mem::size_of;
use std::os::raw::{c_char, c_int};
use std::ptr::{null, null_mut};

/// The declarations of juxta.h, member by member.
mod c {
    use super::*;

    #[repr(C)]
    pub struct Error {
        pub code: c_int,
        pub index: u64,
        pub line: u64,
        pub byte: u64,
        pub message: [c_char; 480],
    }

    #[repr(C)]
    pub struct QueryResult {
        pub found: usize,
        pub written: usize,
        pub tested: usize,
        pub visited: usize,
    }

    #[repr(C)]
    pub struct QueryOptions {
        pub cookie: u32,
        pub category: u32, // juxta_filter
        pub mask: u32,
        pub ignore: *const u32,
        pub ignore_count: usize,
        pub accept: Option<extern "C" fn(*mut c_void, u32) -> bool>,
        pub user: *mut c_void,
    }

    #[repr(C)]
    pub struct Column {
        pub data: *const c_void,
        pub stride: usize,
        pub scalar: u32,
    }

    pub const INT32: u32 = 0;
    pub const DOUBLE: u32 = 3;

    // Behind handles there is nothing to see: *mut c_void.
    extern "C" {
        pub fn juxta_version() -> c_int;
        pub fn juxta_default_query_options() -> QueryOptions;
        pub fn juxta_layer_build(
            dimensions: c_int, boxes: *const f32, stride: usize, count: usize, options: *const c_void,
            context: *const c_void, out: *mut *mut c_void, error: *mut Error,
        ) -> c_int;
        pub fn juxta_layer_free(layer: *mut c_void);
        pub fn juxta_layer_find_pairs(
            layer: *const c_void, other: *const c_void, out: *mut super::Pair, most: usize, options: *const c_void,
            context: *const c_void, result: *mut QueryResult, error: *mut Error,
        ) -> c_int;
        pub fn juxta_layer_raycast_closest(
            layer: *const c_void, ray: *const super::Ray, options: *const QueryOptions,
        ) -> super::RayHit;
        pub fn juxta_ranked_points_build(
            x: Column, y: Column, rank: Column, count: usize, options: *const c_void, context: *const c_void,
            out: *mut *mut c_void, error: *mut Error,
        ) -> c_int;
        pub fn juxta_ranked_points_free(points: *mut c_void);
        pub fn juxta_ranked_points_top(
            points: *const c_void, rect: *const super::Rect, k: usize, out: *mut u32,
        ) -> QueryResult;
    }
}

/// Why a call failed: a sentence, and the element of the input that it is about.
#[derive(Debug)]
pub struct Error {
    pub code: i32,
    pub index: Option<u64>,
    pub message: String,
}

/// Calls a function of the library with a place for its error.
fn checked(call: impl FnOnce(*mut c::Error) -> c_int) -> Result<(), Error> {
    let mut error = c::Error { code: 0, index: 0, line: 0, byte: 0, message: [0; 480] };
    if call(&mut error) == 0 {
        return Ok(());
    }
    // The library ends every message with a zero.
    let message = unsafe { CStr::from_ptr(error.message.as_ptr()) }.to_string_lossy().into_owned();
    Err(Error { code: error.code, index: (error.index != u64::MAX).then(|| error.index), message })
}

/// The version of the library: 10000 * major + 100 * minor + patch.
pub fn version() -> i32 {
    unsafe { c::juxta_version() }
}

/// "No body": the answer of a query that finds nothing.
pub const NO_BODY: u32 = u32::MAX;

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    pub lo: [f32; 3],
    pub hi: [f32; 3],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pair {
    pub a: u32,
    pub b: u32,
}

#[repr(C)]
pub struct Ray {
    pub origin: [f32; 3],
    pub direction: [f32; 3],
    pub max: f32,
}

#[repr(C)]
pub struct RayHit {
    pub body: u32,
    pub t: f32,
}

/// A set of boxes. It has a copy of them.
pub struct Layer {
    handle: *mut c_void,
}

// Queries change nothing (docs/c.md), so any number of threads may share a handle.
unsafe impl Send for Layer {}
unsafe impl Sync for Layer {}

impl Layer {
    pub fn build(boxes: &[Aabb]) -> Result<Layer, Error> {
        let mut handle = null_mut();
        checked(|error| unsafe {
            c::juxta_layer_build(
                3, boxes.as_ptr() as *const f32, size_of::<Aabb>(), boxes.len(), null(), null(), &mut handle, error,
            )
        })?;
        Ok(Layer { handle })
    }

    /// Every pair of boxes that overlap. Asks again if there are more than `most`.
    pub fn find_pairs(&self, most: usize) -> Result<Vec<Pair>, Error> {
        let mut pairs = vec![Pair::default(); most];
        let mut result = c::QueryResult { found: 0, written: 0, tested: 0, visited: 0 };
        checked(|error| unsafe {
            c::juxta_layer_find_pairs(
                self.handle, null(), pairs.as_mut_ptr(), pairs.len(), null(), null(), &mut result, error,
            )
        })?;
        if result.found > most {
            return self.find_pairs(result.found);
        }
        pairs.truncate(result.written);
        Ok(pairs)
    }

    /// The body that the ray enters first, but for those of `ignore`.
    pub fn raycast_closest(&self, ray: &Ray, ignore: &[u32]) -> Option<RayHit> {
        let mut options = unsafe { c::juxta_default_query_options() };
        options.ignore = ignore.as_ptr();
        options.ignore_count = ignore.len();
        let hit = unsafe { c::juxta_layer_raycast_closest(self.handle, ray, &options) };
        (hit.body != NO_BODY).then(|| hit)
    }
}

impl Drop for Layer {
    fn drop(&mut self) {
        unsafe { c::juxta_layer_free(self.handle) }
    }
}

#[repr(C)]
pub struct Rect {
    pub lx: f64,
    pub ly: f64,
    pub hx: f64,
    pub hy: f64,
}

/// One member of each element of a slice: what column() makes.
pub struct Column<'a, T, V> {
    of: &'a [T],
    first: *const V,
}

/// The member that `member` picks: column(&cities, |city| &city.x). No copy is made.
pub fn column<T, V>(of: &[T], member: impl Fn(&T) -> &V) -> Column<'_, T, V> {
    let offset = |element| (member(element) as *const V as usize).wrapping_sub(element as *const T as usize);
    let first = of.first().map_or(0, offset);
    let inside = size_of::<V>() <= size_of::<T>() && first <= size_of::<T>() - size_of::<V>();
    // The library goes from one element to the next by the size of one.
    assert!(inside && of.iter().all(|element| offset(element) == first), "the closure picks no member of its element");
    Column { of, first: of.as_ptr().cast::<u8>().wrapping_add(first).cast() }
}

impl<T, V> Column<'_, T, V> {
    fn to_c(&self, scalar: u32) -> c::Column {
        c::Column { data: self.first as *const c_void, stride: size_of::<T>(), scalar }
    }
}

/// Points with ranks: the lower the rank, the more important the point. It has a copy of them.
pub struct RankedPoints {
    handle: *mut c_void,
}

// As for Layer.
unsafe impl Send for RankedPoints {}
unsafe impl Sync for RankedPoints {}

impl RankedPoints {
    pub fn build<T>(x: Column<T, f64>, y: Column<T, f64>, rank: Column<T, i32>) -> Result<RankedPoints, Error> {
        assert!(x.of.len() == y.of.len() && y.of.len() == rank.of.len(), "the columns have different lengths");
        let mut handle = null_mut();
        checked(|error| unsafe {
            c::juxta_ranked_points_build(
                x.to_c(c::DOUBLE), y.to_c(c::DOUBLE), rank.to_c(c::INT32), x.of.len(), null(), null(), &mut handle, error,
            )
        })?;
        Ok(RankedPoints { handle })
    }

    /// The indices of the k most important points in the rectangle, the best first.
    pub fn top(&self, rect: &Rect, k: usize) -> Vec<u32> {
        let mut best = vec![0; k];
        let result = unsafe { c::juxta_ranked_points_top(self.handle, rect, k, best.as_mut_ptr()) };
        best.truncate(result.written);
        best
    }
}

impl Drop for RankedPoints {
    fn drop(&mut self) {
        unsafe { c::juxta_ranked_points_free(self.handle) }
    }
}
