package dev.superstep.cli.chat;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.budget.Spend;
import dev.superstep.json.Json;
import dev.superstep.model.ChatReply;
import java.math.BigDecimal;

/// The costs of a conversation: model calls, tokens and money, as far as prices are known. Noted in
/// the thread with each turn. Immutable.
record ChatCosts(long calls, long input, long output, BigDecimal money, String currency) {
  /// The metadata of a thread.
  static final String KEY = "superstep.chat.costs";

  static final ChatCosts NONE = new ChatCosts(0, 0, 0, BigDecimal.ZERO, "");

  static ChatCosts parse(String noted) {
    return Json.parse(noted).as(ChatCosts.class);
  }

  String noted() {
    return Json.of(this).text();
  }

  /// With what an event tells.
  ChatCosts plus(AgentEvent event) {
    return switch (event) {
      case AgentEvent.ModelCompleted done when done.source() != ChatReply.Source.CACHED ->
          new ChatCosts(
              calls + 1,
              input + done.usage().input(),
              output + done.usage().output(),
              money,
              currency);
      case AgentEvent.CostRecorded recorded ->
          new ChatCosts(
              calls,
              input,
              output,
              money.add(recorded.cost().orElse(BigDecimal.ZERO)),
              recorded.currency());
      default -> this;
    };
  }

  /// With what a turn spent.
  ChatCosts plus(Spend turn) {
    return new ChatCosts(
        calls + turn.calls(),
        input + turn.usage().input(),
        output + turn.usage().output(),
        money.add(turn.cost()),
        currency);
  }

  /// In words, such as `3 model calls, 120 tokens in, 40 out, 0.0012 USD`.
  String text() {
    var words = calls + (calls == 1 ? " model call" : " model calls");
    var tokens = input + output == 0 ? "" : ", %,d tokens in, %,d out".formatted(input, output);
    var cost = money.signum() == 0 ? "" : ", " + money.toPlainString() + " " + currency;
    return words + tokens + cost;
  }
}
