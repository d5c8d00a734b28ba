package dev.superstep.cli.rlm;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.repl.SessionGrants;
import dev.superstep.json.MalformedJson;
import dev.superstep.model.ModelRef;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.agent.ReplAgentBuilder;
import dev.superstep.repl.context.FileText;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.host.TextSource;
import dev.superstep.repl.record.ReplayDivergence;
import dev.superstep.repl.trajectory.InvalidTrajectory;
import dev.superstep.repl.trajectory.Trajectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Optional;

/// The work of `superstep rlm replay`: runs the cells of a file again with the recorded answers.
public final class ReplayRun {
  private static final String LEAF = "leaf";

  private final Host host;
  private final Optional<String> allowed;
  private final Optional<String> viewer;

  /// @param allowed the file that said what the cells of a person may call
  /// @param viewer the file for the lines of the viewer of the published RLM
  public ReplayRun(Host host, Optional<String> allowed, Optional<String> viewer) {
    this.host = host;
    this.allowed = allowed;
    this.viewer = viewer;
  }

  /// Runs the cells again; no model is asked.
  ///
  /// @param context the text that the cells had; none if they had none
  /// @return the exit code
  public int run(String name, Optional<String> context) {
    var folder = host.path(name);
    if (!Files.isRegularFile(folder.resolve(Trajectory.FILE))) {
      throw new UsageError(
          "trajectory.missing",
          "There is no %s. Name the folder of `rlm ask --trajectory`."
              .formatted(folder.resolve(Trajectory.FILE)));
    }
    try {
      var cells = Trajectory.read(folder);
      if (viewer.isPresent()) cells.writeForRlmViewer(host.path(viewer.get()));
      if (context.isEmpty()) return replay(cells, TextSource.of(""));
      try (var text = FileText.open(host.path(context.get()))) {
        return replay(cells, text);
      }
    } catch (ReplayDivergence e) {
      say(String.valueOf(e.getMessage()));
      return ExitCodes.FAILED;
    } catch (InvalidTrajectory | MalformedJson e) {
      throw new UsageError("trajectory.invalid", "This is no trajectory: " + e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The trajectory cannot be read, or its copy not written: " + e.getMessage(), e);
    }
  }

  private int replay(Trajectory cells, TextSource text) {
    if (allowed.isPresent()) {
      try (var grants = SessionGrants.recorded(host, allowed.get())) {
        return replay(cells, text, grants.settings());
      }
    }
    var model =
        ModelOpener.none(new ModelRef("scripted", LEAF), "a replay asks no model, and was asked");
    var grants = Grants.none().model(LEAF, model);
    return replay(cells, text, ReplAgent.named("rlm").model(model).grants(grants));
  }

  private int replay(Trajectory cells, TextSource text, ReplAgentBuilder settings) {
    var again = cells.replay(settings, text);
    say(again.cells().size() + " cells, the same as they were recorded");
    return ExitCodes.COMPLETED;
  }

  private void say(String text) {
    host.terminal().out().println(SafeText.line(text));
  }
}
