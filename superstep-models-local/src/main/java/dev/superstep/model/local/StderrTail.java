package dev.superstep.model.local;

import java.util.ArrayDeque;
import java.util.Optional;

/// The last lines that a child wrote to standard error, for error messages. Safe for many threads.
final class StderrTail {
  private static final int LINES_MAX = 40;
  // The converter throws through JNI, which aborts the process; this is all that tells why.
  private static final String SCHEMA_FAILED = "JSON schema conversion failed";
  private final ArrayDeque<String> lines = new ArrayDeque<>();

  synchronized void add(String line) {
    if (line.isBlank()) return;
    if (lines.size() == LINES_MAX) lines.removeFirst();
    lines.addLast(ChildProtocol.line(line));
  }

  /// The last line that tells of an error, or else the last line.
  synchronized String lastWords() {
    for (var line : lines.reversed()) {
      if (line.contains("rror") || line.startsWith("#")) return line;
    }
    return lines.isEmpty() ? "it said nothing" : lines.getLast();
  }

  /// Why a JSON Schema could not be made a grammar, if that was the end of the child.
  synchronized Optional<String> schemaComplaint() {
    boolean next = false;
    for (var line : lines) {
      if (next) return Optional.of(line);
      next = line.contains(SCHEMA_FAILED);
    }
    return next ? Optional.of("no reason given") : Optional.empty();
  }
}
