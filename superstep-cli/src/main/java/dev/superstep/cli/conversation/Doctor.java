package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.screen.Column;
import dev.superstep.cli.screen.Screen;
import dev.superstep.cli.screen.Style;
import dev.superstep.cli.screen.Table;
import dev.superstep.cli.screen.Table.Cell;
import dev.superstep.json.SuperstepException;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.SandboxProbe;
import dev.superstep.sandbox.Tier;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.terminal.policy.CommandRules;
import dev.superstep.terminal.policy.ProjectRules;
import dev.superstep.terminal.policy.Scope;
import dev.superstep.terminal.policy.TrustStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The work of `superstep doctor`: looks at what the terminal workflow needs, and tries it.
public final class Doctor {
  private static final List<String> TOOLS = List.of("bash", "bwrap", "git", "tmux");

  private final Host host;
  private final ModelCheck model;
  private final Table table =
      Table.of(Column.whole("CHECK"), Column.whole("OK"), Column.wrap("FINDING", 20));

  private Doctor(Host host, Optional<String> option) {
    this.host = host;
    this.model = new ModelCheck(host, option);
  }

  /// Prints what holds and what does not.
  ///
  /// @param model the URL of the model, if an option names it
  /// @param asksModel whether it is asked something
  /// @return the exit code
  public static int run(Host host, Optional<String> model, boolean asksModel) {
    return new Doctor(host, model).run(asksModel);
  }

  private int run(boolean asksModel) {
    var runtime = Runtime.version() + ", " + System.getProperty("java.home");
    say("JDK", runtime);
    say("terminal", terminal());
    say("store", store());
    model.lines().forEach(this::say);
    boolean isAnswered = !asksModel || model.ask(this::say);
    say("rules", rules());
    say("folder's rules", projectRules());
    for (var tool : TOOLS) {
      var path = found(tool);
      say(tool, path.isPresent(), path.map(Path::toString).orElse("not found on PATH"));
    }
    var machine = Sandbox.open().machine();
    say("system", machine.system());
    machine.tiers().forEach(this::tier);
    boolean isHeld = machine.isAvailable(Tier.LANDLOCK) || machine.isAvailable(Tier.BUBBLEWRAP);
    var verdict =
        isHeld
            ? "commands can be confined here"
            : "NO command can be confined here: each runs only if you type its program or all of"
                + " it";
    say("verdict", isHeld, verdict);
    table.print(host.terminal());
    if (!isAnswered) return ExitCodes.PROVIDER;
    return isHeld ? ExitCodes.COMPLETED : ExitCodes.FAILED;
  }

  private String terminal() {
    try {
      return Screen.describe(host);
    } catch (IOException e) {
      return "cannot be used: " + e.getMessage();
    }
  }

  private String store() {
    var file = TerminalFiles.of(host).threads();
    if (!Files.exists(file)) return file + " (is made at the first use)";
    try (var _ = SqliteCheckpointer.open(file)) {
      return file + " (opens)";
    } catch (SuperstepException e) {
      return file + " cannot be opened: " + e.getMessage();
    }
  }

  private String rules() {
    var file = TerminalFiles.of(host).userRules();
    if (!Files.exists(file)) return "none; each command is asked about (" + file + ")";
    var check = CommandRules.check(file, Scope.USER);
    return "%s: %d rules, %d examples, %d problems"
        .formatted(file, check.rules(), check.examples(), check.problems().size());
  }

  private String projectRules() {
    var files = TerminalFiles.of(host);
    return switch (ProjectRules.load(files.projectRules(), TrustStore.at(files.trusted()))) {
      case ProjectRules.None _ -> "none";
      case ProjectRules.Trusted(var rules) -> rules.rules().size() + " rules, trusted";
      case ProjectRules.Untrusted(var file, _) ->
          file + " is not trusted, and does not count; see `policy trust`";
    };
  }

  private Optional<Path> found(String tool) {
    for (var folder : host.variable("PATH").orElse("").split(":", -1)) {
      var path = Path.of(folder.isEmpty() ? "." : folder, tool);
      if (Files.isExecutable(path)) return Optional.of(path);
    }
    return Optional.empty();
  }

  private void tier(SandboxProbe.TierReport tier) {
    var facts = tier.isAvailable() ? tier.facts() : tier.missing();
    say("sandbox " + tier.tier(), tier.isAvailable(), String.join(", ", facts));
    if (!tier.held().isEmpty()) say("", "holds: " + String.join(", ", tier.held()));
    if (!tier.gaps().isEmpty()) say("", "does not hold: " + String.join(", ", tier.gaps()));
  }

  private void say(String what, String text) {
    table.row(what, "", text);
  }

  private void say(String what, boolean isGood, String text) {
    var mark = isGood ? new Cell("yes", Style.GOOD) : new Cell("no", Style.WARNING);
    table.row(Cell.of(what), mark, Cell.of(text));
  }
}
