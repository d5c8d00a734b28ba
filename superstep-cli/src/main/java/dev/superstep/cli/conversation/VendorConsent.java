package dev.superstep.cli.conversation;

import dev.superstep.cli.host.Host;
import dev.superstep.model.ModelRef;
import dev.superstep.terminal.privacy.ConsentRefused;
import dev.superstep.terminal.privacy.ConsentStore;
import java.util.function.Predicate;

/// Sees to it that texts go to a vendor only where the user has agreed, once for each vendor and
/// folder.
public final class VendorConsent {
  private VendorConsent() {}

  /// Returns if the texts of the current folder may go to a model.
  ///
  /// @param what goes there, such as `Texts of %s`, with the folder for `%s`
  /// @param agrees answers the question if the user has not agreed before
  /// @throws ConsentRefused if nobody agreed
  public static void require(Host host, ModelRef ref, String what, Predicate<String> agrees) {
    var vendor = Vendors.of(ref);
    if (vendor.isEmpty()) return;
    var files = TerminalFiles.of(host);
    ConsentStore.at(files.consents())
        .require(
            vendor.get(),
            files.workspace(),
            (to, folder) -> agrees.test("May " + what.formatted(folder) + " go to " + to + "?"));
  }
}
