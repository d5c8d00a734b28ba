package dev.superstep.cli.view;

import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.Terminal;
import dev.superstep.cli.screen.CellText;
import dev.superstep.event.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Shows the progress of a run: one line that is redrawn on a terminal, also while nothing happens,
/// else a line for each superstep and one now and then. For one run at a time; safe for many
/// threads.
final class RunProgress {
  private static final Duration QUIET_MAX = Duration.ofSeconds(10);
  private static final Duration TICK = Duration.ofSeconds(1);

  private final Terminal terminal;
  private final RunMeter meter = new RunMeter();
  private Instant told = Instant.EPOCH;
  private long nanos;
  private boolean isAtWork;
  private boolean drawn;

  RunProgress(Terminal terminal) {
    this.terminal = terminal;
  }

  synchronized void on(Event event) {
    meter.on(event);
    nanos = System.nanoTime();
    if (terminal.redraws()) redraw(event);
    else print(event);
  }

  private void redraw(Event event) {
    switch (event) {
      case Event.RunStarted _ -> {
        if (!isAtWork) Thread.ofVirtual().name("progress").start(this::tick);
        isAtWork = true;
      }
      case Event.RunCompleted _, Event.RunInterrupted _, Event.RunStopped _, Event.RunFailed _ -> {
        if (event.origin().path().isEmpty()) isAtWork = false;
      }
      case Event.TextArrived _, Event.PieceArrived _ -> {}
      case Event _ -> draw();
    }
  }

  private void print(Event event) {
    boolean isOuter = event.origin().path().isEmpty();
    switch (event) {
      case Event.StepStarted _ -> told = isOuter ? event.origin().at() : told;
      case Event.NodeFinished _ -> {
        if (isQuietFor(event.origin().at())) line();
      }
      case Event.StepFinished _ -> {
        if (isOuter && meter.hasTasks()) line();
      }
      case Event.RunInterrupted _, Event.RunStopped _, Event.RunFailed _ -> {
        if (isOuter && meter.isInMidst()) line();
      }
      case Event _ -> {}
    }
  }

  private void tick() {
    try {
      while (true) {
        Thread.sleep(TICK);
        synchronized (this) {
          if (!isAtWork) return;
          draw();
        }
      }
    } catch (InterruptedException _) {
      // Nobody waits for it.
      Thread.currentThread().interrupt();
    }
  }

  /// Erases the line, so that other text can follow.
  synchronized void clear() {
    if (!drawn) return;
    terminal.err().print("\r\u001b[K");
    terminal.err().flush();
    drawn = false;
  }

  /// Returns the time and cost of the whole run, on a terminal.
  synchronized Optional<String> total() {
    return terminal.redraws() ? Optional.of(meter.total()) : Optional.empty();
  }

  private boolean isQuietFor(Instant now) {
    return Duration.between(told, now).compareTo(QUIET_MAX) >= 0;
  }

  private void draw() {
    var now = meter.latest().plusNanos(System.nanoTime() - nanos);
    var text = SafeText.line(meter.text(now));
    terminal
        .err()
        .print("\r\u001b[K" + CellText.cut(text, terminal.display().size().getAsInt() - 1));
    terminal.err().flush();
    drawn = true;
  }

  private void line() {
    told = meter.latest();
    terminal.err().println(SafeText.line(meter.text(told)));
    terminal.err().flush();
  }
}
