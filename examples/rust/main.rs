// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//! Which boxes overlap, what a ship sees ahead, and the best cities of a rectangle. Build it with
//!     rustc --edition 2021 -O main.rs -l juxta -L DIRECTORY_OF_LIBJUXTA
mod juxta;
use juxta::{column, Aabb, Layer, Pair, RankedPoints, Ray, Rect};

struct City {
    name: &'static str,
    longitude: f64,
    latitude: f64,
    rank: i32, // lower is more important
}

fn cube(at: f32, edge: f32) -> Aabb {
    Aabb { lo: [at; 3], hi: [at + edge; 3] }
}

fn ships() -> Result<(), juxta::Error> {
    let boxes = [cube(0.0, 2.0), cube(1.0, 2.0), Aabb { lo: [9.0, 0.0, 0.0], hi: [10.0, 1.0, 1.0] }];
    let layer = Layer::build(&boxes)?;
    let pairs = layer.find_pairs(boxes.len())?;
    println!("overlaps: {:?}", pairs);
    assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
    assert_eq!(layer.find_pairs(0)?, pairs);

    // From inside ship 0: without `ignore` the ray would hit ship 0 itself.
    let ray = Ray { origin: [0.5; 3], direction: [1.0, 0.0, 0.0], max: f32::INFINITY };
    let hit = layer.raycast_closest(&ray, &[0]).expect("a hit");
    println!("ship 0 sees ship {} at {}", hit.body, hit.t);
    assert_eq!((hit.body, hit.t), (2, 8.5));
    assert_eq!(layer.raycast_closest(&ray, &[]).map(|own| own.body), Some(0));

    let error = Layer::build(&[cube(0.0, 1.0), cube(f32::NAN, 1.0)]).err().expect("an error");
    println!("refused: {} (code {}, index {:?})", error.message, error.code, error.index);
    assert_eq!((error.code, error.index), (2, Some(1)));
    Ok(())
}

fn cities() -> Result<(), juxta::Error> {
    let all = [
        City { name: "Paris", longitude: 2.35, latitude: 48.86, rank: 1 },
        City { name: "Lyon", longitude: 4.84, latitude: 45.76, rank: 3 },
        City { name: "Marseille", longitude: 5.37, latitude: 43.30, rank: 2 },
        City { name: "Toulouse", longitude: 1.44, latitude: 43.60, rank: 4 },
    ];
    let points =
        RankedPoints::build(column(&all, |c| &c.longitude), column(&all, |c| &c.latitude), column(&all, |c| &c.rank))?;
    let south = Rect { lx: -5.0, ly: 42.0, hx: 8.0, hy: 47.0 };
    let best: Vec<&str> = points.top(&south, 2).iter().map(|&i| all[i as usize].name).collect();
    println!("the best in the south: {:?}", best);
    assert_eq!(best, ["Marseille", "Lyon"]);
    Ok(())
}

fn main() -> Result<(), juxta::Error> {
    println!("Juxta {}", juxta::version());
    ships()?;
    cities()
}
