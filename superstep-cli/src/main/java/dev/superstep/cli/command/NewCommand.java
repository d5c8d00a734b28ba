package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.start.NewProgram;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep new`.
@Command(
    name = "new",
    header = "Creates a folder with a program that is ready to run.",
    description = {
      "The folder has a superstep.toml, sources, a test that needs no network, and a",
      "pom.xml. Existing files are not overwritten. `run` and `chat` compile the sources."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep new desk",
      "  superstep new notes --kind graph",
      "  superstep new desk --model openai://gpt-5.2"
    })
final class NewCommand extends HostCommand {
  @Parameters(
      paramLabel = "NAME",
      description = {
        "The name of the folder: lower-case letters, digits and dashes, such as order-desk."
      })
  private String name = "";

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "agent, graph or flow. At a terminal you are asked; the default is agent.")
  private @Nullable String kind;

  @Option(
      names = "--model",
      paramLabel = "URL",
      description = {
        "The model to write to superstep.toml; by default your configured model is used."
      })
  private @Nullable String model;

  @Option(names = "--debug", description = "Show stack traces.")
  @SuppressWarnings("UnusedVariable") // read from the arguments, where all errors are told
  private boolean debug;

  NewCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return NewProgram.run(host, name, Optional.ofNullable(kind), Optional.ofNullable(model));
  }
}
