package dev.superstep.cli.run;

import dev.superstep.checkpoint.Lineage;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;

/// Names for new threads that people can read and type: `triage-20261121-2218-k3f9`.
public final class ThreadNames {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmm").withZone(ZoneOffset.UTC);
  // Without letters and digits that look alike.
  private static final String LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
  private static final int LETTER_COUNT = 4;
  private static final int NAME_MAX = 40;
  private static final int HASH_BYTES = 4;

  private ThreadNames() {}

  /// A name for a run of the program in a folder, or of a text.
  public static String fresh(Path folder, Host.Chance chance) {
    var file = String.valueOf(folder.getFileName()).replaceFirst("\\.rag$", "");
    var name = new StringBuilder(plain(file));
    if (name.length() > NAME_MAX) name.setLength(NAME_MAX);
    name.append('-').append(STAMP.format(chance.clock().instant())).append('-');
    for (int i = 0; i < LETTER_COUNT; i++) {
      name.append(LETTERS.charAt(chance.random().nextInt(LETTERS.length())));
    }
    return name.toString();
  }

  /// The name, if a new thread can have it.
  ///
  /// @throws UsageError if not
  public static String checked(String name) {
    if (name.startsWith("-")) {
      throw new UsageError("thread.name", "Thread `" + name + "` must not begin with a dash.");
    }
    try {
      return Lineage.of(name).thread();
    } catch (IllegalArgumentException e) {
      throw new UsageError("thread.name", "This is no name for a thread: " + e.getMessage() + ".");
    }
  }

  /// The name as that of a file: it stays in its folder and is not hidden. Different names have
  /// different files.
  static String inFile(String name) {
    var plain = plain(name);
    return plain.equals(name) ? name : plain + "-" + hash(name);
  }

  private static String hash(String name) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var bytes = digest.digest(name.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(bytes, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static String plain(String name) {
    return name.replaceAll("[^A-Za-z0-9._-]", "_").replaceAll("^[.-]", "_");
  }
}
