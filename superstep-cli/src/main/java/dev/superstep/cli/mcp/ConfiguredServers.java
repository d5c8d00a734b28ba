package dev.superstep.cli.mcp;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import java.util.List;

/// The MCP servers that files name for the current folder, as settings.
public final class ConfiguredServers {
  private ConfiguredServers() {}

  /// A server that a file names.
  ///
  /// @param runs the program with its arguments, or the address
  /// @param isUsers whether the file is the user's own
  /// @param isConfirmed whether the user has confirmed it as it is
  public record Setting(
      String name, String file, String runs, boolean isUsers, boolean isConfirmed) {}

  /// All that are not disabled. What is wrong in a file is said by the command that uses it.
  public static List<Setting> of(Host host) {
    try {
      var found = FolderServers.of(host, host.folder());
      var confirmation = ServerConfirmation.of(host, found.root());
      return found.servers().stream()
          .filter(one -> !one.entry().isDisabled())
          .map(one -> setting(one, confirmation))
          .toList();
    } catch (UsageError _) {
      return List.of();
    }
  }

  private static Setting setting(FolderServer one, ServerConfirmation confirmation) {
    return new Setting(
        one.name(),
        one.file().toString(),
        String.join(" ", one.entry().words()) + one.entry().address(),
        one.owner() == FolderServer.Owner.USER,
        confirmation.isConfirmed(one));
  }
}
