package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.model.VendorKeys;
import java.util.Locale;
import picocli.CommandLine.Command;

/// `superstep models list`.
@Command(name = "list", header = "Lists the models that can be named, and what they still need.")
final class ModelsListCommand extends HostCommand {
  private static final double MEGA = 1e6;

  ModelsListCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    var locals = new ModelOpener(host).locals();
    for (var model : locals.known()) {
      var found = locals.find(model.name());
      var state =
          found
              .map(file -> "here: " + file)
              .orElse(
                  String.format(
                      Locale.ROOT,
                      "not here; %.0f MB with: %s models pull %s",
                      model.bytes() / MEGA,
                      host.command(),
                      model.name()));
      line("local://" + model.name(), state);
    }
    for (var vendor : VendorKeys.ALL) {
      boolean isSet = vendor.set(host).isPresent();
      line(vendor.provider() + "://MODEL", (isSet ? "key set: " : "needs ") + vendor.text());
    }
    line("ollama://HOST:PORT/MODEL", "a server that runs Ollama");
    line("openai-compatible://http://HOST:PORT/v1/MODEL", "any server that speaks OpenAI's chat");
    return ExitCodes.COMPLETED;
  }

  private void line(String url, String state) {
    host.terminal().out().println(SafeText.line("%-46s %s".formatted(url, state)));
  }
}
