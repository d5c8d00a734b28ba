package dev.superstep.cli.command;

import picocli.CommandLine.Command;

/// `superstep policy`.
@Command(
    name = "policy",
    header = "Explains what commands would do and whether they may, and checks files of rules.")
final class PolicyCommand extends CommandGroup {}
