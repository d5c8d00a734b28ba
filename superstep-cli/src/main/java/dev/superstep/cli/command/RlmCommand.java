package dev.superstep.cli.command;

import picocli.CommandLine.Command;

/// `superstep rlm`.
@Command(
    name = "rlm",
    header = "Asks about texts that are larger than what a model can read.",
    description = {
      "The model does not get the text. It writes small programs that search it, cut it into",
      "pieces and ask a model about pieces, in a session that reaches nothing else."
    })
final class RlmCommand extends CommandGroup {}
