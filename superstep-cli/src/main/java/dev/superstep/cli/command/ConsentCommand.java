package dev.superstep.cli.command;

import picocli.CommandLine.Command;

/// `superstep consent`.
@Command(
    name = "consent",
    header = "Lists and takes back to which vendors texts of folders may go.",
    description = "`superstep do` and `shell` ask before the first text goes; `--consent` agrees.")
final class ConsentCommand extends CommandGroup {}
