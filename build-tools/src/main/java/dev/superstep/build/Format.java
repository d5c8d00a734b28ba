package dev.superstep.build;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Formats all sources in one JVM: `Format ROOT` rewrites those that differ and names them. Files
/// whose `///` comments the formatter would tear are left alone, and make the exit code 1. Rewrites
/// the page of demands, too.
final class Format {
  private Format() {}

  public static void main(String[] arguments) {
    Path root = Path.of(arguments[0]).toAbsolutePath().normalize();
    var problems = new ArrayList<String>();
    for (SourceFile source : SourceFile.all(root)) {
      var torn = MarkdownComments.problems(source);
      if (torn.isEmpty()) {
        rewrite(source, problems);
      } else {
        problems.addAll(torn);
      }
    }
    Demands.write(root).ifPresent(page -> System.out.println("wrote " + page));
    problems.forEach(System.err::println);
    System.exit(problems.isEmpty() ? 0 : 1);
  }

  private static void rewrite(SourceFile source, List<String> problems) {
    try {
      String formatted = formatted(source);
      if (!formatted.equals(source.text())) {
        source.write(formatted);
        System.out.println("formatted " + source.path());
      }
    } catch (FormatterException e) {
      problems.add(source.path() + ":" + e.getMessage());
    }
  }

  /// The text in the house format: google-java-format's, imports sorted, unused ones removed.
  static String formatted(SourceFile source) throws FormatterException {
    return new Formatter().formatSourceAndFixImports(source.text());
  }
}
