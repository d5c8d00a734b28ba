package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.command.base.StoreOptions;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// A command on one thread of a store.
@Command(footerHeading = "%nExamples:%n")
abstract class ThreadCommand extends HostCommand {
  @Parameters(paramLabel = "THREAD", description = "The name of the thread, as printed by `run`.")
  String thread = "";

  @Mixin private StoreOptions options = new StoreOptions();

  ThreadCommand(Host host) {
    super(host);
  }

  /// Refuses options that do not fit together. Called before the store is opened.
  void check() {}

  /// Does the work.
  ///
  /// @return the exit code
  abstract int on(ThreadStore store) throws InterruptedException;

  @Override
  public final Integer call() throws InterruptedException {
    check();
    try (var store = ThreadStore.open(host, thread, options.store())) {
      return on(store);
    }
  }
}
