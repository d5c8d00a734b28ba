package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.text.CheckedText;
import dev.superstep.cli.text.NodeExplanation;
import dev.superstep.cli.text.RagFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep rag explain`.
@Command(
    name = "explain",
    header = "Explains a node of a graph as text, its predecessors and its successors.",
    description = {
      "Also shows the maximum cost of a run of the node's graph. Exit code 7 if [limits] in",
      "the superstep.toml next to the file would reject it."
    },
    footer = {
      "  superstep rag explain desk.rag weigh",
      "  superstep rag explain desk.rag score --graph fraud_score"
    })
final class RagExplainCommand extends RagFileCommand {
  @Parameters(index = "0", paramLabel = "FILE", description = "A file of .rag text.")
  private String file = "";

  @Parameters(index = "1", paramLabel = "NODE", description = "The name of the node.")
  private String node = "";

  @Option(
      names = "--graph",
      paramLabel = "NAME",
      description = "The graph, if the file has several that no other graph uses.")
  private String graph = "";

  RagExplainCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    var text = CheckedText.withNamesUnknown(host, RagFile.read(host, file));
    var checked = text.compilation();
    if (!checked.isValid()) {
      printFindings(checked);
      return ExitCodes.USAGE;
    }
    var around = RagFile.only(checked, graph);
    var explained = NodeExplanation.of(checked, around, node);
    var bounds = text.bounds(around);
    if (json) {
      printLine(explained.jsonLine(text.json(bounds)));
    } else {
      print(explained.text());
      print("\n" + text.text(bounds));
    }
    return text.isRefused(bounds) ? ExitCodes.BUDGET : ExitCodes.COMPLETED;
  }
}
