package dev.superstep.cli;

import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// Names for new threads that people can read and type: `triage-20261121-2218-k3f9`.
final class ThreadNames {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmm").withZone(ZoneOffset.UTC);
  // Without letters and digits that look alike.
  private static final String LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
  private static final int LETTER_COUNT = 4;
  private static final int NAME_MAX = 40;

  private ThreadNames() {}

  /// A name for a run of the program in a folder.
  static String fresh(Path folder, Host.Chance chance) {
    var name = new StringBuilder(inFile(String.valueOf(folder.getFileName())));
    if (name.length() > NAME_MAX) name.setLength(NAME_MAX);
    name.append('-').append(STAMP.format(chance.clock().instant())).append('-');
    for (int i = 0; i < LETTER_COUNT; i++) {
      name.append(LETTERS.charAt(chance.random().nextInt(LETTERS.length())));
    }
    return name.toString();
  }

  /// The name as that of a file: it stays in its folder and is not hidden.
  static String inFile(String name) {
    return name.replaceAll("[^A-Za-z0-9._-]", "_").replaceAll("^[.-]", "_");
  }
}
