package dev.superstep.repl.internal.name;

import java.util.Map;

/// Builtins of Python that are left out, with what to do instead.
final class Excluded {
  private static final String NO_CODE = "code is not data here: write the expression itself";
  private static final String NO_SIGHT =
      "there is no way to see into values; use their methods and `isinstance`";
  private static final String NO_HOST =
      "a session reaches nothing but what its host granted; see `show_vars()`";

  private static final Map<String, String> HELP =
      Map.ofEntries(
          Map.entry("eval", NO_CODE),
          Map.entry("exec", NO_CODE),
          Map.entry("compile", NO_CODE),
          Map.entry("open", NO_HOST),
          Map.entry("input", NO_HOST),
          Map.entry("breakpoint", NO_HOST),
          Map.entry("help", NO_HOST),
          Map.entry("exit", "a cell ends at its last line"),
          Map.entry("quit", "a cell ends at its last line"),
          Map.entry("getattr", NO_SIGHT),
          Map.entry("setattr", NO_SIGHT),
          Map.entry("delattr", NO_SIGHT),
          Map.entry("hasattr", NO_SIGHT),
          Map.entry("globals", "`show_vars()` shows the variables of the session"),
          Map.entry("locals", "`show_vars()` shows the variables of the session"),
          Map.entry("vars", "`show_vars()` shows the variables of the session"),
          Map.entry("dir", NO_SIGHT),
          Map.entry("id", "use `is` to compare identities"),
          Map.entry("hash", NO_SIGHT),
          Map.entry("object", "use a dict"),
          Map.entry("super", "there are no classes"),
          Map.entry("property", "there are no classes"),
          Map.entry("classmethod", "there are no classes"),
          Map.entry("staticmethod", "there are no classes"),
          Map.entry("memoryview", "there are no bytes, only texts"),
          Map.entry("bytes", "there are no bytes, only texts"),
          Map.entry("bytearray", "there are no bytes, only texts"),
          Map.entry("complex", "there are no complex numbers"),
          Map.entry("frozenset", "use a tuple as a key, or a set"),
          Map.entry("slice", "write the slice between brackets"),
          Map.entry("os", NO_HOST),
          Map.entry("sys", NO_HOST),
          Map.entry("subprocess", NO_HOST),
          Map.entry("random", "chance is granted by the host as `rand()`, if at all"),
          Map.entry("time", "there is no clock"),
          Map.entry("datetime", "there is no clock"),
          Map.entry("BaseException", "use `Exception`"),
          Map.entry("KeyboardInterrupt", "a cancelled cell cannot be caught"),
          Map.entry("SystemExit", "a cell ends at its last line"));

  private Excluded() {}

  static String help(String name) {
    return HELP.getOrDefault(name, "");
  }
}
