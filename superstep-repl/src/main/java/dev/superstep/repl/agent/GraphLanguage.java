package dev.superstep.repl.agent;

import dev.superstep.tool.ToolGraph;
import java.util.List;

/// The language in which cells may write graphs: drafts are read, checked and compared here, and
/// become graphs that run only past the review of the host. Safe for many threads.
public interface GraphLanguage {
  /// A finding in a draft.
  public record Finding(String code, String severity, String message, int line, int column) {}

  /// Reads and checks a text; registers nothing.
  List<Finding> validate(String name, String source);

  /// The identity of a text without errors: what a reviewer approves.
  ///
  /// @throws IllegalArgumentException if it has errors
  String hash(String name, String source);

  /// The differences between two texts, for people; empty if there are none.
  List<String> diff(String before, String after);

  /// The text of a graph that is registered.
  ///
  /// @throws IllegalArgumentException if there is none
  String source(String name);

  /// Makes a graph of an approved text known under a name.
  ///
  /// @param hash of the text that was compiled
  /// @throws IllegalStateException if the host has no approval of exactly this text
  void register(String name, String source, String hash);

  /// A graph that was registered here.
  ///
  /// @throws IllegalArgumentException if there is none
  ToolGraph graph(String name);
}
