// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Juxta from C#: layers of boxes, and ranked points. Copy this file and add what you need of juxta.h in the same way:
// the C declarations are in Native, and the classes below it free what they own.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Juxta {

/// <summary>Why a call failed: a sentence, and the element of the input that it is about (-1: none).</summary>
public sealed class JuxtaException : Exception {
  public readonly int Code;
  public readonly long Index;
  internal JuxtaException(int code, long index, string message) : base(message) {
    Code = code;
    Index = index;
  }
}

[StructLayout(LayoutKind.Sequential)]
public struct Vec3 {
  public float X, Y, Z;
  public Vec3(float x, float y, float z) { X = x; Y = y; Z = z; }
}

[StructLayout(LayoutKind.Sequential)]
public struct Aabb {
  public Vec3 Lo, Hi;
  public Aabb(Vec3 lo, Vec3 hi) { Lo = lo; Hi = hi; }
}

[StructLayout(LayoutKind.Sequential)]
public struct Pair {
  public uint A, B;
}

[StructLayout(LayoutKind.Sequential)]
public struct Ray {
  public Vec3 Origin, Direction;
  public float Max;
}

[StructLayout(LayoutKind.Sequential)]
public struct RayHit {
  public uint Body;  // Layer.NoBody: nothing is hit
  public float T;
}

[StructLayout(LayoutKind.Sequential)]
public struct Rect {
  public double LowX, LowY, HighX, HighY;
}

// juxta.h, member by member. size_t is UIntPtr; bool of C is one byte, which C# must be told.
internal static class Native {
  const string Library = "juxta";  // libjuxta.so, juxta.dll

  [StructLayout(LayoutKind.Sequential)]
  internal struct Error {
    public int Code;
    public ulong Index, Line, Byte;
    [MarshalAs(UnmanagedType.ByValArray, SizeConst = 480)] public byte[] Message;
  }

  [StructLayout(LayoutKind.Sequential)]
  internal struct QueryResult {
    public UIntPtr Found, Written, Tested, Visited;
  }

  [StructLayout(LayoutKind.Sequential)]
  internal struct QueryOptions {
    public uint Cookie, Category, Mask;
    public IntPtr Ignore;
    public UIntPtr IgnoreCount;
    public IntPtr Accept;  // Marshal.GetFunctionPointerForDelegate() of an Accept
    public IntPtr User;
  }

  [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
  [return: MarshalAs(UnmanagedType.I1)]
  internal delegate bool Accept(IntPtr user, uint body);

  [StructLayout(LayoutKind.Sequential)]
  internal struct Column {
    public IntPtr Data;
    public UIntPtr Stride;
    public uint Type;
  }

  [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
  internal static extern int juxta_version();
  [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
  internal static extern QueryOptions juxta_default_query_options();
  [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
  internal static extern int juxta_layer_build(int dimensions, Aabb[] boxes, UIntPtr stride, UIntPtr count,
                                               IntPtr options, IntPtr context, out IntPtr layer, ref Error error);
  [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
  internal static extern void juxta_layer_free(IntPtr layer);
  [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
  internal static extern int juxta_layer_find_pairs(LayerHandle layer, IntPtr other, [Out] Pair[] pairs, UIntPtr most,
                                                    IntPtr options, IntPtr context, out QueryResult result,
                                                    ref Error error);
  [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
  internal static extern RayHit juxta_layer_raycast_closest(LayerHandle layer, ref Ray ray, ref QueryOptions options);
  [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
  internal static extern int juxta_ranked_points_build(Column x, Column y, Column rank, UIntPtr count, IntPtr options,
                                                       IntPtr context, out IntPtr points, ref Error error);
  [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
  internal static extern void juxta_ranked_points_free(IntPtr points);
  [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
  internal static extern QueryResult juxta_ranked_points_top(RankedPointsHandle points, ref Rect rect, UIntPtr k,
                                                             [Out] uint[] best);

  internal static UIntPtr Size(int size) { return new UIntPtr((ulong)size); }

  internal delegate int Call(ref Error error);

  /// Calls a function of the library with a place for its error, which it throws.
  internal static void Checked(Call call) {
    var error = new Error { Message = new byte[480] };
    if (call(ref error) != 0) {
      int length = Array.IndexOf(error.Message, (byte)0);
      throw new JuxtaException(error.Code, unchecked((long)error.Index), Encoding.UTF8.GetString(error.Message, 0, length));
    }
  }
}

// Handles that the garbage collector may free, but not during a call.
internal sealed class LayerHandle : SafeHandle {
  internal LayerHandle(IntPtr layer) : base(IntPtr.Zero, true) { SetHandle(layer); }
  public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
  protected override bool ReleaseHandle() {
    Native.juxta_layer_free(handle);
    return true;
  }
}

internal sealed class RankedPointsHandle : SafeHandle {
  internal RankedPointsHandle(IntPtr points) : base(IntPtr.Zero, true) { SetHandle(points); }
  public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
  protected override bool ReleaseHandle() {
    Native.juxta_ranked_points_free(handle);
    return true;
  }
}

public static class Library {
  /// <summary>10000 * major + 100 * minor + patch.</summary>
  public static int Version { get { return Native.juxta_version(); } }
}

/// <summary>A set of boxes. It has a copy of them. Any number of threads may ask it at once.</summary>
public sealed class Layer : IDisposable {
  public const uint NoBody = uint.MaxValue;
  readonly LayerHandle handle;

  public Layer(Aabb[] boxes) {
    IntPtr layer = IntPtr.Zero;
    Native.Checked((ref Native.Error error) => Native.juxta_layer_build(
        3, boxes, UIntPtr.Zero, Native.Size(boxes.Length), IntPtr.Zero, IntPtr.Zero, out layer, ref error));
    handle = new LayerHandle(layer);
  }

  public void Dispose() { handle.Dispose(); }

  /// <summary>Every pair of boxes that overlap. Asks again if there are more than `most`.</summary>
  public Pair[] FindPairs(int most) {
    var pairs = new Pair[most];
    var result = new Native.QueryResult();
    Native.Checked((ref Native.Error error) => Native.juxta_layer_find_pairs(
        handle, IntPtr.Zero, pairs, Native.Size(most), IntPtr.Zero, IntPtr.Zero, out result, ref error));
    int found = checked((int)result.Found.ToUInt64());
    if (found > most) {
      return FindPairs(found);
    }
    Array.Resize(ref pairs, found);
    return pairs;
  }

  /// <summary>The body that the ray enters first, of those that `accept` wants (null: of all).</summary>
  public RayHit RaycastClosest(Ray ray, Predicate<uint> accept = null) {
    Native.QueryOptions options = Native.juxta_default_query_options();
    Native.Accept callback = null;
    if (accept != null) {
      callback = (user, body) => accept(body);  // must not throw: C++ is between it and the caller
      options.Accept = Marshal.GetFunctionPointerForDelegate(callback);
    }
    RayHit hit = Native.juxta_layer_raycast_closest(handle, ref ray, ref options);
    GC.KeepAlive(callback);  // until the library is done with its pointer
    return hit;
  }
}

/// <summary>Points with ranks: the lower the rank, the more important the point. It has a copy of them.</summary>
public sealed class RankedPoints : IDisposable {
  const uint Int32Values = 0, DoubleValues = 3;
  readonly RankedPointsHandle handle;

  public RankedPoints(double[] x, double[] y, int[] rank) {
    if (x.Length != y.Length || y.Length != rank.Length) {
      throw new ArgumentException("the columns have different lengths");
    }
    IntPtr points = IntPtr.Zero;
    var pins = new[] { Pin(x), Pin(y), Pin(rank) };  // the collector must not move them during the call
    try {
      Native.Checked((ref Native.Error error) => Native.juxta_ranked_points_build(
          ColumnOf(pins[0], DoubleValues), ColumnOf(pins[1], DoubleValues), ColumnOf(pins[2], Int32Values),
          Native.Size(x.Length), IntPtr.Zero, IntPtr.Zero, out points, ref error));
    } finally {
      foreach (GCHandle pin in pins) {
        pin.Free();
      }
    }
    handle = new RankedPointsHandle(points);
  }

  public void Dispose() { handle.Dispose(); }

  /// <summary>The indices of the k most important points in the rectangle, the best first.</summary>
  public uint[] Top(Rect rect, int k) {
    var best = new uint[k];
    Native.QueryResult result = Native.juxta_ranked_points_top(handle, ref rect, Native.Size(k), best);
    Array.Resize(ref best, (int)result.Written.ToUInt64());
    return best;
  }

  static GCHandle Pin(Array values) { return GCHandle.Alloc(values, GCHandleType.Pinned); }
  static Native.Column ColumnOf(GCHandle pin, uint type) {
    return new Native.Column { Data = pin.AddrOfPinnedObject(), Stride = UIntPtr.Zero, Type = type };
  }
}

}  // namespace Juxta
