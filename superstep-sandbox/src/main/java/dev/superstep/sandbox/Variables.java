package dev.superstep.sandbox;

import dev.superstep.sandbox.internal.process.OrphanProcesses;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The variables of a command: an allow-list, never those of this process with some left out.
final class Variables {
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private Variables() {}

  /// Returns all variables.
  ///
  /// @param home the value of `HOME` unless set
  /// @param temporary the value of `TMPDIR` unless set
  static Map<String, String> of(SandboxCommand command, String home, String temporary) {
    var all = new TreeMap<String, String>();
    if (command.hasUsualVariables()) {
      all.put("PATH", java.io.File.separatorChar == '/' ? PATH : System.getenv("PATH"));
      all.put("HOME", home);
      all.put("TMPDIR", temporary);
      all.put("LANG", System.getenv().getOrDefault("LANG", "C.UTF-8"));
      all.put("TERM", "dumb");
    }
    all.putAll(command.variables());
    return all;
  }

  static Map<String, String> marked(Map<String, String> variables, OrphanProcesses marks) {
    var all = new TreeMap<>(variables);
    all.put(OrphanProcesses.VARIABLE, marks.mark());
    return all;
  }

  /// As the kernel takes them.
  static List<String> words(Map<String, String> variables) {
    return variables.entrySet().stream().map(one -> one.getKey() + "=" + one.getValue()).toList();
  }
}
