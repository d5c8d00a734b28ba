package dev.superstep.cli.command;

import picocli.CommandLine.Command;

/// The commands that only hold others.
final class CommandGroups {
  private CommandGroups() {}

  /// `superstep threads`.
  @Command(
      name = "threads",
      header = "Lists threads, looks at them, forks them, and throws them away.",
      description = "Runs nothing, and loads no program's code.")
  static final class Threads extends CommandGroup {}

  /// `superstep rag`.
  @Command(name = "rag", header = "Checks, formats, compares, prints and explains graphs as text.")
  static final class Rag extends CommandGroup {}

  /// `superstep rlm`.
  @Command(
      name = "rlm",
      header = "Asks about texts that are larger than what a model can read.",
      description = {
        "The model does not get the text. It writes small programs that search it, cut it into",
        "pieces and ask a model about pieces, in a session that reaches nothing else."
      })
  static final class Rlm extends CommandGroup {}

  /// `superstep policy`.
  @Command(
      name = "policy",
      header = "Explains what commands would do and whether they may, and checks files of rules.")
  static final class Policy extends CommandGroup {}

  /// `superstep consent`.
  @Command(
      name = "consent",
      header = "Lists and takes back to which vendors texts of folders may go.",
      description =
          "`superstep do` and `shell` ask before the first text goes; `--consent` agrees.")
  static final class Consent extends CommandGroup {}

  /// `superstep config`.
  @Command(name = "config", header = "Explains where settings come from.")
  static final class Config extends CommandGroup {}

  /// `superstep sessions`.
  @Command(name = "sessions", header = "Lists conversations of this folder, and deletes old ones.")
  static final class Sessions extends CommandGroup {}

  /// `superstep transcript`.
  @Command(
      name = "transcript",
      header = "Writes what happened in a conversation to a file, and checks such files.")
  static final class Transcript extends CommandGroup {}

  /// `superstep models`.
  @Command(name = "models", header = "Lists models, and fetches the weights of local ones.")
  static final class Models extends CommandGroup {}
}
