package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.serve.AcpRun;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep acp`.
@Command(
    name = "acp",
    header = "Serves an agent to an editor that speaks the Agent Client Protocol.",
    description = {
      "Editors such as Zed and those of JetBrains start it, and speak with it by its standard",
      "streams. Each session of the editor is a thread; a loaded one goes on where it was.",
      "This runs the folder's code with your permissions: serve only code that you trust."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep acp examples/refunds",
      "  superstep acp desk.rag --model openai://gpt-5.2"
    })
final class AcpCommand extends HostCommand {
  @Parameters(paramLabel = "FOLDER", description = "A folder with a program, or a .rag file.")
  private String folder = "";

  @Option(
      names = "--store",
      paramLabel = "URL",
      description = {
        "sqlite:PATH or postgresql://USER:PASSWORD@HOST/NAME; by default the file of",
        "`superstep run`."
      })
  private @Nullable String store;

  @Option(
      names = "--model",
      paramLabel = "URL",
      description = "The model of the program, instead of the one that it names.")
  private @Nullable String model;

  @Option(names = "--debug", description = "Show stack traces.")
  private boolean debug;

  AcpCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return AcpRun.run(
        host,
        new AcpRun.Request(folder, Optional.ofNullable(model), Optional.ofNullable(store), debug));
  }
}
