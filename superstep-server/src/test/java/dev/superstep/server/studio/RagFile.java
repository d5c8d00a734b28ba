package dev.superstep.server.studio;

import dev.superstep.json.Json;
import dev.superstep.language.Source;
import dev.superstep.language.check.Blueprints;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.check.Names;
import dev.superstep.rag.Rag;
import dev.superstep.server.graph.RagSources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A file of `.rag` text as that of a graph. Safe for many threads.
final class RagFile implements RagSources {
  private final String graph;
  private final Path file;

  RagFile(String graph, Path file) {
    this.graph = graph;
    this.file = file;
  }

  @Override
  public List<String> graphs() {
    return List.of(graph);
  }

  @Override
  public boolean isEditable() {
    return true;
  }

  @Override
  public Optional<RagText> read(String of) {
    return of.equals(graph) ? Optional.of(read()) : Optional.empty();
  }

  private RagText read() {
    try {
      var text = Files.readString(file);
      return new RagText(file.getFileName().toString(), text, Integer.toHexString(text.hashCode()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Checked check(String of, String text) {
    var name = file.getFileName().toString();
    var found = Blueprints.compile(Source.of(name, text), Names.unknown(), CheckPolicy.file(name));
    var shape =
        found
            .blueprint(graph)
            .filter(_ -> found.isValid())
            .map(shown -> Rag.sketch(found.blueprints(), shown).json());
    return new Checked(Json.parse(found.json()), shape);
  }

  @Override
  public synchronized Optional<RagText> write(String of, String text, String digest) {
    if (!read().digest().equals(digest)) return Optional.empty();
    try {
      Files.writeString(file, text);
      return Optional.of(read());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
