package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.mcp.FolderTools;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.run.LoadedProgram;
import dev.superstep.cli.text.TextProgram;
import dev.superstep.json.Json;
import dev.superstep.language.blueprint.BlueprintText;
import dev.superstep.program.ProgramContext;
import dev.superstep.rag.RagPrinter;
import dev.superstep.registry.InvalidComponentName;
import dev.superstep.registry.Registry;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep rag print`.
@Command(
    name = "print",
    header = "Writes the graph of a program as text.",
    description = {
      "Runs no node, but loads the program's code. Parts of the graph without a name are",
      "omitted, and listed on standard error; --names gives names to nodes and routers."
    },
    footer = {
      "  superstep rag print examples/triage",
      "  superstep rag print examples/triage --names triage > triage.rag"
    })
final class RagPrintCommand extends RagFileCommand {
  @Parameters(paramLabel = "FOLDER", description = "A folder with a superstep.toml.")
  private String folder = "";

  @Option(
      names = "--names",
      paramLabel = "NAMESPACE",
      description = {
        "Name the code of nodes and routers NAMESPACE/NODE. A program that runs the text has",
        "to register these names."
      })
  private String names = "";

  RagPrintCommand(Host host) {
    super(host);
  }

  /// A graph, as `--json` prints it.
  private record Line(String graph, String text, List<String> nameless, boolean same) {}

  @Override
  public Integer call() {
    var path = host.path(folder);
    var text = RagFolder.find(path);
    if (text.isPresent()) return print(TextProgram.read(text.get(), ""));
    var opened = ProgramFolder.open(path);
    try (var program = LoadedProgram.of(opened)) {
      var context =
          new ProgramContext(
              ModelOpener.none(),
              host.folder(),
              () -> FolderTools.unconnected(host, opened.root()));
      var graph = program.program().graph(context);
      var registry = Registry.named("print");
      name(() -> {
        if (!names.isEmpty()) RagPrinter.name(graph, registry, names);
      });
      var printed = RagPrinter.print(graph, registry);
      if (json) {
        var line = new Line(graph.name(), printed.text(), printed.nameless(), printed.isSame());
        printLine(Json.of(line).text());
      } else {
        print(printed.text());
        for (var each : printed.nameless()) {
          host.terminal().err().println("superstep: " + SafeText.of(each));
        }
        host.terminal().err().flush();
      }
    }
    return ExitCodes.COMPLETED;
  }

  /// Prints what a text says, in one form for all that say the same.
  private int print(TextProgram.Read read) {
    var graphs = read.file().checkedAlone().blueprints();
    var text = BlueprintText.of(graphs);
    if (json) printLine(Json.of(new Line(read.graph().graph(), text, List.of(), true)).text());
    else print(text);
    return ExitCodes.COMPLETED;
  }

  private void name(Runnable naming) {
    try {
      naming.run();
    } catch (InvalidComponentName e) {
      throw new UsageError(
          "usage",
          "--names must be words in snake case, such as `triage`; was `" + names + "`.",
          e);
    }
  }
}
