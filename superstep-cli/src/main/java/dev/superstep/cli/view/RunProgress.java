package dev.superstep.cli.view;

import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.Terminal;
import dev.superstep.event.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Shows the progress of a run: one line that is redrawn on a terminal, else a line for each
/// superstep and one now and then. For one thread at a time.
final class RunProgress {
  private static final Duration QUIET_MAX = Duration.ofSeconds(10);
  private static final int COLUMNS = 78;

  private final Terminal terminal;
  private List<String> nodes = List.of();
  private int done;
  private int total;
  private Instant told = Instant.EPOCH;
  private boolean drawn;

  RunProgress(Terminal terminal) {
    this.terminal = terminal;
  }

  void on(Event event) {
    switch (event) {
      case Event.StepStarted(_, var names, var restored) -> {
        nodes = names.stream().distinct().toList();
        total = names.size();
        done = restored;
        told = event.origin().at();
        if (terminal.redraws()) draw();
      }
      case Event.NodeFinished _ -> {
        done++;
        if (terminal.redraws()) draw();
        else if (isQuietFor(event.origin().at())) line(event.origin().at());
      }
      case Event.StepFinished _ -> {
        if (!terminal.redraws() && total > 0) line(event.origin().at());
      }
      case Event.RunInterrupted _, Event.RunStopped _, Event.RunFailed _ -> {
        if (!terminal.redraws() && done > 0 && done < total) line(event.origin().at());
      }
      case Event.RunStarted _,
          Event.NodeSkipped _,
          Event.NodeStarted _,
          Event.NodeCached _,
          Event.NodeRetried _,
          Event.NodeFailed _,
          Event.NodeEmitted _,
          Event.TextArrived _,
          Event.PieceArrived _,
          Event.SubgraphStarted _,
          Event.SubgraphCompleted _,
          Event.ContextForked _,
          Event.ContextJoined _,
          Event.InterruptRaised _,
          Event.InterruptAnswered _,
          Event.MatrixObserved _,
          Event.MatrixRouted _,
          Event.MatrixFailed _,
          Event.StateValues _,
          Event.NodeUpdated _,
          Event.TaskStarted _,
          Event.TaskRestored _,
          Event.TaskEnded _,
          Event.CheckpointSaved _,
          Event.RoutesSelected _,
          Event.EventsDropped _,
          Event.StateUpdated _,
          Event.ThreadForked _,
          Event.RunCompleted _ -> {}
    }
  }

  /// Erases the line, so that other text can follow.
  void clear() {
    if (!drawn) return;
    terminal.err().print("\r\u001b[K");
    terminal.err().flush();
    drawn = false;
  }

  private boolean isQuietFor(Instant now) {
    return Duration.between(told, now).compareTo(QUIET_MAX) >= 0;
  }

  private void draw() {
    var text = text();
    if (text.length() > COLUMNS) text = text.substring(0, COLUMNS - 1) + "…";
    terminal.err().print("\r\u001b[K" + text);
    terminal.err().flush();
    drawn = true;
  }

  private void line(Instant now) {
    told = now;
    terminal.err().println(text());
    terminal.err().flush();
  }

  private String text() {
    var names = SafeText.line(String.join(", ", nodes));
    return total == 1 ? names : names + " " + Math.min(done, total) + "/" + total;
  }
}
