package dev.superstep.terminal.risk;

import dev.superstep.language.Span;

/// Something that a command would do, good or bad, read from its syntax alone. Immutable.
///
/// @param value a program, a path, a host or a variable
public record Fact(Kind kind, String value, Span span) {
  /// The kinds of facts.
  public enum Kind {
    /// A program or builtin that runs, found through wrappers such as `sudo` and `xargs`.
    RUNS("runs"),
    /// A file that is run or sourced as a script.
    RUNS_FILE("runs the file"),
    READS("reads"),
    WRITES("writes"),
    DELETES("deletes"),
    /// A host, or the program that goes to the network if no host is named.
    CONNECTS("connects to"),
    /// A change of user or of rights.
    PRIVILEGE("changes rights by"),
    /// A variable that is set for the shell or for a program.
    ENVIRONMENT("sets"),
    /// A directory that the shell changes to.
    CHANGES_DIRECTORY("goes to");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /// Words before the value, as in `deletes build/`.
    public String label() {
      return label;
    }
  }
}
