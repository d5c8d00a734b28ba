package dev.superstep.cli.command;

import picocli.CommandLine.Command;

/// `superstep sessions`.
@Command(name = "sessions", header = "Lists conversations of this folder, and deletes old ones.")
final class SessionsCommand extends CommandGroup {}
