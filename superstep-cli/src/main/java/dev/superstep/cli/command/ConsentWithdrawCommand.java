package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
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
    header = "Revokes a consent to send text of a folder to a vendor.",
    description = "Text that was already sent cannot be recalled.")
final class ConsentWithdrawCommand extends HostCommand {
  @Parameters(
      paramLabel = "VENDOR",
      arity = "0..1",
      description = "The vendor, as shown by `consent list`; all vendors by default.")
  private @Nullable String vendor;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description = "The folder, which may no longer exist; by default the current one.")
  private @Nullable String folder;

  ConsentWithdrawCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return ConsentRun.withdraw(host, Optional.ofNullable(vendor), Optional.ofNullable(folder));
  }
}
