package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.rlm.ReplayRun;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep rlm replay`.
@Command(
    name = "replay",
    header = "Replays recorded code, without a model.",
    description = {
      "Model calls return the recorded replies. Exit code 4 at the first difference, with",
      "its cell and call."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  superstep rlm replay run-1 --context book.txt"})
final class RlmReplayCommand extends HostCommand {
  @Parameters(
      paramLabel = "FOLDER",
      description = "The folder of `rlm ask --trajectory` or `repl --trajectory`.")
  private String folder = "";

  @Option(
      names = "--context",
      paramLabel = "FILE",
      description = "The text that the question was about, as a single file.")
  private @Nullable String context;

  @Option(
      names = "--allow",
      paramLabel = "FILE",
      description = "For cells of `superstep repl`: the file given to its --allow.")
  private @Nullable String allowed;

  @Option(
      names = "--viewer",
      paramLabel = "FILE",
      description = "Also write a file for the viewer of the published RLM.")
  private @Nullable String viewer;

  @Option(names = "--debug", description = "Show stack traces.")
  @SuppressWarnings("UnusedVariable") // read from the arguments, where all errors are told
  private boolean debug;

  RlmReplayCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return new ReplayRun(host, Optional.ofNullable(allowed), Optional.ofNullable(viewer))
        .run(folder, Optional.ofNullable(context));
  }
}
