package dev.superstep.cli.command;

import picocli.CommandLine.Command;

/// `superstep threads`.
@Command(
    name = "threads",
    header = "Lists threads, looks at them, forks them, and throws them away.",
    description = "Runs nothing, and loads no program's code.")
final class ThreadsCommand extends CommandGroup {}
