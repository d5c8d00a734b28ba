package dev.superstep.cli.command;

import dev.superstep.cli.conversation.ConsentRun;
import dev.superstep.cli.host.Host;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep consent withdraw`.
@Command(
    name = "withdraw",
    header = "Takes back that texts of a folder may go to a vendor.",
    description = "What has gone there before cannot be taken back.")
final class ConsentWithdrawCommand extends HostCommand {
  @Parameters(
      paramLabel = "VENDOR",
      arity = "0..1",
      description = "As the list has it; without one, all of the folder.")
  private @Nullable String vendor;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description = "The folder, which may be gone; without one, the current one.")
  private @Nullable String folder;

  ConsentWithdrawCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return ConsentRun.withdraw(host, Optional.ofNullable(vendor), Optional.ofNullable(folder));
  }
}
