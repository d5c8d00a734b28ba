package dev.superstep.cli.command;

import picocli.CommandLine.Command;

/// `superstep transcript`.
@Command(
    name = "transcript",
    header = "Writes what happened in a conversation to a file, and checks such files.")
final class TranscriptCommand extends CommandGroup {}
