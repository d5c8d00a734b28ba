package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.run.LoadedProgram;
import dev.superstep.cli.view.GraphText;
import dev.superstep.program.ProgramContext;
import dev.superstep.topology.Topology;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep graph`.
@Command(
    name = "graph",
    header = "Shows the graph of a program.",
    description = "Needs no model and runs no node, but loads the program's code.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep graph examples/triage",
      "  superstep graph examples/triage --mermaid > triage.mmd",
      "  superstep graph examples/triage --dot | dot -Tsvg > triage.svg"
    })
final class GraphCommand extends HostCommand {

  @Parameters(paramLabel = "FOLDER", description = "Holds superstep.toml.")
  private String folder = "";

  @Option(names = "--debug", description = "Show stack traces.")
  @SuppressWarnings("UnusedVariable") // read from the arguments, where all errors are told
  private boolean debug;

  @ArgGroup private Form form = new Form();

  /// At most one of these.
  private static final class Form {
    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Option(names = "--mermaid", description = "As a Mermaid flowchart.")
    private boolean mermaid;

    @Option(names = "--dot", description = "In the DOT language of Graphviz.")
    private boolean dot;
  }

  GraphCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    var opened = ProgramFolder.open(host.path(folder));
    try (var program = LoadedProgram.of(opened)) {
      var context = new ProgramContext(ModelOpener.none(), host.folder());
      var topology = program.program().graph(context).topology();
      host.terminal().out().println(text(topology).stripTrailing());
    }
    return ExitCodes.COMPLETED;
  }

  private String text(Topology topology) {
    if (form.json) return topology.json().text();
    if (form.mermaid) return topology.mermaid();
    if (form.dot) return topology.dot();
    return GraphText.of(topology);
  }
}
