package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.mcp.FolderTools;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.model.NamedModels;
import dev.superstep.cli.run.LoadedProgram;
import dev.superstep.cli.text.TextProgram;
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
    header = "Shows the graph of a program, or a graph as text.",
    description = "Needs no model and runs no node, but loads the program's code.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep graph examples/triage",
      "  superstep graph examples/triage --mermaid > triage.mmd",
      "  superstep graph examples/triage --dot | dot -Tsvg > triage.svg"
    })
final class GraphCommand extends HostCommand {

  @Parameters(
      paramLabel = "FOLDER",
      description = "A folder with a superstep.toml, or a .rag file.")
  private String folder = "";

  @Option(
      names = "--graph",
      paramLabel = "NAME",
      description = {
        "The graph, if the .rag file has several; by default the only one that no other uses."
      })
  private String graph = "";

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
    host.terminal().out().println(text(topology()).stripTrailing());
    return ExitCodes.COMPLETED;
  }

  private Topology topology() {
    var path = host.path(folder);
    var text = RagFolder.find(path);
    if (text.isPresent()) {
      var read = TextProgram.read(text.get(), graph);
      var models = NamedModels.none(text.get(), read.models(), "A graph is only shown here.");
      try (var program = read.unconnected(host, models)) {
        return program.graph().topology();
      }
    }
    if (!graph.isEmpty()) {
      throw new UsageError("usage", "--graph is for graphs as text; this is a program in Java.");
    }
    var opened = ProgramFolder.open(path);
    try (var program = LoadedProgram.of(opened)) {
      var context =
          new ProgramContext(
              ModelOpener.none(),
              host.folder(),
              () -> FolderTools.unconnected(host, opened.root()));
      return program.program().graph(context).topology();
    }
  }

  private String text(Topology topology) {
    if (form.json) return topology.json().text();
    if (form.mermaid) return topology.mermaid();
    if (form.dot) return topology.dot();
    return GraphText.of(topology);
  }
}
