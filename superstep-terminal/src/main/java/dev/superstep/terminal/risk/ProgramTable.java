package dev.superstep.terminal.risk;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The programs that are known by name, from the resource `programs.txt`. Immutable.
final class ProgramTable {
  private static final ProgramTable STANDARD = load();

  private final Map<String, Program> programs;

  private ProgramTable(Map<String, Program> programs) {
    this.programs = programs;
  }

  static ProgramTable standard() {
    return STANDARD;
  }

  private static ProgramTable load() {
    var programs = new HashMap<String, Program>();
    try (InputStream in = ProgramTable.class.getResourceAsStream("programs.txt")) {
      if (in == null)
        throw new IllegalStateException("The table of programs is not in the module.");
      for (var line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", 0)) {
        if (line.isBlank() || line.startsWith("#")) continue;
        for (var program : Program.read(line)) programs.put(program.name(), program);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ProgramTable(Map.copyOf(programs));
  }

  /// The line of a program or of a subcommand, such as `git push`.
  @Nullable Program find(String name) {
    var known = programs.get(name);
    if (known != null) return known;
    // `python3.11` is `python3`, `mkfs.minix` is `mkfs`, `gcc-12` is `gcc`.
    var plain = name.replaceFirst("[-.]?[0-9.]+$", "");
    if (name.startsWith("mkfs.")) plain = "mkfs";
    return programs.get(plain);
  }

  boolean contains(String name) {
    return programs.containsKey(name);
  }

  int size() {
    return programs.size();
  }
}
