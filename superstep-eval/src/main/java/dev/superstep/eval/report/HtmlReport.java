package dev.superstep.eval.report;

import dev.superstep.eval.Comparison;
import dev.superstep.eval.EvaluationResult;
import dev.superstep.eval.Trial;
import dev.superstep.eval.dataset.JsonValues;
import dev.superstep.eval.stats.Interval;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/// Reports as one HTML file each, which needs no network and has no scripts: it may be mailed or
/// kept beside a build. What programs and models said is escaped. It follows the light or dark
/// setting of the reader.
public final class HtmlReport {
  private static final int TRIALS_MAX = 2_000;
  private static final int TEXT_MAX = 4_000;
  private static final Pattern TURNS = Pattern.compile("[\\u202a-\\u202e\\u2066-\\u2069]");

  private HtmlReport() {}

  /// The results of an evaluation.
  public static String of(EvaluationResult result) {
    return page(result.name(), body(result));
  }

  /// The comparison of two versions, with the results of the later one.
  public static String of(Comparison comparison) {
    var title = comparison.later().name() + " compared with " + comparison.earlier().name();
    var later = "<h2>" + escaped(comparison.later().name()) + "</h2>\n";
    return page(title, HtmlComparison.of(comparison) + later + body(comparison.later()));
  }

  private static String page(String title, String body) {
    return """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
    style-src 'unsafe-inline'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>%s</title>
    <style>
    %s</style>
    </head>
    <body>
    <main>
    <h1>%s</h1>
    %s</main>
    </body>
    </html>
    """
        .formatted(escaped(title), style(), escaped(title), body);
  }

  private static String style() {
    try (InputStream css = HtmlReport.class.getResourceAsStream("report.css")) {
      return new String(Objects.requireNonNull(css).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String body(EvaluationResult result) {
    var html = new StringBuilder();
    var numbers = result.summary();
    html.append(
        "<p class=\"about\">%s, version <code>%s</code>, dataset <code>%s</code>, begun %s</p>\n"
            .formatted(
                escaped(result.manifest().subject()),
                escaped(result.manifest().subjectVersion()),
                escaped(result.manifest().dataset()),
                result.manifest().began().truncatedTo(ChronoUnit.SECONDS)));
    html.append("<dl class=\"figures\">\n");
    figure(html, Figures.percent(numbers.passRate().estimate()), "pass rate");
    figure(html, numbers.passed() + " of " + numbers.trials(), "trials passed");
    figure(html, String.valueOf(numbers.cases()), "cases");
    figure(html, Figures.time(numbers.median()), "median time");
    var both = numbers.subject().plus(numbers.judging());
    if (Figures.hasCost(both, result.currency())) {
      figure(html, Figures.cost(both.cost(), result.currency()), "cost");
    }
    figure(html, "%,d".formatted(both.usage().total()), "tokens");
    html.append("</dl>\n");
    if (!result.isComplete()) {
      html.append(
          "<p class=\"warning\">%d trials are missing: %s</p>\n"
              .formatted(result.missing().size(), escaped(result.missing().getFirst().reason())));
    }
    judges(html, result);
    checks(html, result);
    trials(html, result);
    return html.toString();
  }

  private static void figure(StringBuilder html, String value, String name) {
    html.append("<div><dd>%s</dd><dt>%s</dt></div>\n".formatted(escaped(value), name));
  }

  private static void judges(StringBuilder html, EvaluationResult result) {
    for (var judge : result.judges()) {
      html.append(
          "<p class=\"%s\">Judge <b>%s</b> %s: %s. Asked for: kappa %s.</p>\n"
              .formatted(
                  judge.isTrusted() ? "note" : "warning",
                  escaped(judge.judge()),
                  judge.isTrusted() ? "agrees with people" : "is not to be trusted",
                  escaped(judge.agreement().toString()),
                  Figures.decimal(judge.leastKappa())));
    }
  }

  private static void checks(StringBuilder html, EvaluationResult result) {
    var numbers = result.summary();
    html.append("<h2>Checks</h2>\n<table>\n<tr><th>check</th><th>pass rate, 95 % interval</th>");
    html.append("<th class=\"n\">score</th><th class=\"n\">errors</th></tr>\n");
    row(html, "all of them", numbers.passRate(), numbers.score().estimate(), "");
    for (var check : numbers.checks()) {
      row(
          html,
          check.check(),
          check.passRate(),
          check.score().estimate(),
          String.valueOf(check.errors()));
    }
    html.append("</table>\n");
  }

  private static void row(
      StringBuilder html, String name, Interval rate, double score, String errors) {
    html.append(
        "<tr><td>%s</td><td>%s <span class=\"line\">%s</span></td><td class=\"n\">%s</td><td class=\"n\">%s</td></tr>\n"
            .formatted(
                escaped(name),
                IntervalBar.svg(rate, 0, 1),
                rate.percent(),
                Figures.decimal(score),
                errors));
  }

  private static void trials(StringBuilder html, EvaluationResult result) {
    html.append("<h2>Trials</h2>\n");
    var all = new ArrayList<Trial>(result.trials());
    // Those that did not pass are looked at first, and are not among those left out.
    all.sort(Comparator.comparing(Trial::isPassed));
    for (var trial : all.subList(0, Math.min(TRIALS_MAX, all.size()))) trial(html, trial, result);
    if (all.size() > TRIALS_MAX) {
      html.append("<p>%d more trials are left out.</p>\n".formatted(all.size() - TRIALS_MAX));
    }
  }

  private static void trial(StringBuilder html, Trial trial, EvaluationResult result) {
    var seen = trial.observation();
    html.append(
        "<details><summary><span class=\"%s\">%s</span> %s <span class=\"faint\">#%d, %s, %s</span></summary>\n"
            .formatted(
                trial.isPassed() ? "good" : "bad",
                trial.isPassed() ? "passed" : "failed",
                escaped(trial.item().id()),
                trial.repeat(),
                Figures.time(seen.took()),
                escaped(Figures.spend(trial.spent(), result.currency()))));
    text(html, "input", trial.item().inputText());
    trial.item().expected().ifPresent(value -> text(html, "expected", JsonValues.text(value)));
    if (trial.endedAsExpected()) text(html, "output", seen.text());
    else text(html, TextReport.ending(trial), seen.reason());
    if (!seen.tools().isEmpty()) text(html, "tools", lines(seen.tools()));
    html.append("<table>\n");
    for (var one : trial.results()) {
      html.append(
          "<tr><td><span class=\"%s\">%s</span></td><td>%s</td><td class=\"n\">%s</td><td>%s</td></tr>\n"
              .formatted(
                  one.verdict().isPassed() ? "good" : "bad",
                  one.verdict().outcome().name().toLowerCase(Locale.ROOT),
                  escaped(one.check()),
                  Figures.decimal(one.verdict().score()),
                  escaped(one.verdict().reason())));
    }
    html.append("</table>\n</details>\n");
  }

  private static String lines(List<?> all) {
    return String.join("\n", all.stream().map(Object::toString).toList());
  }

  private static void text(StringBuilder html, String name, String text) {
    var cut = text.length() > TEXT_MAX ? text.substring(0, TEXT_MAX) + "… (cut)" : text;
    html.append("<h3>%s</h3><pre>%s</pre>\n".formatted(escaped(name), escaped(cut)));
  }

  /// Text that no browser takes for markup, without characters that turn its direction around.
  static String escaped(String text) {
    return TURNS.matcher(JunitXml.escaped(text)).replaceAll("\ufffd");
  }
}
