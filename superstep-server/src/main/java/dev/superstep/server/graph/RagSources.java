package dev.superstep.server.graph;

import dev.superstep.json.Json;
import java.util.List;
import java.util.Optional;

/// The graphs that are `.rag` files, as the studio edits them. Safe for many threads.
public interface RagSources {
  /// Returns no file at all.
  static RagSources none() {
    return new RagSources() {
      @Override
      public List<String> graphs() {
        return List.of();
      }

      @Override
      public boolean isEditable() {
        return false;
      }

      @Override
      public Optional<RagText> read(String graph) {
        return Optional.empty();
      }

      @Override
      public Checked check(String graph, String text) {
        return new Checked(Json.ofNull(), Optional.empty());
      }

      @Override
      public Optional<RagText> write(String graph, String text, String digest) {
        return Optional.empty();
      }
    };
  }

  /// The ids of the graphs that are files.
  List<String> graphs();

  /// Returns whether files may be changed.
  boolean isEditable();

  /// Reads the file of a graph; empty if it is none.
  Optional<RagText> read(String graph);

  /// Checks a text as that of the file, and runs nothing.
  Checked check(String graph, String text);

  /// Writes the file of a graph, if it is still the one with this digest.
  ///
  /// @return what is in the file now; empty, and nothing is written, if it was changed meanwhile
  Optional<RagText> write(String graph, String text, String digest);

  /// A file.
  ///
  /// @param path as people know it
  /// @param digest of the text
  record RagText(String path, String text, String digest) {}

  /// The findings in a text.
  ///
  /// @param report the findings, as `superstep rag check --json` prints them
  /// @param topology of its outermost graph, if the text has no error
  record Checked(Json report, Optional<Json> topology) {}
}
