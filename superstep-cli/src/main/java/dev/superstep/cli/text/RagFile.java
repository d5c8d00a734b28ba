package dev.superstep.cli.text;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.TextFile;
import dev.superstep.cli.host.UsageError;
import dev.superstep.language.Source;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.check.Blueprints;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.check.Compilation;
import dev.superstep.language.check.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.List;

/// A file of graphs as text, under the name by which the user knows it. Immutable.
///
/// @param path where it is
/// @param source what it says; its name is the one that was typed
public record RagFile(Path path, Source source) {
  /// Somewhat more than a source may have, so that the language itself says what is too long.
  private static final int BYTES_MAX = 1024 * 1024;

  private static final String KIND = "rag";

  /// Reads a file.
  ///
  /// @throws UsageError if it is missing, no file, too long, or not UTF-8
  public static RagFile read(Host host, String typed) {
    return read(host.path(typed), typed);
  }

  /// Reads a file that is shown under a name.
  ///
  /// @throws UsageError if it is missing, no file, too long, or not UTF-8
  public static RagFile read(Path path, String name) {
    return new RagFile(path, Source.of(name, TextFile.read(path, BYTES_MAX, KIND)));
  }

  /// Checks the text by itself: names of registered things are checked for their form only.
  public Compilation checkedAlone() {
    return checked(Names.unknown());
  }

  /// Checks the text.
  public Compilation checked(Names names) {
    return Blueprints.compile(source, names, CheckPolicy.file(source.name()));
  }

  /// Replaces the text. The file has the old one or the new one at any time, and the permissions
  /// that it had.
  ///
  /// @throws UsageError if it cannot be written
  public void write(String text) {
    try {
      var real = path.toRealPath();
      var beside = Files.createTempFile(real.toAbsolutePath().getParent(), ".superstep-", ".rag");
      try {
        var view = Files.getFileAttributeView(real, PosixFileAttributeView.class);
        Files.writeString(beside, text);
        if (view != null)
          Files.setPosixFilePermissions(beside, view.readAttributes().permissions());
        Files.move(beside, real, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(beside);
      }
    } catch (IOException e) {
      throw new UsageError(
          "rag.unwritable", path + " cannot be written" + TextFile.why(e) + ".", e);
    }
  }

  /// Finds the graph that a command is about: the named one, or the only one that no other uses.
  ///
  /// @param named what `--graph` says; empty if it is absent
  /// @throws UsageError if there is none, or several
  public static Blueprint only(Compilation compiled, String named) {
    var names = compiled.blueprints().stream().map(Blueprint::graph).toList();
    var source = compiled.source().name();
    if (!named.isEmpty()) {
      return compiled
          .blueprint(named)
          .orElseThrow(() ->
              new UsageError(
                  "rag.unknown-graph",
                  "%s has no graph `%s`, but: %s.".formatted(source, named, listed(names))));
    }
    var outermost = compiled.outermost();
    if (outermost.size() == 1) return outermost.getFirst();
    var choice = outermost.isEmpty() ? names : outermost.stream().map(Blueprint::graph).toList();
    throw new UsageError(
        "rag.several-graphs",
        "%s has several graphs: %s. Name one with --graph.".formatted(source, listed(choice)));
  }

  private static String listed(List<String> names) {
    return String.join(", ", names.stream().map(name -> "`" + name + "`").toList());
  }
}
