package dev.superstep.cli.command;

import picocli.CommandLine.Command;

/// `superstep rag`.
@Command(name = "rag", header = "Checks, formats, compares, prints and explains graphs as text.")
final class RagCommand extends CommandGroup {}
