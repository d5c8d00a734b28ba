package dev.superstep.build;

import static java.util.Objects.requireNonNull;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Formats all sources in one JVM: `Format ROOT` rewrites those that differ and names them. Files
/// whose `///` comments the formatter would tear are left alone, and make the exit code 1. Rewrites
/// the page of demands, too. Texts that it once found in the house format are not parsed again.
final class Format {
  private static final String KNOWN = "build-tools/target/formatted.txt";

  private Format() {}

  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]).toAbsolutePath().normalize();
    var problems = new ArrayList<String>();
    var known = root.resolve(KNOWN);
    var before = Files.exists(known) ? Set.copyOf(Files.readAllLines(known)) : Set.<String>of();
    var after = new TreeSet<String>();
    for (SourceFile source : SourceFile.all(root)) {
      var digest = digest(source.text());
      if (before.contains(digest)) {
        after.add(digest);
        continue;
      }
      var torn = MarkdownComments.problems(source);
      problems.addAll(torn);
      if (torn.isEmpty()) rewrite(source, problems).map(Format::digest).ifPresent(after::add);
    }
    Files.createDirectories(requireNonNull(known.getParent()));
    Files.write(known, after);
    Demands.write(root).ifPresent(page -> System.out.println("wrote " + page));
    problems.forEach(System.err::println);
    System.exit(problems.isEmpty() ? 0 : 1);
  }

  /// Returns the text as it is formatted.
  private static Optional<String> rewrite(SourceFile source, List<String> problems) {
    try {
      String formatted = formatted(source);
      if (!formatted.equals(source.text())) {
        source.write(formatted);
        System.out.println("formatted " + source.path());
      }
      return Optional.of(formatted);
    } catch (FormatterException e) {
      problems.add(source.path() + ":" + e.getMessage());
      return Optional.empty();
    }
  }

  private static String digest(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /// The text in the house format: google-java-format's, imports sorted, unused ones removed.
  static String formatted(SourceFile source) throws FormatterException {
    return new Formatter().formatSourceAndFixImports(source.text());
  }
}
