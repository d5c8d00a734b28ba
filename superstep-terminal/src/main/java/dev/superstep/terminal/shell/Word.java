package dev.superstep.terminal.shell;

import dev.superstep.language.Span;
import java.util.List;
import java.util.Optional;

/// A word of shell text: a program, an argument, a file name. Immutable.
///
/// @param raw as it is written, with quotes
/// @param parts what it is made of, in order; empty for `''`
public record Word(String raw, List<WordPart> parts, Span span) {
  public Word {
    parts = List.copyOf(parts);
  }

  /// The value after the removal of quotes, if the shell expands nothing in it.
  public Optional<String> literal() {
    var value = new StringBuilder();
    for (var part : parts) {
      if (!(part instanceof WordPart.Literal literal)) return Optional.empty();
      value.append(literal.value());
    }
    return Optional.of(value.toString());
  }

  /// The parts whose value only the shell knows.
  public List<WordPart> dynamicParts() {
    return parts.stream().filter(part -> !(part instanceof WordPart.Literal)).toList();
  }

  /// Returns whether any part of it is quoted or escaped, so that it is no keyword, alias or tilde.
  public boolean isQuoted() {
    return parts.isEmpty()
        || parts.stream()
            .anyMatch(part -> part instanceof WordPart.Literal literal && literal.isQuoted());
  }
}
