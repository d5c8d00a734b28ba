package dev.superstep.cli.command;

import picocli.CommandLine.Command;

/// `superstep models`.
@Command(name = "models", header = "Lists models, and fetches the weights of local ones.")
final class ModelsCommand extends CommandGroup {}
