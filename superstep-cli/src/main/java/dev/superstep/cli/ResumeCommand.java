package dev.superstep.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `superstep resume`.
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    header = "Goes on with a run: with answers, or after a crash, a failure or Ctrl-C.",
    description = {
      "What had finished does not run again. The model is the one that the thread began with,",
      "unless --model names another.",
      "",
      "This runs the code of the program that the store names: use only stores that you trust."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep resume monday",
      "  superstep resume monday --answer 1=yes --answer '2=no: too expensive'",
      "  superstep resume monday --answers - < answers.txt"
    })
final class ResumeCommand implements Callable<Integer> {
  private final Host host;

  @Parameters(paramLabel = "THREAD", description = "The name that `run` printed.")
  private String thread = "";

  @Mixin private ThreadOptions options = new ThreadOptions();

  ResumeCommand(Host host) {
    this.host = host;
  }

  @Override
  public Integer call() {
    return ResumeWork.run(host, thread, options.flags());
  }
}
