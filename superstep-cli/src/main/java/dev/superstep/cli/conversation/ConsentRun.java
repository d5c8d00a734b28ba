package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.screen.Column;
import dev.superstep.cli.screen.Table;
import dev.superstep.terminal.privacy.ConsentStore;
import java.util.Optional;

/// The work of `superstep consent`: the vendors to which texts of folders may go.
public final class ConsentRun {
  private ConsentRun() {}

  /// Lists what was agreed to.
  ///
  /// @return the exit code
  public static int list(Host host) {
    var all = store(host).agreements();
    if (all.isEmpty()) host.terminal().out().println("Nobody has agreed to anything.");
    var table = Table.of(Column.whole("VENDOR"), Column.whole("FOLDER"));
    for (var each : all) table.row(each.vendor(), each.folder());
    table.print(host.terminal());
    return ExitCodes.COMPLETED;
  }

  /// Takes agreements back.
  ///
  /// @param vendor whose; all if empty
  /// @param folder of which folder, as the list has it; the current one if empty
  /// @return the exit code
  public static int withdraw(Host host, Optional<String> vendor, Optional<String> folder) {
    var store = store(host);
    var where =
        folder
            .map(name -> host.path(name).toString())
            .orElseGet(() -> TerminalFiles.of(host).workspace().toString());
    var chosen =
        store.agreements().stream()
            .filter(each -> each.folder().equals(where))
            .filter(each -> vendor.isEmpty() || vendor.get().equals(each.vendor()))
            .toList();
    if (chosen.isEmpty()) {
      throw new UsageError(
          "consent.unknown",
          "Nothing was agreed to for %s%s. `%s consent list` lists what was."
              .formatted(where, vendor.map(name -> " and " + name).orElse(""), host.command()));
    }
    for (var each : chosen) {
      store.withdraw(each);
      var line = "withdrawn: %s, %s".formatted(each.vendor(), each.folder());
      host.terminal().out().println(SafeText.line(line));
    }
    return ExitCodes.COMPLETED;
  }

  private static ConsentStore store(Host host) {
    return ConsentStore.at(TerminalFiles.of(host).consents());
  }
}
