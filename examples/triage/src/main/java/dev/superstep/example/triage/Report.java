package dev.superstep.example.triage;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import dev.superstep.example.triage.Reading.Classified;
import dev.superstep.example.triage.Reading.Unclear;
import dev.superstep.model.ChatReply.Source;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// The report as Markdown. Equal input gives equal text. Everything from outside goes through
/// [Plain#markdown], so that no message can add a row, a section or a decision.
final class Report {
  private static final int CELL_MAX = 160;
  private static final int REASON_MAX = 600;
  private static final String TABLE =
      """
      | File | Category | Urgency | Summary by the model | Request by the model | Model read |
      | --- | --- | --- | --- | --- | --- |
      """;

  private Report() {}

  static String of(Triaged all, Instant now) {
    return "# Triage of %s\n\n%s: %s\n\n%s\n"
            .formatted(
                cell(all.inbox()),
                LocalDate.ofInstant(now, ZoneOffset.UTC),
                Sentences.counts(all),
                origins(all))
        + section("Messages", TABLE, all.classified(), Report::row)
        + section("Decisions", "", all.decisions(), Report::decision)
        + section("Not classified: needs a person", "", all.unclear(), Report::unclear)
        + section(
            "Not read",
            "",
            all.unread(),
            f -> "- %s: %s\n".formatted(cell(f.file()), reason(f.reason())));
  }

  private record Origin(Source source, String model) {
    String says(long replies) {
      var from = code(model);
      return switch (source) {
        case LIVE -> "Replies: " + replies + ", live from " + from + ".";
        case RECORDED ->
            "**Replies: %d, recorded earlier from %s. No model was asked in this run.**"
                .formatted(replies, from);
        case CACHED -> "Replies: " + replies + ", from a cache of answers of " + from + ".";
        case BATCHED -> "Replies: " + replies + ", from batches of " + from + ".";
        case SCRIPTED ->
            "**Replies: %d, scripted (%s). No model was asked.**".formatted(replies, from);
      };
    }
  }

  /// Who said it, and when: a reader must not take an old answer for a fresh one.
  private static String origins(Triaged all) {
    var origins = new ArrayList<String>();
    all.classified().stream()
        .collect(groupingBy(m -> new Origin(m.source(), m.model()), LinkedHashMap::new, counting()))
        .forEach((origin, replies) -> origins.add(origin.says(replies)));
    all.unclear().stream()
        .collect(groupingBy(Unclear::model, LinkedHashMap::new, counting()))
        .forEach((model, n) ->
            origins.add("Without a reply of use from " + code(model) + ": " + n + "."));
    return origins.isEmpty() ? "No model was asked." : String.join("\n\n", origins);
  }

  private static String code(String text) {
    return "`" + Plain.line(text, CELL_MAX).replace("`", "") + "`";
  }

  private static String row(Classified message) {
    var triage = message.triage();
    var heading = message.heading();
    var read =
        heading.wasCut()
            ? String.format(
                Locale.ROOT, "first %,d of %,d characters", Letter.READ_MAX, heading.characters())
            : "all";
    return "| %s | %s | %s | %s | %s | %s |\n"
        .formatted(
            cell(heading.file()),
            triage.category(),
            triage.urgency(),
            cell(triage.summary()),
            cell(triage.request()),
            read);
  }

  private static String decision(Decision decision) {
    var message = decision.message();
    var heading = message.heading();
    return "- **%s: %s**\n  - From %s: %s\n%s%s"
        .formatted(
            cell(heading.file()),
            decision.approved() ? "approved" : "declined",
            cell(heading.sender()),
            cell(heading.subject()),
            risks("Asked because", message.risks()),
            decision.note().map(n -> "  - Note: " + reason(n) + "\n").orElse(""));
  }

  private static String unclear(Unclear message) {
    return "- %s: %s\n%s"
        .formatted(
            cell(message.heading().file()),
            reason(message.reason()),
            risks("Needs a person:", message.risks()));
  }

  private static String risks(String why, List<Risk> risks) {
    return each(risks, r -> "  - %s %s: %s\n".formatted(why, r.rule().meaning(), cell(r.reason())));
  }

  private static <T> String section(
      String title, String top, List<T> items, Function<T, String> lines) {
    return items.isEmpty() ? "" : "\n## " + title + "\n\n" + top + each(items, lines);
  }

  private static <T> String each(List<T> items, Function<T, String> lines) {
    return items.stream().map(lines).collect(joining());
  }

  private static String cell(String text) {
    return text.isBlank() ? "(unknown)" : Plain.markdown(text, CELL_MAX);
  }

  private static String reason(String text) {
    return Plain.markdown(text, REASON_MAX);
  }
}
