package dev.superstep.terminal.policy;

import dev.superstep.json.Json;
import dev.superstep.language.VisibleText;
import dev.superstep.terminal.risk.Assessment;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The reasons of a decision, for people and programs. Immutable.
///
/// @param rules those that match
/// @param over those that would match if their time were not over
public record PolicyExplanation(
    String command,
    Assessment risk,
    CommandDecision decision,
    List<CommandRule> rules,
    List<CommandRule> over) {
  public PolicyExplanation {
    rules = List.copyOf(rules);
    over = List.copyOf(over);
  }

  /// Lines of text, with nothing in them on which a terminal acts.
  public String text() {
    var text = new StringBuilder();
    line(text, "command", VisibleText.exactLine(command));
    line(text, "danger", word(risk.level()));
    line(text, "decision", decisionText());
    for (var reason : decision.reasons()) line(text, "because", VisibleText.line(reason));
    for (var finding : risk.findings()) {
      var part = part(finding.span().start(), finding.span().end());
      line(
          text,
          "finding",
          "%s, %s: `%s` %s"
              .formatted(
                  word(finding.level()),
                  finding.axis().label(),
                  VisibleText.exactLine(part),
                  VisibleText.line(finding.reason())));
    }
    for (var fact : risk.facts()) {
      line(text, fact.kind().label(), VisibleText.exactLine(fact.value()));
    }
    for (var rule : rules) line(text, "rule", ruleText(rule));
    for (var rule : over) line(text, "expired", ruleText(rule));
    return text.toString();
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append("%-10s %s%n".formatted(name, value).replace("\r\n", "\n"));
  }

  private String decisionText() {
    return switch (decision) {
      case CommandDecision.Allow allow -> "allow, " + place(allow.confinement());
      case CommandDecision.Confirm confirm ->
          "confirm by "
              + switch (confirm.approval()) {
                case ApprovalInput.Key _ -> "a key";
                case ApprovalInput.Typed typed ->
                    "typing `" + VisibleText.exactLine(typed.phrase()) + "`";
              }
              + ", "
              + place(confirm.confinement());
      case CommandDecision.Deny deny -> "deny, " + cause(deny);
    };
  }

  private static String cause(CommandDecision.Deny deny) {
    return deny.cause().name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @SuppressWarnings("EnumOrdinal") // tiers are numbered, and called by their numbers
  private static String place(Confinement confinement) {
    return "in T" + confinement.tier().ordinal() + (confinement.isReadOnly() ? ", read-only" : "");
  }

  private static String ruleText(CommandRule rule) {
    var why = rule.justification().isEmpty() ? "" : ": " + rule.justification();
    return VisibleText.line(rule.origin() + " " + rule.effect().word() + why);
  }

  private String part(int from, int to) {
    return command.substring(Math.min(from, command.length()), Math.min(to, command.length()));
  }

  /// This explanation as a JSON object; spans are in UTF-16 units of the command.
  public Json json() {
    var nodes = JsonNodeFactory.instance;
    var object = nodes.objectNode();
    object.put("command", command).put("danger", word(risk.level()));
    object.set("decision", decisionJson());
    var findings = object.putArray("findings");
    for (var finding : risk.findings()) {
      findings
          .addObject()
          .put("axis", finding.axis().label())
          .put("danger", word(finding.level()))
          .put("code", finding.code())
          .put("start", finding.span().start())
          .put("end", finding.span().end())
          .put("reason", finding.reason());
    }
    var facts = object.putArray("facts");
    for (var fact : risk.facts()) {
      facts
          .addObject()
          .put("kind", fact.kind().name().toLowerCase(Locale.ROOT))
          .put("value", fact.value())
          .put("start", fact.span().start())
          .put("end", fact.span().end());
    }
    var matching = object.putArray("rules");
    for (var rule : rules) rule(matching.addObject(), rule);
    var expired = object.putArray("expired");
    for (var rule : over) rule(expired.addObject(), rule);
    return Json.parse(object.toString());
  }

  private ObjectNode decisionJson() {
    var object = JsonNodeFactory.instance.objectNode().put("kind", decision.word());
    switch (decision) {
      case CommandDecision.Allow allow -> place(object, allow.confinement());
      case CommandDecision.Confirm confirm -> {
        place(object, confirm.confinement());
        if (confirm.approval() instanceof ApprovalInput.Typed typed)
          object.put("type", typed.phrase());
      }
      case CommandDecision.Deny deny -> object.put("cause", cause(deny));
    }
    var reasons = object.putArray("reasons");
    decision.reasons().forEach(reasons::add);
    return object;
  }

  @SuppressWarnings("EnumOrdinal") // tiers are numbered, and called by their numbers
  private static void place(ObjectNode object, Confinement confinement) {
    object.put("tier", confinement.tier().ordinal()).put("readOnly", confinement.isReadOnly());
  }

  private static void rule(ObjectNode object, CommandRule rule) {
    object
        .put("file", rule.origin().file())
        .put("line", rule.origin().line())
        .put("scope", rule.origin().scope().name().toLowerCase(Locale.ROOT))
        .put("decision", rule.effect().word())
        .put("justification", rule.justification());
    rule.expiry().ifPresent(time -> object.put("expires", time.toString()));
  }

  private static String word(dev.superstep.terminal.risk.RiskLevel level) {
    return level.name().toLowerCase(Locale.ROOT);
  }
}
