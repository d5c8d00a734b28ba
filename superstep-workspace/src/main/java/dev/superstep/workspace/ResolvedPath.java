package dev.superstep.workspace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Where a path leads: below which root, on which way without links. Immutable.
///
/// @param way empty for the root itself
/// @param given as the caller named it
record ResolvedPath(Root root, Path way, String given) {
  private static final Pattern GIT =
      Pattern.compile("(\\.git|git~\\d+)[. ]*(:.*)?", Pattern.CASE_INSENSITIVE);
  private static final Pattern UNSEEN = Pattern.compile("\\p{Cf}");

  /// The canonical path, or what it will be once it is made.
  Path path() {
    return isRoot() ? root.real() : root.real().resolve(way);
  }

  boolean isRoot() {
    return way.toString().isEmpty();
  }

  /// The directories between the root and it.
  List<Path> folders() {
    var names = names();
    return names.isEmpty() ? names : names.subList(0, names.size() - 1);
  }

  /// All names on the way.
  List<Path> names() {
    var names = new ArrayList<Path>();
    if (!isRoot()) way.forEach(names::add);
    return names;
  }

  /// Returns whether it is a `.git` or inside one, under any name that a file system may accept for
  /// it: other case, the short name of Windows, a stream of it, or with ignored characters.
  boolean isOfGit() {
    return names().stream().anyMatch(name -> GIT.matcher(plain(name.toString())).matches());
  }

  private static String plain(String name) {
    return UNSEEN.matcher(name).replaceAll("");
  }

  /// Its own name.
  Path name() {
    return way.getFileName();
  }
}
