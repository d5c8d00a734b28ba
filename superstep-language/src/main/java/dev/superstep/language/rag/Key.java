package dev.superstep.language.rag;

import java.util.List;

/// A key that an object may have.
///
/// @param words the words that its value may be; empty if it is not one of a few
public record Key(String name, Type type, List<String> words, String meaning) {
  /// The form of the value of a key.
  public enum Type {
    /// A whole number of at least 1.
    POSITIVE,
    /// A whole number of at least 0.
    COUNT,
    /// Any number of at least 0.
    NUMBER,
    /// A duration of more than 0.
    DURATION,
    /// A word of a few, with or without quotes.
    WORD,
    /// True or false.
    BOOL,
    /// A string.
    TEXT,
    /// Names of nodes in brackets.
    NODES,
    /// Names of channels in brackets.
    CHANNELS
  }

  public Key {
    words = List.copyOf(words);
  }

  static Key of(String name, Type type, String meaning) {
    return new Key(name, type, List.of(), meaning);
  }

  static Key word(String name, String meaning, String... words) {
    return new Key(name, Type.WORD, List.of(words), meaning);
  }
}
