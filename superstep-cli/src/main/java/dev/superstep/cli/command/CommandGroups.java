package dev.superstep.cli.command;

import picocli.CommandLine.Command;

/// The commands that only hold others.
final class CommandGroups {
  private CommandGroups() {}

  /// `superstep threads`.
  @Command(
      name = "threads",
      header = "Lists, shows, forks and deletes threads.",
      description = "Runs nothing, and loads no code of programs.")
  static final class Threads extends CommandGroup {}

  /// `superstep rag`.
  @Command(name = "rag", header = "Checks, formats, compares, prints and explains graphs as text.")
  static final class Rag extends CommandGroup {}

  /// `superstep rlm`.
  @Command(
      name = "rlm",
      header = {"Answers questions about texts that are larger than a model's context window."},
      description = {
        "The model does not get the text. It writes code that searches and splits the text",
        "and calls a model with the pieces, in a session without access to anything else."
      })
  static final class Rlm extends CommandGroup {}

  /// `superstep policy`.
  @Command(
      name = "policy",
      header = "Explains what a command does and which rules apply, and checks files of rules.")
  static final class Policy extends CommandGroup {}

  /// `superstep consent`.
  @Command(
      name = "consent",
      header = "Lists and revokes consents to send text of a folder to a vendor.",
      description = {
        "`superstep do` and `shell` ask before they first send text; `--consent` agrees in",
        "advance."
      })
  static final class Consent extends CommandGroup {}

  /// `superstep config`.
  @Command(name = "config", header = "Shows the sources of settings.")
  static final class Config extends CommandGroup {}

  /// `superstep sessions`.
  @Command(name = "sessions", header = "Lists conversations of this folder, and deletes old ones.")
  static final class Sessions extends CommandGroup {}

  /// `superstep transcript`.
  @Command(name = "transcript", header = "Exports a conversation, and verifies exported files.")
  static final class Transcript extends CommandGroup {}

  /// `superstep mcp`.
  @Command(
      name = "mcp",
      header = "Uses MCP servers of a folder, and serves programs as one.",
      description = {
        "Servers that a folder names are not started or reached before you have confirmed them.",
        "`superstep mcp FOLDER` serves the programs of a folder, as `superstep mcp serve` does."
      })
  static final class Mcp extends CommandGroup {}

  /// `superstep models`.
  @Command(name = "models", header = "Lists models, and downloads the weights of local ones.")
  static final class Models extends CommandGroup {}
}
