package dev.superstep.sandbox;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Guesses from error output what a sandbox has refused. Patterns match in one pass over a line of
/// limited length, since the line may come from anyone.
final class DenialReader {
  private static final int LINE_MAX = 500;
  private static final int DENIALS_MAX = 50;
  private static final String MISSING = "No such file or directory";

  /// What the system says, and what kind of thing is then likely to have been refused.
  private static final Map<String, Denial.Kind> REASONS =
      Map.ofEntries(
          Map.entry("Permission denied", Denial.Kind.FILE),
          Map.entry("Operation not permitted", Denial.Kind.OPERATION),
          Map.entry("Read-only file system", Denial.Kind.FILE),
          Map.entry("Invalid cross-device link", Denial.Kind.FILE),
          Map.entry("Network is unreachable", Denial.Kind.NETWORK),
          Map.entry("Temporary failure in name resolution", Denial.Kind.NETWORK),
          Map.entry("Could not resolve host", Denial.Kind.NETWORK),
          Map.entry("Function not implemented", Denial.Kind.OPERATION),
          Map.entry(MISSING, Denial.Kind.FILE));

  private static final Pattern QUOTED = Pattern.compile("['\"`‘“](/?[^'\"`’”]{1,300})['\"`’”]");
  private static final Pattern ABSOLUTE = Pattern.compile("(?:^|[\\s:=])(/[^\\s:'\"]{1,300})");
  private static final Pattern WORD = Pattern.compile("([^\\s:]{1,300}): $");

  private final Path directory;
  private final boolean isHiding;

  /// @param isHiding whether files outside look as if they were not there
  DenialReader(Path directory, boolean isHiding) {
    this.directory = directory;
    this.isHiding = isHiding;
  }

  /// Reads what a command has written.
  List<Denial> read(String errors) {
    var found = new ArrayList<Denial>();
    for (var line : (Iterable<String>) errors.lines()::iterator) {
      if (found.size() == DENIALS_MAX) break;
      var cut = line.length() > LINE_MAX ? line.substring(0, LINE_MAX) : line;
      var denial = denial(cut);
      if (denial != null) found.add(denial);
    }
    return found;
  }

  private @Nullable Denial denial(String line) {
    for (var reason : REASONS.entrySet()) {
      int at = line.indexOf(reason.getKey());
      if (at < 0) continue;
      var path = path(line, at);
      if (reason.getKey().equals(MISSING) && !isHidden(path)) continue;
      var isFile = path != null && reason.getValue() == Denial.Kind.OPERATION;
      return new Denial(isFile ? Denial.Kind.FILE : reason.getValue(), reason.getKey(), path, line);
    }
    return null;
  }

  private static @Nullable String path(String line, int end) {
    var quoted = last(QUOTED.matcher(line));
    if (quoted != null) return quoted;
    var absolute = last(ABSOLUTE.matcher(line.substring(0, end)));
    if (absolute != null) return absolute;
    var word = WORD.matcher(line.substring(0, end));
    return word.find() && !word.group(1).matches("\\d+") ? word.group(1) : null;
  }

  private static @Nullable String last(Matcher matcher) {
    String found = null;
    while (matcher.find()) found = matcher.group(1);
    return found;
  }

  /// Returns whether a file that is not there within is there outside.
  private boolean isHidden(@Nullable String path) {
    if (!isHiding || path == null || path.indexOf('\0') >= 0) return false;
    return path.startsWith("/") && Files.exists(directory.resolve(path), LinkOption.NOFOLLOW_LINKS);
  }
}
