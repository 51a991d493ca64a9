// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which boxes overlap, what a ship sees ahead, and the best cities of a rectangle. Build it with
//     mcs Juxta.cs Program.cs -out:program.exe
// and run it where the loader finds libjuxta.so.
using System;
using System.Linq;
using Juxta;

static class Program {
  static Aabb Cube(float at, float edge) {
    return new Aabb(new Vec3(at, at, at), new Vec3(at + edge, at + edge, at + edge));
  }

  static void Check(bool right, string what) {
    if (!right) {
      throw new Exception("wrong: " + what);
    }
  }

  static void Ships() {
    var boxes = new[] { Cube(0, 2), Cube(1, 2), new Aabb(new Vec3(9, 0, 0), new Vec3(10, 1, 1)) };
    using (var layer = new Layer(boxes)) {
      foreach (Pair pair in layer.FindPairs(boxes.Length)) {
        Console.WriteLine("ship {0} meets ship {1}", pair.A, pair.B);
        Check(pair.A == 0 && pair.B == 1, "the pair");
      }
      Check(layer.FindPairs(0).Length == 1, "the number of pairs");

      // From inside ship 0: without the predicate the ray would hit ship 0 itself.
      var ray = new Ray { Origin = new Vec3(0.5f, 0.5f, 0.5f), Direction = new Vec3(1, 0, 0), Max = float.PositiveInfinity };
      RayHit hit = layer.RaycastClosest(ray, body => body != 0);
      Console.WriteLine("ship 0 sees ship {0} at {1}", hit.Body, hit.T);
      Check(hit.Body == 2 && hit.T == 8.5f, "the hit");
      Check(layer.RaycastClosest(ray).Body == 0, "the ship itself");
      Check(layer.RaycastClosest(ray, body => false).Body == Layer.NoBody, "no hit");
    }
    try {
      new Layer(new[] { Cube(0, 1), Cube(float.NaN, 1) });
      Check(false, "a NaN is no error");
    } catch (JuxtaException error) {
      Console.WriteLine("refused: {0} (code {1}, index {2})", error.Message, error.Code, error.Index);
      Check(error.Code == 2 && error.Index == 1 && error.Message.Length > 20, "the error");
    }
  }

  static void Cities() {
    var names = new[] { "Paris", "Lyon", "Marseille", "Toulouse" };
    var longitude = new[] { 2.35, 4.84, 5.37, 1.44 };
    var latitude = new[] { 48.86, 45.76, 43.30, 43.60 };
    var rank = new[] { 1, 3, 2, 4 };  // lower is more important
    using (var points = new RankedPoints(longitude, latitude, rank)) {
      uint[] best = points.Top(new Rect { LowX = -5, LowY = 42, HighX = 8, HighY = 47 }, 2);
      Console.WriteLine("the best in the south: {0}", string.Join(", ", best.Select(i => names[i])));
      Check(best.SequenceEqual(new uint[] { 2, 1 }), "the cities");
    }
  }

  static void Main() {
    Console.WriteLine("Juxta {0}", Library.Version);
    Ships();
    Cities();
  }
}
