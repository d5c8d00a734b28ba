package dev.superstep.files;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolError;
import java.util.Optional;

/// A search for lines in the files of a tree, in time linear in their length. One thread.
final class TextSearch {
  private static final int MATCHES_MAX = 200;
  private static final int SHOWN_MAX = 300;
  private static final int PATTERN_MAX = 1_000;
  private static final long CHARACTERS_MAX = 50_000_000;

  private final FileTree files;
  private final Pattern pattern;
  private final StringBuilder found = new StringBuilder();
  private int matches;
  private int unread;
  private long characters;

  /// @throws ToolError.Other if it is no pattern
  TextSearch(FileTree files, String pattern, boolean ignoresCase) {
    this.files = files;
    if (pattern.isEmpty() || pattern.length() > PATTERN_MAX) {
      throw new ToolError.Other(pattern, "A pattern has 1 to " + PATTERN_MAX + " characters.");
    }
    try {
      this.pattern = Pattern.compile(pattern, ignoresCase ? Pattern.CASE_INSENSITIVE : 0);
    } catch (PatternSyntaxException e) {
      throw new ToolError.Other(
          pattern,
          "It is no regular expression of RE2: %s. Put a backslash before characters that are meant"
                  .formatted(e.getDescription())
              + " as they are.");
    }
  }

  /// @param wanted which files; all if empty
  String in(String folder, Optional<Glob> wanted, ToolContext context) throws InterruptedException {
    var list = files.list(folder);
    boolean isCut = list.isCut();
    for (var file : list.files()) {
      context.checkCancelled();
      if (wanted.isPresent() && !wanted.get().matches(file.path())) continue;
      if (matches == MATCHES_MAX || characters > CHARACTERS_MAX) {
        isCut = true;
        break;
      }
      search(file.path());
    }
    if (matches == 0) found.append("[nothing was found]\n");
    if (unread > 0)
      found.append("[%d files were not read: no text, or too long]\n".formatted(unread));
    if (isCut) found.append("[cut off: there may be more; search in a folder, or by a glob]\n");
    return found.toString().stripTrailing();
  }

  private void search(String path) {
    Optional<FileText> file;
    try {
      file = files.find(path);
    } catch (ToolError _) {
      unread++;
      return;
    }
    // It may have been deleted since.
    if (file.isEmpty()) return;
    characters += file.get().text().length();
    int number = 0;
    for (var lines = file.get().text().lines().iterator(); lines.hasNext(); ) {
      number++;
      var line = lines.next();
      if (!pattern.matcher(line).find()) continue;
      found.append(path).append(':').append(number).append(": ").append(shown(line)).append('\n');
      if (++matches == MATCHES_MAX) return;
    }
  }

  private static String shown(String line) {
    return line.length() <= SHOWN_MAX ? line : line.substring(0, SHOWN_MAX) + " [...]";
  }
}
