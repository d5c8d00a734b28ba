package dev.superstep.cli.repl;

import dev.superstep.file.PrivateFiles;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// Keeps what a person typed, in a file that only its owner can read: a JSON text for each entry,
/// without secrets, at most [#MOST]. One thread at a time.
final class SessionHistory {
  /// The entries that are kept.
  static final int MOST = 1_000;

  private static final int LENGTH_MAX = 64 << 10;
  private static final long BYTES_MAX = 16L << 20;

  private final Path file;
  private final UnaryOperator<String> redactor;
  private final List<String> entries;

  private SessionHistory(Path file, UnaryOperator<String> redactor, List<String> entries) {
    this.file = file;
    this.redactor = redactor;
    this.entries = entries;
  }

  /// Reads the file; one that cannot be read counts as empty.
  ///
  /// @param redactor takes secrets out
  static SessionHistory open(Path file, UnaryOperator<String> redactor) {
    var entries = new ArrayList<String>();
    try {
      if (Files.isRegularFile(file) && Files.size(file) <= BYTES_MAX) {
        for (var line : Files.readAllLines(file)) entries.add(Json.parse(line).as(String.class));
      }
    } catch (IOException | MalformedJson _) {
      // Nothing hangs on what was typed before.
    }
    return new SessionHistory(file, redactor, last(entries));
  }

  private static List<String> last(List<String> entries) {
    int from = Math.max(0, entries.size() - MOST);
    return new ArrayList<>(entries.subList(from, entries.size()));
  }

  /// The entries, the newest last.
  List<String> entries() {
    return List.copyOf(entries);
  }

  /// Adds an entry and saves it.
  ///
  /// @throws IOException if the file cannot be written
  void add(String text) throws IOException {
    var kept = redactor.apply(text);
    if (kept.isBlank() || kept.length() > LENGTH_MAX) return;
    if (!entries.isEmpty() && entries.getLast().equals(kept)) return;
    entries.add(kept);
    if (entries.size() > MOST) entries.removeFirst();
    var folder = file.toAbsolutePath().getParent();
    if (folder != null) PrivateFiles.createDirectories(folder);
    PrivateFiles.replace(
        file,
        entries.stream()
            .map(each -> Json.string(each).text() + "\n")
            .collect(Collectors.joining()));
  }
}
