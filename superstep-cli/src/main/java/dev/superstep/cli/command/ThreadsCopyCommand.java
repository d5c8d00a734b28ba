package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadNames;
import dev.superstep.cli.run.ThreadStore;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep threads copy`.
@Command(
    name = "copy",
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    header = "Gives a new thread all that another one has.",
    description = {
      "What had finished has finished, and open questions can be answered in both.",
      "The journal begins anew."
    },
    footerHeading = "%nExamples:%n",
    footer = "  superstep threads copy monday --as backup")
final class ThreadsCopyCommand implements Callable<Integer> {
  private final Host host;

  @Parameters(paramLabel = "THREAD", description = "The name that `run` printed.")
  private String thread = "";

  @Option(
      names = "--as",
      paramLabel = "NAME",
      required = true,
      description = "The new thread's name.")
  private String as = "";

  @Mixin private StoreOptions options = new StoreOptions();

  ThreadsCopyCommand(Host host) {
    this.host = host;
  }

  @Override
  public Integer call() {
    try (var store = ThreadStore.open(host, thread, options.store())) {
      var metadata = store.head().checkpoint().metadata();
      if (as.equals(thread)) throw StoreOptions.sameName("rewind", thread);
      store.threads().copy(thread, ThreadNames.checked(as));
      store.print("thread " + as + " holds what thread " + thread + " holds");
      store.resumeApart(as, metadata).ifPresent(line -> store.print("go on with: " + line));
    }
    return ExitCodes.COMPLETED;
  }
}
