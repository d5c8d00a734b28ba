package dev.superstep.bench.measure;

import java.util.ArrayList;
import java.util.List;

/// W6: from nothing to the first result of a minimal program, which prints a line. With and without
/// a cache of loaded and linked classes, which is made before.
///
/// @param main the program's class
/// @param expected the line
public record ProgramStart(String main, String expected) implements Workload {
  @Override
  public void measure(Case what, Recorder out) throws Exception {
    try (var folder = Folder.fresh()) {
      var cache = folder.file("program.aot");
      Starts.of(folder.path(), java("-XX:AOTCacheOutput=" + cache));
      for (int i = -1; i < what.repetitions(); i++) {
        var plain = Starts.of(folder.path(), java());
        var cached = Starts.of(folder.path(), java("-XX:AOTCache=" + cache));
        out.check("plain", expected, plain.line());
        out.check("aot", expected, cached.line());
        if (i < 0) continue;
        out.add("plain", "ms", plain.millis());
        out.add("aot", "ms", cached.millis());
      }
    }
  }

  private List<String> java(String... options) {
    var command = new ArrayList<>(List.of(Starts.java(), "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    return command;
  }
}
