package dev.superstep.mcp.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Finds the code of a folder that a command of the same folder would run: the program itself, and
/// scripts among its arguments. Other code that they load is not found.
record ProgramFiles(McpEntry entry, Path folder) {
  private static final long BYTES_MAX = 256L << 20;
  private static final Pattern DIRECTORY = Pattern.compile("^\\$\\{[^{}]*}/");
  private static final Set<String> ENDINGS =
      Set.of(
          "js", "mjs", "cjs", "ts", "mts", "py", "pyz", "rb", "sh", "bash", "pl", "php", "lua",
          "jar", "java", "kts", "ps1", "bat", "cmd", "exe", "wasm", "dll", "so");

  /// The digests of the files by their paths in the folder.
  ///
  /// @throws InvalidMcpEntry if one cannot be read or is too large
  SortedMap<String, String> digests() {
    var all = new TreeMap<String, String>();
    for (int i = 0; i < entry.words().size(); i++) {
      var word = entry.words().get(i);
      if (i == 0 ? word.contains("/") || word.contains("\\") : isScript(word)) {
        add(word, path(word), all);
      }
    }
    return all;
  }

  /// The path in a word: behind the `=` of an option, and in the folder where a variable stands for
  /// the directory, since it may be the one of the folder.
  private static String path(String word) {
    var value = word.startsWith("-") ? word.substring(word.indexOf('=') + 1) : word;
    return DIRECTORY.matcher(value).replaceFirst("./");
  }

  private static boolean isScript(String word) {
    var ending = word.substring(word.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return ENDINGS.contains(ending);
  }

  private void add(String word, String named, SortedMap<String, String> all) {
    try {
      var root = folder.toRealPath();
      var path = root.resolve(named);
      if (!Files.isRegularFile(path)) return;
      var real = path.toRealPath();
      // What the system has installed changes with its updates.
      if (!path.normalize().startsWith(root) && !real.startsWith(root)) return;
      if (Files.size(real) > BYTES_MAX) {
        throw new InvalidMcpEntry(entry.name(), "its file `" + word + "` has more than 256 MiB.");
      }
      all.put(word, Digests.of(real));
    } catch (InvalidPathException _) {
      // No path, so no file.
    } catch (IOException e) {
      throw new InvalidMcpEntry(entry.name(), "its file `" + word + "` cannot be read.", e);
    }
  }
}
