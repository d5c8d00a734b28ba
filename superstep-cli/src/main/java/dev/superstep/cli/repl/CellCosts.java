package dev.superstep.cli.repl;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.cli.host.Terminal;
import dev.superstep.event.Event;
import dev.superstep.model.ChatReply;
import dev.superstep.model.Usage;
import dev.superstep.repl.agent.TypedSession;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/// Counts what the calls of a cell cost, and shows that something goes on: a line on standard error
/// that is redrawn. One thread at a time.
final class CellCosts {
  private final Terminal terminal;
  private final boolean redraws;
  private int models;
  private Usage used = Usage.NONE;
  private BigDecimal cost = BigDecimal.ZERO;
  private String currency = "";
  private boolean isDrawn;

  /// @param isSeen whether a person sits there
  CellCosts(Terminal terminal, boolean isSeen) {
    this.terminal = terminal;
    this.redraws = isSeen && terminal.redraws();
  }

  void on(Event event) {
    AgentEvent.of(event).ifPresent(this::on);
  }

  private void on(AgentEvent event) {
    switch (event) {
      // The cell itself arrives as a reply that no model gave.
      case AgentEvent.ModelCompleted done when done.source() != ChatReply.Source.CACHED -> {
        models++;
        used = used.plus(done.usage());
        draw();
      }
      case AgentEvent.CostRecorded recorded -> {
        recorded.cost().ifPresent(more -> cost = cost.add(more));
        currency = recorded.currency();
      }
      default -> {}
    }
  }

  private void draw() {
    if (!redraws) return;
    terminal.err().print("\r\u001b[K" + spent());
    terminal.err().flush();
    isDrawn = true;
  }

  /// Erases the line, so that other text can follow.
  void clear() {
    if (!isDrawn) return;
    terminal.err().print("\r\u001b[K");
    terminal.err().flush();
    isDrawn = false;
  }

  private String spent() {
    var money = cost.signum() == 0 ? "" : ", " + cost.toPlainString() + " " + currency;
    var tokens = used.total() == 0 ? "" : ", %,d tokens".formatted(used.total());
    return many(models, "model call") + tokens + money;
  }

  /// The calls of a cell in words, such as `2 calls of tool; 3 model calls, 120 tokens`.
  String of(TypedSession.Ran ran) {
    var byKind = new LinkedHashMap<String, Integer>();
    for (var call : ran.calls()) {
      byKind.merge(call.kind(), call.answers().size(), Integer::sum);
    }
    byKind.remove("model");
    byKind.remove("emit");
    var words = new ArrayList<String>();
    byKind.forEach((kind, count) -> words.add(many(count, kind + " call")));
    if (models > 0) words.add(spent());
    return String.join("; ", words);
  }

  private static String many(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
