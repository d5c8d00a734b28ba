package dev.superstep.cli.start;

import dev.superstep.cli.host.UsageError;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;

/// The name of a new program, and the names in Java that are made of it. Immutable.
///
/// @param text such as `order-desk`
record ProgramName(String text) {
  private static final int LENGTH_MAX = 40;
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

  /// The name that the user wrote.
  ///
  /// @throws UsageError if it is none
  static ProgramName of(String text) {
    if (text.length() <= LENGTH_MAX && NAME.matcher(text).matches()) return new ProgramName(text);
    var better = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    better = better.replaceAll("^[-0-9]+|-+$", "");
    boolean isBetter = !better.isEmpty() && better.length() <= LENGTH_MAX;
    throw new UsageError(
        "new.name",
        "`%s` is no name for a program: it takes up to %d small letters, digits and dashes, a letter first%s."
            .formatted(text, LENGTH_MAX, isBetter ? ", such as `" + better + "`" : ""));
  }

  /// The package, and the group of the pom.
  String packageName() {
    var plain = text.replace("-", "");
    // Packages of Java itself, and words that are none.
    boolean isTaken = !SourceVersion.isName(plain) || plain.equals("java") || plain.equals("javax");
    return isTaken ? plain + "app" : plain;
  }

  /// The class of the program.
  String className() {
    var name = new StringBuilder();
    for (var word : text.split("-", -1)) {
      name.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
    }
    return name.append("Program").toString();
  }
}
