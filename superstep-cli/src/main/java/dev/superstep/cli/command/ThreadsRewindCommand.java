package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadStore;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep threads rewind`.
@Command(
    name = "rewind",
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    header = "Lets a thread go on from one of its older checkpoints.",
    description = {"Its history stays, so this can be taken back in the same way."},
    footerHeading = "%nExamples:%n",
    footer = "  superstep threads rewind monday --to CHECKPOINT")
final class ThreadsRewindCommand implements Callable<Integer> {
  private final Host host;

  @Parameters(paramLabel = "THREAD", description = "The name that `run` printed.")
  private String thread = "";

  @Option(
      names = "--to",
      paramLabel = "CHECKPOINT",
      required = true,
      description = "Where it goes on, as `history` lists it.")
  private String to = "";

  @Mixin private StoreOptions options = new StoreOptions();

  ThreadsRewindCommand(Host host) {
    this.host = host;
  }

  @Override
  public Integer call() {
    try (var store = ThreadStore.open(host, thread, options.store())) {
      store.head();
      var made = store.threads().rewind(thread, to);
      store.print("thread " + thread + " goes on from step " + made.step());
      store.resume(thread, made.metadata()).ifPresent(line -> store.print("go on with: " + line));
    }
    return ExitCodes.COMPLETED;
  }
}
