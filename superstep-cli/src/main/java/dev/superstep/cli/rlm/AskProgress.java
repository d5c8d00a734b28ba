package dev.superstep.cli.rlm;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.cli.host.Terminal;
import dev.superstep.event.Event;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Shows how far a session is, on standard error: one line that is redrawn on a terminal, else a
/// line for each cell. One thread at a time.
final class AskProgress {
  private static final String CELL = "ragsh";

  private final Terminal terminal;
  private Optional<Instant> begun = Optional.empty();
  private int cells;
  private int calls;
  private Usage used = Usage.NONE;
  private BigDecimal cost = BigDecimal.ZERO;
  private String currency = "";
  private boolean isDrawn;

  AskProgress(Terminal terminal) {
    this.terminal = terminal;
  }

  void on(Event event) {
    var at = event.origin().at();
    if (begun.isEmpty()) begun = Optional.of(at);
    AgentEvent.of(event).ifPresent(each -> on(each, at));
  }

  private void on(AgentEvent event, Instant at) {
    switch (event) {
      case AgentEvent.ModelCompleted done -> {
        calls++;
        used = used.plus(done.usage());
        draw(at);
      }
      case AgentEvent.CostRecorded recorded -> {
        recorded.cost().ifPresent(more -> cost = cost.add(more));
        currency = recorded.currency();
      }
      case AgentEvent.ToolStarted(_, _, var tool) -> {
        if (tool.equals(CELL)) cells++;
        draw(at);
      }
      case AgentEvent.ToolCompleted(_, _, var tool, _) -> {
        if (tool.equals(CELL) && !terminal.redraws()) line(at);
      }
      case AgentEvent.RetryScheduled(_, var what, _, var delay, var code) ->
          say("waits %d s for %s after %s".formatted(delay.toSeconds(), what, code));
      default -> {}
    }
  }

  /// Prints the sum.
  void end(Instant at) {
    clear();
    line(at);
  }

  /// Erases the line, so that other text can follow.
  void clear() {
    if (!isDrawn) return;
    terminal.err().print("\r\u001b[K");
    terminal.err().flush();
    isDrawn = false;
  }

  private void draw(Instant at) {
    if (!terminal.redraws()) return;
    terminal.err().print("\r\u001b[K" + text(at));
    terminal.err().flush();
    isDrawn = true;
  }

  private void line(Instant at) {
    say(text(at));
  }

  private void say(String text) {
    clear();
    terminal.err().println("superstep: " + text);
    terminal.err().flush();
  }

  private String text(Instant at) {
    var seconds = Duration.between(begun.orElse(at), at).toSeconds();
    var money = cost.signum() == 0 ? "" : ", " + cost.toPlainString() + " " + currency;
    return "%d cells, %d model calls, %,d tokens%s, %d s"
        .formatted(cells, calls, used.total(), money, seconds);
  }
}
