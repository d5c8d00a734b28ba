package dev.superstep.example.triage;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import dev.superstep.example.triage.Reading.Classified;
import dev.superstep.model.ChatReply.Source;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// The report as Markdown. Equal input gives equal text. Everything from outside goes through
/// [Plain#markdown], so that no message can add a row, a section or a decision.
final class Report {
  private static final int CELL_MAX = 160;
  private static final int REASON_MAX = 600;

  private Report() {}

  static String of(Triaged all, Instant now) {
    return "# Triage of %s\n\n%s: %s\n\n%s\n"
            .formatted(
                cell(all.inbox()),
                LocalDate.ofInstant(now, ZoneOffset.UTC),
                Sentences.counts(all),
                origins(all))
        + "\n"
        + "## Messages\n\n"
        + "| File | Category | Urgency | Summary by the model | Request by the model | Model read"
        + " |\n"
        + "| --- | --- | --- | --- | --- | --- |\n"
        + each(all.classified(), Report::row)
        + section("Decisions", all.decisions(), Report::decision)
        + section(
            "Not classified: needs a person",
            all.unclear(),
            m -> "- %s: %s\n".formatted(cell(m.heading().file()), reason(m.reason())))
        + section(
            "Not read",
            all.unread(),
            f -> "- %s: %s\n".formatted(cell(f.file()), reason(f.reason())));
  }

  private record Origin(Source source, String model) {
    String says(long replies) {
      var from = "`" + Plain.line(model, CELL_MAX).replace("`", "") + "`";
      return switch (source) {
        case LIVE -> "Replies: " + replies + ", live from " + from + ".";
        case RECORDED ->
            "**Replies: %d, recorded earlier from %s. No model was asked in this run.**"
                .formatted(replies, from);
        case SCRIPTED ->
            "**Replies: %d, scripted (%s). No model was asked.**".formatted(replies, from);
      };
    }
  }

  /// Who said it, and when: a reader must not take an old answer for a fresh one.
  private static String origins(Triaged all) {
    return all.classified().stream()
        .collect(groupingBy(m -> new Origin(m.source(), m.model()), LinkedHashMap::new, counting()))
        .entrySet()
        .stream()
        .map(origin -> origin.getKey().says(origin.getValue()))
        .collect(joining("\n\n"));
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
            each(
                message.risks(),
                r -> "  - Asked because %s: %s\n".formatted(r.rule().meaning(), cell(r.reason()))),
            decision.note().map(n -> "  - Note: " + reason(n) + "\n").orElse(""));
  }

  private static <T> String section(String title, List<T> items, Function<T, String> lines) {
    return items.isEmpty() ? "" : "\n## " + title + "\n\n" + each(items, lines);
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
