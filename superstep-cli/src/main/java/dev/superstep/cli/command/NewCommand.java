package dev.superstep.cli.command;

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
    header = "Makes a folder with a program that runs at once.",
    description = {
      "It has a superstep.toml, sources, a test that needs no network, and a pom.xml. Nothing is",
      "overwritten. `run` and `chat` compile it by themselves."
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
      description = "The folder: small letters, digits and dashes, such as order-desk.")
  private String name = "";

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "agent, graph or flow. Asked for at a terminal; else agent.")
  private @Nullable String kind;

  @Option(
      names = "--model",
      paramLabel = "URL",
      description = "The model that the folder names; by default yours, as everywhere.")
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
