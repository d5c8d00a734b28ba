package dev.superstep.terminal.policy;

import dev.superstep.language.Span;
import dev.superstep.terminal.risk.Invocation;
import dev.superstep.terminal.shell.ShellCommand;
import dev.superstep.terminal.shell.Word;
import dev.superstep.terminal.shell.WordPart;
import java.util.List;
import java.util.Optional;

/// The words of one program in a command. Immutable.
record CommandPart(List<Argument> words, Span span) {
  /// A word.
  ///
  /// @param value empty if only the shell knows it
  /// @param isPattern whether the shell replaces it by names of files; its value is as written
  record Argument(Optional<String> value, boolean isPattern) {
    /// Returns whether it is passed as it is, or as names that cannot look like options.
    boolean isFixed() {
      return value.isPresent()
          && (!isPattern || !value.get().startsWith("-") && !"*?[".contains(first()));
    }

    private String first() {
      return value.orElse("").isEmpty() ? "" : value.orElse("").substring(0, 1);
    }

    boolean isExact() {
      return value.isPresent() && !isPattern;
    }

    String text() {
      return value.orElse("");
    }
  }

  static CommandPart of(ShellCommand.Simple command) {
    return new CommandPart(
        command.words().stream().map(CommandPart::argument).toList(), command.span());
  }

  static CommandPart of(Invocation invocation) {
    var words = new java.util.ArrayList<Argument>();
    words.add(argument(invocation.program()));
    invocation.arguments().forEach(word -> words.add(argument(word)));
    return new CommandPart(List.copyOf(words), invocation.span());
  }

  private static Argument argument(Invocation.Argument word) {
    return new Argument(Optional.ofNullable(word.value()), word.isPattern());
  }

  private static Argument argument(Word word) {
    var value = new StringBuilder();
    boolean isPattern = false;
    for (var part : word.parts()) {
      switch (part) {
        case WordPart.Literal literal -> value.append(literal.value());
        case WordPart.Glob glob -> {
          isPattern = true;
          value.append(glob.pattern());
        }
        case WordPart.Parameter _,
            WordPart.CommandOutput _,
            WordPart.ProcessFile _,
            WordPart.Arithmetic _,
            WordPart.Tilde _,
            WordPart.Braces _,
            WordPart.Opaque _ -> {
          return new Argument(Optional.empty(), false);
        }
      }
    }
    return new Argument(Optional.of(value.toString()), isPattern);
  }

  /// The name of the program without its folder; empty if only the shell knows it.
  Optional<String> program() {
    if (words.isEmpty() || !words.getFirst().isExact()) return Optional.empty();
    var word = words.getFirst().text();
    return Optional.of(word.substring(word.lastIndexOf('/') + 1));
  }
}
