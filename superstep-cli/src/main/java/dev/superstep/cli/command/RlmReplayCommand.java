package dev.superstep.cli.command;

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
    header = "Runs recorded programs again, without a model.",
    description = {
      "Models are answered from the recording. Ends with exit code 4 at the first difference, and",
      "names its cell and call."
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
      description = "The text that the question was about, as one file.")
  private @Nullable String context;

  @Option(
      names = "--allow",
      paramLabel = "FILE",
      description = "For cells of `superstep repl`: the file that said what they may call.")
  private @Nullable String allowed;

  @Option(
      names = "--viewer",
      paramLabel = "FILE",
      description = "Also write the lines that the viewer of the published RLM reads.")
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
