package dev.superstep.terminal.shell;

import dev.superstep.language.Span;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A node of the syntax tree of shell text: something that runs. Immutable.
public sealed interface ShellCommand {
  /// Where it stands in the source.
  Span span();

  /// Redirections of the whole command; a sequence and a pipeline have none of their own.
  default List<Redirection> redirections() {
    return List.of();
  }

  /// What stands behind a command and says when the next one runs.
  enum Operator {
    /// `;`, a new line or the end: when this one has ended.
    THEN,
    /// `&`: at once.
    BACKGROUND,
    /// `&&`: if this one succeeds.
    AND,
    /// `||`: if this one fails.
    OR
  }

  /// A command of a sequence with the operator behind it.
  record Item(ShellCommand command, Operator operator) {}

  /// Commands one after another.
  record Sequence(List<Item> items, Span span) implements ShellCommand {
    public Sequence {
      items = List.copyOf(items);
    }
  }

  /// Commands joined by `|` or `|&`; also a single one behind `!` or `time`.
  record Pipeline(List<ShellCommand> commands, boolean isNegated, Span span)
      implements ShellCommand {
    public Pipeline {
      commands = List.copyOf(commands);
    }
  }

  /// A program or function with its arguments; without words, only assignments or redirections.
  record Simple(
      List<Assignment> assignments, List<Word> words, List<Redirection> redirections, Span span)
      implements ShellCommand {
    public Simple {
      assignments = List.copyOf(assignments);
      words = List.copyOf(words);
      redirections = List.copyOf(redirections);
    }
  }

  /// `{ ...; }` in this shell, or `( ... )` in a shell of its own.
  record Group(Sequence body, boolean isSubshell, List<Redirection> redirections, Span span)
      implements ShellCommand {
    public Group {
      redirections = List.copyOf(redirections);
    }
  }

  /// `if` with its `elif`s.
  record If(
      List<Branch> branches,
      @Nullable Sequence otherwise,
      List<Redirection> redirections,
      Span span)
      implements ShellCommand {
    public If {
      branches = List.copyOf(branches);
      redirections = List.copyOf(redirections);
    }
  }

  /// A condition and what runs if it holds.
  record Branch(Sequence condition, Sequence body) {}

  /// `while`, or `until` where it is inverted.
  record While(
      Sequence condition,
      Sequence body,
      boolean isInverted,
      List<Redirection> redirections,
      Span span)
      implements ShellCommand {
    public While {
      redirections = List.copyOf(redirections);
    }
  }

  /// `for name in words`, or `select`. Without `in`, the words are those of the script.
  record For(
      String name,
      List<Word> words,
      Sequence body,
      boolean isSelect,
      List<Redirection> redirections,
      Span span)
      implements ShellCommand {
    public For {
      words = List.copyOf(words);
      redirections = List.copyOf(redirections);
    }
  }

  /// `for ((start; condition; step))`.
  record ArithmeticFor(
      List<WordPart> parts, Sequence body, List<Redirection> redirections, Span span)
      implements ShellCommand {
    public ArithmeticFor {
      parts = List.copyOf(parts);
      redirections = List.copyOf(redirections);
    }
  }

  /// `case word in`.
  record Case(Word subject, List<Clause> clauses, List<Redirection> redirections, Span span)
      implements ShellCommand {
    public Case {
      clauses = List.copyOf(clauses);
      redirections = List.copyOf(redirections);
    }
  }

  /// Patterns of a `case` and what runs for them.
  record Clause(List<Word> patterns, Sequence body) {
    public Clause {
      patterns = List.copyOf(patterns);
    }
  }

  /// A definition of a function; nothing in it runs yet.
  record Function(String name, ShellCommand body, Span span) implements ShellCommand {}

  /// `[[ ... ]]`, as its words and operators in order.
  record Conditional(List<Word> words, List<Redirection> redirections, Span span)
      implements ShellCommand {
    public Conditional {
      words = List.copyOf(words);
      redirections = List.copyOf(redirections);
    }
  }

  /// `(( ... ))`; the parts that are not arithmetic are expansions in it.
  record Arithmetic(List<WordPart> parts, List<Redirection> redirections, Span span)
      implements ShellCommand {
    public Arithmetic {
      parts = List.copyOf(parts);
      redirections = List.copyOf(redirections);
    }
  }

  /// `coproc`: a command in the background whose input and output are pipes.
  record Coprocess(String name, ShellCommand body, Span span) implements ShellCommand {}

  /// Text that was not understood; a diagnostic says why.
  record Opaque(String reason, Span span) implements ShellCommand {}
}
