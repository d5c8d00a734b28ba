package dev.superstep.cli.mcp;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.screen.Column;
import dev.superstep.cli.screen.Table;
import dev.superstep.json.Json;
import dev.superstep.terminal.privacy.SecretSources;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The work of `superstep mcp list`, `trust` and `untrust`: the servers that files name, of which
/// none is started or reached.
public final class ServersRun {
  private final Host host;
  private final Path folder;
  private final FolderServers found;
  private final ServerConfirmation confirmation;

  private ServersRun(Host host, String folder) {
    this.host = host;
    this.folder = host.path(folder);
    this.found = FolderServers.of(host, this.folder);
    this.confirmation = ServerConfirmation.of(host, found.root());
  }

  /// A server, as `--json` prints it.
  private record Line(
      String server,
      String file,
      String state,
      String runs,
      String reaches,
      List<String> variables,
      String digest) {}

  /// Lists the servers for a folder.
  ///
  /// @return the exit code
  public static int list(Host host, String folder, boolean json) {
    var run = new ServersRun(host, folder);
    run.found.unusable().forEach(run::complain);
    if (json) run.found.servers().forEach(one -> run.print(Json.of(run.line(one)).text()));
    else run.list();
    return ExitCodes.COMPLETED;
  }

  private void list() {
    if (found.servers().isEmpty()) {
      host.terminal().out().println("No MCP servers are configured here.");
      return;
    }
    var table =
        Table.of(
            Column.whole("SERVER"),
            Column.whole("STATE"),
            Column.wrap("FILE", 12),
            Column.wrap("RUNS OR REACHES", 16));
    for (var one : found.servers()) {
      var line = line(one);
      table.row(line.server(), line.state(), line.file(), line.runs() + line.reaches());
    }
    table.print(host.terminal());
  }

  private Line line(FolderServer one) {
    var redactor = SecretSources.of(host.variables()).redactor();
    return new Line(
        one.name(),
        one.file().toString(),
        state(one),
        redactor.text(String.join(" ", one.entry().words())),
        redactor.text(one.entry().address()),
        one.entry().variables(),
        confirmation.digest(one));
  }

  private String state(FolderServer one) {
    if (one.isHidden()) return "hidden";
    if (one.entry().isDisabled()) return "disabled";
    if (one.owner() == FolderServer.Owner.USER) return "yours";
    return confirmation.isConfirmed(one) ? "confirmed" : "not confirmed";
  }

  /// Shows servers that are not confirmed, and confirms those to which the person agrees.
  ///
  /// @param server only this one, also if it is confirmed; all if empty
  /// @param digest of what the person has seen before; then nobody is asked
  /// @return the exit code
  public static int trust(
      Host host, String folder, Optional<String> server, Optional<String> digest) {
    return new ServersRun(host, folder).trust(server, digest);
  }

  private int trust(Optional<String> server, Optional<String> digest) {
    found.unusable().forEach(this::complain);
    var chosen =
        server
            .map(name -> List.of(found.named(name)))
            .orElseGet(
                () -> found.used().stream().filter(one -> !confirmation.isConfirmed(one)).toList());
    if (digest.isPresent()) return trustSeen(chosen, digest.get());
    int exit = ExitCodes.COMPLETED;
    for (var one : chosen) {
      if (one.owner() == FolderServer.Owner.USER) {
        say("MCP server %s is in your own settings; it needs no confirmation", one.name());
      } else if (host.terminal().asks()) {
        boolean isAgreed = confirmation.isAgreed(one);
        say(
            isAgreed ? "confirmed: %s, as long as it stays as it is" : "not confirmed: %s",
            one.name());
      } else {
        showUnasked(one);
        exit = ExitCodes.INTERRUPTED;
      }
    }
    if (chosen.isEmpty()) say("no MCP server of this folder waits for a confirmation%s", "");
    return exit;
  }

  private void showUnasked(FolderServer one) {
    var digest = confirmation.digest(one);
    confirmation.show(one, digest);
    say("Nobody is here to be asked. After reading it, confirm it with:%s", "");
    say("  %s", command("trust", one) + " --digest " + digest);
  }

  private String command(String verb, FolderServer one) {
    return "%s mcp %s %s --server %s"
        .formatted(host.command(), verb, ShellText.word(folder.toString()), one.name());
  }

  private int trustSeen(List<FolderServer> chosen, String digest) {
    for (var one : chosen) {
      if (!confirmation.digest(one).equalsIgnoreCase(digest)) continue;
      // What was seen, and not what the folder has by now.
      confirmation.confirm(one, digest.toLowerCase(Locale.ROOT));
      say("confirmed: %s, as long as it stays as it is", one.name());
      return ExitCodes.COMPLETED;
    }
    throw new UsageError(
        "mcp.changed",
        "No server of %s has the digest that you named. Look again: %s mcp trust %s"
            .formatted(folder, host.command(), ShellText.word(folder.toString())));
  }

  /// Ends confirmations.
  ///
  /// @param server only of this one; of all servers of the folder if empty
  /// @return the exit code
  public static int untrust(Host host, String folder, Optional<String> server) {
    var run = new ServersRun(host, folder);
    boolean isAny = false;
    for (var one : run.found.servers()) {
      if (server.isPresent() && !server.get().equals(one.name())) continue;
      if (!run.confirmation.withdraw(one)) continue;
      run.say("not confirmed any more: %s", one.name());
      isAny = true;
    }
    if (!isAny) {
      throw new UsageError(
          "mcp.unknown-server",
          "Nothing of %s was confirmed%s. See: %s mcp list %s"
              .formatted(
                  run.folder,
                  server.map(name -> " under the name " + name).orElse(""),
                  host.command(),
                  ShellText.word(run.folder.toString())));
    }
    return ExitCodes.COMPLETED;
  }

  private void say(String form, String what) {
    print(SafeText.line(form.formatted(what)));
  }

  private void complain(String text) {
    host.terminal().err().println("superstep: " + SafeText.line(text));
    host.terminal().err().flush();
  }

  private void print(String text) {
    host.terminal().out().println(text);
    host.terminal().out().flush();
  }
}
