package dev.superstep.mcp.internal.tool;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

/// Makes names for models of the names that servers give: in snake case, after that of the server,
/// each once. Equal lists give equal names. For one thread.
public final class ToolNames {
  private static final int NAME_MAX = 64;
  private static final int DIGEST = 8;

  private final String prefix;
  private final Set<String> used = new HashSet<>();

  /// Names for the tools of a server.
  public ToolNames(String server) {
    this.prefix = snake(server);
  }

  /// The name of a tool for models.
  public String next(String tool) {
    var own = snake(tool);
    var name = own.isEmpty() ? prefix : prefix + "_" + own;
    if (name.length() > NAME_MAX || !used.add(name)) {
      var room = NAME_MAX - DIGEST - 2;
      var start = name.substring(0, Math.min(room, name.length())).replaceAll("_$", "");
      name = start + "_x" + digest(tool).substring(0, DIGEST);
      used.add(name);
    }
    return name;
  }

  /// A name in snake case.
  public static String snake(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9]+", "_")
        .replaceAll("^_+|_+$", "");
  }

  private static String digest(String text) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
