package dev.superstep.cli.command;

import picocli.CommandLine.Command;

/// `superstep config`.
@Command(name = "config", header = "Explains where settings come from.")
final class ConfigCommand extends CommandGroup {}
