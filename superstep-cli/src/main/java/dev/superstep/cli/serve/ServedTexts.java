package dev.superstep.cli.serve;

import dev.superstep.cli.text.RagFile;
import dev.superstep.json.Json;
import dev.superstep.language.Source;
import dev.superstep.language.check.Compilation;
import dev.superstep.rag.Rag;
import dev.superstep.server.graph.RagSources;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The texts of the served graphs, for the studio. A changed text is run after the next start.
///
/// @param files by the ids of their graphs
record ServedTexts(Map<String, Path> files, boolean isEditable) implements RagSources {
  @Override
  public List<String> graphs() {
    return files.keySet().stream().sorted().toList();
  }

  @Override
  public Optional<RagText> read(String graph) {
    return file(graph).map(ServedTexts::text);
  }

  private Optional<RagFile> file(String graph) {
    return Optional.ofNullable(files.get(graph)).map(path -> RagFile.read(path, name(path)));
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  private static RagText text(RagFile file) {
    var text = file.source().text();
    return new RagText(file.source().name(), text, digest(text));
  }

  private static String digest(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  @Override
  public Checked check(String graph, String text) {
    var path = files.get(graph);
    if (path == null) return new Checked(Json.ofNull(), Optional.empty());
    var found = new RagFile(path, Source.of(name(path), text)).checkedAlone();
    return new Checked(Json.parse(found.json()), shape(graph, found));
  }

  /// The shape of the served graph, or of the outermost one of a text that has none of its name any
  /// more.
  private static Optional<Json> shape(String graph, Compilation found) {
    if (!found.isValid()) return Optional.empty();
    return found
        .blueprint(graph)
        .or(() -> found.outermost().stream().findFirst())
        .map(shown -> Rag.sketch(found.blueprints(), shown).json());
  }

  /// Has one writer at a time in this process; others are noticed by the digest.
  @Override
  public Optional<RagText> write(String graph, String text, String digest) {
    synchronized (files) {
      var file = file(graph);
      if (file.isEmpty() || !isEditable || !text(file.get()).digest().equals(digest)) {
        return Optional.empty();
      }
      file.get().write(text);
      return read(graph);
    }
  }
}
