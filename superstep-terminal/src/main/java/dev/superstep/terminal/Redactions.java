package dev.superstep.terminal;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.AssistantMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.terminal.approval.Decision;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// Takes secrets out of what people and models say to a conversation, before any of it is stored.
final class Redactions {
  private static final Pattern MARK = Pattern.compile("\\[redacted [a-z ]{1,40}]");
  private static final String ADVICE =
      "It holds a secret, which would be stored. Put the secret into a variable or a file, and name"
          + " that instead.";

  private Redactions() {}

  /// Returns whether a secret was taken out of a command, which then is no command any more.
  static boolean isMarked(String command) {
    return MARK.matcher(command).find();
  }

  /// A reply without secrets, also where JSON spells them with escapes.
  static ChatReply reply(ChatReply reply, UnaryOperator<String> redact) {
    var message = reply.message();
    var text = text(message.text(), redact);
    if (text.equals(message.text()) && message.thinking().isEmpty()) return reply;
    return reply.withMessage(new AssistantMessage(message.id(), text, message.calls()));
  }

  private static String text(String text, UnaryOperator<String> redact) {
    try {
      var json = Json.parse(text);
      var redacted = RedactedJson.of(json, redact).text();
      return redacted.equals(json.text()) ? text : redacted;
    } catch (MalformedJson _) {
      return redact.apply(text);
    }
  }

  /// A decision as it may be stored.
  ///
  /// @throws NotApproved if what is to run or to be allowed holds a secret
  static Decision decision(Decision decision, UnaryOperator<String> redact) {
    return switch (decision) {
      case Decision.Edit(var command) -> {
        requireNone(command, redact);
        yield decision;
      }
      case Decision.AlwaysAllow(var rule, _) -> {
        requireNone(rule, redact);
        yield decision;
      }
      case Decision.Deny(var reason) -> new Decision.Deny(redact.apply(reason));
      case Decision.Approve _,
          Decision.Alternative _,
          Decision.Explain _,
          Decision.Skip _,
          Decision.Stricter _,
          Decision.Abort _ ->
          decision;
    };
  }

  private static void requireNone(String text, UnaryOperator<String> redact) {
    if (!redact.apply(text).equals(text)) throw new NotApproved(ADVICE);
  }

  /// A decision on a plan as it may be stored.
  static PlanDecision plan(PlanDecision decision, UnaryOperator<String> redact) {
    return switch (decision) {
      case PlanDecision.Edit(var steps) -> new PlanDecision.Edit(redacted(steps, redact));
      case PlanDecision.Replan(var reason) -> new PlanDecision.Replan(redact.apply(reason));
      case PlanDecision.Accept _, PlanDecision.Abort _ -> decision;
    };
  }

  private static List<String> redacted(List<String> texts, UnaryOperator<String> redact) {
    return texts.stream().map(redact).toList();
  }

  /// The reason for which a command without its secret does not run.
  static String advice() {
    return ADVICE;
  }
}
