package dev.superstep.workspace;

import dev.superstep.tool.ToolError;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Resolves paths, and refuses those that lead out of the workspace. Reads the file system and
/// changes nothing. Immutable.
///
/// @param roots the workspace's own root first
record PathResolver(List<Root> roots) {
  private static final Pattern ADDRESS = Pattern.compile("(?i)file:.*|[a-z][a-z0-9+.-]+:/.*");
  private static final Pattern DRIVE = Pattern.compile("(?i)[a-z]:([/\\\\].*)?");
  private static final boolean SLASHES_ONLY = File.separatorChar == '/';

  PathResolver {
    roots = List.copyOf(roots);
  }

  /// Where a path leads that exists, or that may be made.
  ///
  /// @throws ToolError.PathEscape if it leads out, or is not plainly a path
  /// @throws ToolError.Io if it cannot be looked at
  ResolvedPath find(String given) {
    var path = parsed(given);
    var home = roots.getFirst().real();
    // Without what `..` takes back, before any link is followed: `link/..` is where the link is.
    var plain = path.normalize();
    if (!plain.isAbsolute() && plain.startsWith("..")) {
      throw new ToolError.PathEscape(given, "leads out of the workspace by `..`");
    }
    var canonical = canonical(home.resolve(plain).normalize(), given);
    return place(canonical, given)
        .orElseThrow(() -> new ToolError.PathEscape(given, "leads out of the workspace"));
  }

  /// The innermost root that a canonical path is in.
  Optional<ResolvedPath> place(Path canonical, String given) {
    return roots.stream()
        .flatMap(
            root -> root.wayTo(canonical).map(way -> new ResolvedPath(root, way, given)).stream())
        .min(Comparator.comparingInt(place -> place.names().size()));
  }

  private static Path parsed(String given) {
    for (int i = 0; i < given.length(); i++) {
      if (isOdd(given.charAt(i))) {
        throw new ToolError.PathEscape(given, "has characters that no path needs");
      }
    }
    if (ADDRESS.matcher(given).matches()) {
      throw new ToolError.PathEscape(given, "is an address, not a path");
    }
    if (given.equals("~") || given.startsWith("~/")) {
      throw new ToolError.PathEscape(given, "is a home directory");
    }
    if (SLASHES_ONLY && (DRIVE.matcher(given).matches() || given.contains("\\"))) {
      throw new ToolError.PathEscape(given, "is written for Windows, and here names have `/`");
    }
    try {
      return Path.of(given);
    } catch (InvalidPathException _) {
      throw new ToolError.PathEscape(given, "is none that the file system could have");
    }
  }

  /// Returns whether the character ends a name early, or makes it look like another one.
  private static boolean isOdd(char c) {
    var turnsText = (c >= '\u202A' && c <= '\u202E') || (c >= '\u2066' && c <= '\u2069');
    return Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || turnsText;
  }

  /// Returns the path without links: the existing part as the file system resolves it, then the
  /// rest unchanged.
  private static Path canonical(Path absolute, String given) {
    var missing = new ArrayDeque<Path>();
    for (var at = absolute; at != null; at = at.getParent()) {
      try {
        var real = at.toRealPath();
        for (var name : missing) real = real.resolve(name);
        return real;
      } catch (NoSuchFileException _) {
        // To write through such a link would make a file wherever it points.
        if (Files.isSymbolicLink(at)) {
          throw new ToolError.PathEscape(given, "goes through a link to what does not exist");
        }
        if (at.getFileName() != null) missing.addFirst(at.getFileName());
      } catch (IOException e) {
        throw new ToolError.Io("use", given, e);
      }
    }
    throw new ToolError.PathEscape(given, "leads out of the workspace");
  }
}
