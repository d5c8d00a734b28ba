package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Numbers;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TextValue;
import dev.superstep.repl.internal.value.Truth;
import dev.superstep.repl.internal.value.Value;
import org.jspecify.annotations.Nullable;

/// Reads arguments as what a builtin needs.
final class Args {
  private Args() {}

  /// An argument that must be there.
  static Value need(@Nullable Value value) {
    if (value == null) throw new IllegalStateException("a parameter that is not optional is bound");
    return value;
  }

  /// Returns whether an argument is left out or `None`.
  static boolean isNone(@Nullable Value value) {
    return value == null || value instanceof None;
  }

  static Str text(@Nullable Value value, String what) {
    if (value instanceof Str text) return text;
    throw Raise.type(what + " must be str, not " + need(value).typeName());
  }

  /// A text, or all of a large one.
  static String chars(Meter m, @Nullable Value value, String what) {
    if (value instanceof TextValue large) return large.read(m, 0, large.length());
    return text(value, what).text(m);
  }

  static long whole(@Nullable Value value, long preset) {
    return isNone(value) ? preset : Numbers.whole(need(value));
  }

  /// A whole number that is cut to what an `int` holds.
  static int small(@Nullable Value value, int preset) {
    return isNone(value) ? preset : Numbers.count(need(value));
  }

  static boolean flag(@Nullable Value value, boolean preset) {
    return value == null ? preset : Truth.of(value);
  }

  /// A position as slices mean it, within a length.
  static long place(@Nullable Value value, long preset, long length) {
    long at = whole(value, preset);
    if (at < 0) at = Math.max(0, at + length);
    return Math.min(at, length + 1);
  }
}
