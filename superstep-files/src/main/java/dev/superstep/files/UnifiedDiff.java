package dev.superstep.files;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The difference of two texts in the unified format, as `patch` and `git apply` take it.
final class UnifiedDiff {
  private static final int CONTEXT_LINES = 3;
  private static final String NOTHING = "/dev/null";
  private static final String NO_END = "\\ No newline at end of file";

  // Behind a last line without an end, so that it differs from one that has it.
  private static final String MARK = "\u0000\u0000";

  private UnifiedDiff() {}

  /// @param before empty if there is no file
  /// @param after empty if there is no file
  static String of(String path, Optional<String> before, Optional<String> after) {
    var old = lines(before);
    var lines =
        UnifiedDiffUtils.generateUnifiedDiff(
            before.isPresent() ? "a/" + path : NOTHING,
            after.isPresent() ? "b/" + path : NOTHING,
            old,
            DiffUtils.diff(old, lines(after)),
            CONTEXT_LINES);
    var all = new StringBuilder();
    for (var line : lines) {
      if (line.endsWith(MARK)) {
        all.append(line, 0, line.length() - MARK.length()).append('\n').append(NO_END);
      } else {
        all.append(line.startsWith("@@ ") ? header(line) : line);
      }
      all.append('\n');
    }
    return all.toString();
  }

  /// Lines of no text are counted from 0.
  private static String header(String line) {
    return line.replaceFirst("^@@ -1,0 ", "@@ -0,0 ").replaceFirst(" \\+1,0 @@$", " +0,0 @@");
  }

  private static List<String> lines(Optional<String> text) {
    if (text.isEmpty() || text.get().isEmpty()) return List.of();
    var all = new ArrayList<>(List.of(text.get().split("\n", -1)));
    if (all.getLast().isEmpty()) all.removeLast();
    else all.set(all.size() - 1, all.getLast() + MARK);
    return all;
  }
}
