package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.model.VendorKeys;
import dev.superstep.cli.screen.Column;
import dev.superstep.cli.screen.Style;
import dev.superstep.cli.screen.Table;
import dev.superstep.cli.screen.Table.Cell;
import dev.superstep.model.local.KnownModel;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;

/// `superstep models list`.
@Command(name = "list", header = "Lists the available models, and their missing requirements.")
final class ModelsListCommand extends HostCommand {
  private static final double MEGA = 1e6;

  ModelsListCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    var table =
        Table.of(Column.whole("MODEL"), Column.whole("READY"), Column.wrap("WHAT IT NEEDS", 20));
    var locals = new ModelOpener(host).locals();
    for (var model : locals.known()) {
      var found = locals.find(model.name());
      table.row(
          Cell.of("local://" + model.name()),
          ready(found.isPresent()),
          Cell.of(weights(model, found)));
    }
    for (var vendor : VendorKeys.ALL) {
      boolean isSet = vendor.set(host).isPresent();
      table.row(
          Cell.of(vendor.provider() + "://MODEL"),
          ready(isSet),
          Cell.of(isSet ? "nothing; its key is set" : "the key in " + vendor.text()));
    }
    table.row("ollama://HOST:PORT/MODEL", "", "a server that runs Ollama");
    table.row(
        "openai-compatible://URL/MODEL",
        "",
        "a server with the chat API of OpenAI, such as http://HOST:PORT/v1");
    table.print(host.terminal());
    return ExitCodes.COMPLETED;
  }

  private static Cell ready(boolean isReady) {
    return isReady ? new Cell("yes", Style.GOOD) : Cell.of("no");
  }

  private String weights(KnownModel model, Optional<Path> found) {
    if (found.isPresent()) return "nothing; its weights are " + found.get();
    return String.format(
        Locale.ROOT,
        "its weights (%.0f MB): %s models pull %s",
        model.bytes() / MEGA,
        host.command(),
        model.name());
  }
}
