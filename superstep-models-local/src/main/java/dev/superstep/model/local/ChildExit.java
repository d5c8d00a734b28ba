package dev.superstep.model.local;

import java.io.File;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/// Ends the child from inside.
final class ChildExit {
  private ChildExit() {}

  /// Removes what is in the child's directory.
  static void empty(File directory) {
    var files = directory.listFiles();
    if (files == null) return;
    for (var file : files) {
      var _ = file.delete();
    }
  }

  /// Ends the process at once and leaves no directory behind. A return from `main` would hang on a
  /// native thread that stays attached; `halt` runs the library's destructors under a thread that
  /// may still compute, which crashes. So the C library's `_exit` is called.
  static void now(int status, File directory) {
    empty(directory);
    var _ = directory.delete();
    endWithoutDestructors(status);
    Runtime.getRuntime().halt(status);
  }

  @SuppressWarnings("restricted") // the parent allows native access to the child
  private static void endWithoutDestructors(int status) {
    var linker = Linker.nativeLinker();
    var exit = linker.defaultLookup().find("_exit");
    if (exit.isEmpty()) return;
    try {
      var shape = FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT);
      linker.downcallHandle(exit.get(), shape).invokeExact(status);
    } catch (Throwable _) { // what a method handle declares
      // The caller halts.
    }
  }
}
