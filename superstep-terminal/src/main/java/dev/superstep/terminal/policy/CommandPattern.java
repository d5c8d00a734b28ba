package dev.superstep.terminal.policy;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// The commands that a rule is about, by the words that a program gets. Immutable.
///
/// @param words the first ones, the program included; of each, one of these must stand there
/// @param options for a rule that allows, all that may stand there, and `any` for those that do not
///   make the program run, write or load something else; for others, one of them must. `-n=` and
///   `--format=` take a value
/// @param forbidden options that a rule which allows does not cover, in addition
/// @param operands which words may stand behind
/// @param programs absolute paths, one of which the program must be; empty for any place
public record CommandPattern(
    List<Set<String>> words,
    Set<String> options,
    Set<String> forbidden,
    Operands operands,
    Set<Path> programs) {
  /// Stands for all options in a list of them.
  public static final String ANY = "any";

  /// The words that are no options.
  public enum Operands {
    NONE,
    /// Names below the directory: no absolute path, no `..`, nothing that programs take as a
    /// command or a reference to a file of options, such as `+!sh` and `@file`.
    WORKSPACE,
    ANY
  }

  public CommandPattern {
    if (words.isEmpty() || words.stream().anyMatch(Set::isEmpty)) {
      throw new IllegalArgumentException("pattern must begin with the name of a program");
    }
    words = words.stream().<Set<String>>map(Set::copyOf).toList();
    options = Set.copyOf(options);
    forbidden = Set.copyOf(forbidden);
    programs = Set.copyOf(programs);
  }
}
