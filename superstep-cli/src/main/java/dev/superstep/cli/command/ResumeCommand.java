package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadResumption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep resume`.
@Command(
    name = "resume",
    header = "Resumes a run: with answers, or after a crash, a failure or Ctrl-C.",
    description = {
      "Finished work does not run again. The model is that of the thread, unless --model",
      "names another. This runs the code of the program that the store names: use only",
      "stores that you trust."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep resume monday",
      "  superstep resume monday --answer wy5ri9kgxc=yes --answer 'k3f9ab27qd=no: too expensive'",
      "  superstep resume monday --answers - < answers.txt"
    })
final class ResumeCommand extends HostCommand {

  @Parameters(paramLabel = "THREAD", description = "The name of the thread, as printed by `run`.")
  private String thread = "";

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "The new folder for results; by default the folder of the run.")
  private @Nullable String output;

  @Option(
      names = "--changed",
      description = {
        "Resume with the current text, although it differs from the one that the thread began",
        "with. Finished nodes do not run again."
      })
  private boolean changed;

  @Option(
      names = "--yes-risky",
      description = {
        "Like --yes, but also approve the risky questions that are open now, and print each",
        "of them. Later risky questions wait."
      })
  private boolean approvesRisky;

  @Mixin private ThreadOptions options = new ThreadOptions();

  ResumeCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    var changes = new ThreadResumption.Changes(Optional.ofNullable(output), changed);
    return ThreadResumption.run(host, thread, changes, options.flags(approvesRisky));
  }
}
