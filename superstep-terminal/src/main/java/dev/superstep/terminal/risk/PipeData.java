package dev.superstep.terminal.risk;

import dev.superstep.terminal.shell.MappedText;
import org.jspecify.annotations.Nullable;

/// The input of a command. Immutable.
///
/// @param text if it is known
record PipeData(Kind kind, @Nullable MappedText text) {
  enum Kind {
    /// Nothing is piped into it.
    NONE,
    /// The text is known.
    TEXT,
    /// Names of files that a search without a restriction found.
    ALL_FILES,
    /// Text from the network.
    NETWORK,
    /// Something that only the run shows.
    UNKNOWN
  }

  static final PipeData NONE = new PipeData(Kind.NONE, null);
  static final PipeData UNKNOWN = new PipeData(Kind.UNKNOWN, null);
  static final PipeData NETWORK = new PipeData(Kind.NETWORK, null);
  static final PipeData ALL_FILES = new PipeData(Kind.ALL_FILES, null);

  static PipeData of(MappedText text) {
    return text.text().indexOf(ResolvedWord.UNKNOWN) >= 0 ? UNKNOWN : new PipeData(Kind.TEXT, text);
  }

  boolean isPiped() {
    return kind != Kind.NONE;
  }
}
