package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.text.GraphDiffs;
import dev.superstep.cli.text.RagFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep rag diff`.
@Command(
    name = "diff",
    header = "Compares two versions of graphs as text.",
    description = {
      "Lists the new permissions first. Layout, comments and the order of items do not",
      "count as differences. Exit code 2 if a file has an error."
    },
    footer = {
      "  superstep rag diff approved/desk.rag desk.rag",
      "  superstep rag diff old.rag new.rag --fail-if-wider"
    })
final class RagDiffCommand extends RagFileCommand {
  @Parameters(index = "0", paramLabel = "OLD", description = "The old version.")
  private String old = "";

  @Parameters(index = "1", paramLabel = "NEW", description = "The new version.")
  private String now = "";

  @Option(
      names = "--redact",
      description = "Show the length and a part of the hash of prompts, not their text.")
  private boolean redact;

  @Option(
      names = "--fail-if-wider",
      description = "Exit code 4 if the new version has more permissions than the old one.")
  private boolean failsIfWider;

  RagDiffCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    var before = RagFile.read(host, old).checkedAlone();
    var after = RagFile.read(host, now).checkedAlone();
    if (!before.isValid()) printFindings(before);
    if (!after.isValid()) printFindings(after);
    if (!before.isValid() || !after.isValid()) return ExitCodes.USAGE;
    var diffs = GraphDiffs.of(before, after, redact);
    if (json) printLine(diffs.jsonLine(old, now));
    else print(diffs.text());
    return failsIfWider && diffs.isWider() ? ExitCodes.FAILED : ExitCodes.COMPLETED;
  }
}
