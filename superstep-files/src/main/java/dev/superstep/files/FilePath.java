package dev.superstep.files;

import dev.superstep.tool.ToolError;
import java.util.ArrayList;

/// Paths of trees that are not in a file system: plain, so that each file has one.
final class FilePath {
  static final int LENGTH_MAX = 900;

  private FilePath() {}

  /// The path of a file.
  ///
  /// @throws ToolError.PathEscape if it is none
  static String file(String given) {
    var plain = folder(given);
    if (plain.isEmpty()) throw new ToolError.PathEscape(given, "names a folder, not a file");
    return plain;
  }

  /// The path of a folder: empty for the root.
  ///
  /// @throws ToolError.PathEscape if it is none
  static String folder(String given) {
    for (int i = 0; i < given.length(); i++) {
      if (isOdd(given.charAt(i))) {
        throw new ToolError.PathEscape(given, "has characters that no path needs");
      }
    }
    if (given.startsWith("/") || given.startsWith("~")) {
      throw new ToolError.PathEscape(given, "does not begin at the root of these files");
    }
    if (given.contains("\\") || given.contains(":")) {
      throw new ToolError.PathEscape(given, "has a backslash or a colon");
    }
    var names = new ArrayList<String>();
    for (var name : given.split("/", -1)) {
      if (name.equals("..")) throw new ToolError.PathEscape(given, "goes up by `..`");
      if (!name.isEmpty() && !name.equals(".")) names.add(name);
    }
    var plain = String.join("/", names);
    if (plain.length() > LENGTH_MAX) throw new ToolError.PathEscape(given, "is too long");
    return plain;
  }

  private static boolean isOdd(char c) {
    boolean turnsText = (c >= '\u202A' && c <= '\u202E') || (c >= '\u2066' && c <= '\u2069');
    return Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || turnsText;
  }

  /// Returns whether a file is below a folder.
  static boolean isBelow(String file, String folder) {
    return folder.isEmpty() || file.startsWith(folder + "/");
  }
}
