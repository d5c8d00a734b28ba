package dev.superstep.eval.report;

import dev.superstep.eval.Comparison;
import dev.superstep.eval.EvaluationResult;

/// The part of a page that compares two versions.
final class HtmlComparison {
  private static final int PAIRS_MAX = 2_000;

  private HtmlComparison() {}

  static String of(Comparison comparison) {
    var html = new StringBuilder();
    var test = comparison.test();
    var rate = comparison.rateDifference();
    html.append("<h2>Comparison</h2>\n");
    html.append(
        "<p>%d cases in both: <span class=\"good\">%d better</span>, <span class=\"bad\">%d"
                .formatted(comparison.pairs().size(), test.wins(), test.losses())
            + " worse</span>, %d the same. Exact test of better against worse: %s.</p>\n"
                .formatted(test.ties(), HtmlReport.escaped(Figures.pValue(test.pValue()))));
    html.append("<table>\n<tr><th></th><th class=\"n\">");
    html.append(HtmlReport.escaped(comparison.earlier().name())).append("</th><th class=\"n\">");
    html.append(HtmlReport.escaped(comparison.later().name()));
    html.append("</th><th>difference in points, 95 % interval</th></tr>\n");
    if (!comparison.pairs().isEmpty()) {
      html.append(
          "<tr><td>pass rate</td><td class=\"n\">%s</td><td class=\"n\">%s</td><td>%s <span class=\"line\">%s (%s to %s)</span></td></tr>\n"
              .formatted(
                  Figures.percent(mean(comparison, true)),
                  Figures.percent(mean(comparison, false)),
                  IntervalBar.svg(rate, -1, 1),
                  Figures.points(rate.estimate()),
                  Figures.points(rate.low()),
                  Figures.points(rate.high())));
    }
    totals(html, comparison);
    html.append("</table>\n");
    pairs(html, comparison);
    if (!comparison.unpaired().isEmpty()) {
      html.append(
          "<p class=\"warning\">%d cases are only in one version, or differ, and are not compared: %s</p>\n"
              .formatted(
                  comparison.unpaired().size(),
                  HtmlReport.escaped(Figures.line(comparison.unpaired().toString(), 500))));
    }
    return html.toString();
  }

  private static double mean(Comparison comparison, boolean isEarlier) {
    return comparison.pairs().stream()
        .mapToDouble(pair -> isEarlier ? pair.earlierRate() : pair.laterRate())
        .average()
        .orElse(Double.NaN);
  }

  private static void totals(StringBuilder html, Comparison comparison) {
    row(html, "spent", spent(comparison.earlier()), spent(comparison.later()));
    row(
        html,
        "median time",
        Figures.time(comparison.earlier().summary().median()),
        Figures.time(comparison.later().summary().median()));
  }

  private static String spent(EvaluationResult result) {
    var numbers = result.summary();
    return Figures.spend(numbers.subject().plus(numbers.judging()), result.currency());
  }

  private static void row(StringBuilder html, String name, String earlier, String later) {
    html.append(
        "<tr><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td><td></td></tr>\n"
            .formatted(name, HtmlReport.escaped(earlier), HtmlReport.escaped(later)));
  }

  private static void pairs(StringBuilder html, Comparison comparison) {
    var different = comparison.pairs().stream().filter(pair -> pair.direction() != 0).toList();
    if (different.isEmpty()) return;
    html.append("<table>\n<tr><th>case that differs</th><th class=\"n\">before</th>");
    html.append("<th class=\"n\">now</th><th></th></tr>\n");
    for (var pair : different.subList(0, Math.min(PAIRS_MAX, different.size()))) {
      boolean isBetter = pair.direction() > 0;
      html.append(
          "<tr><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td><td><span class=\"%s\">%s</span></td></tr>\n"
              .formatted(
                  HtmlReport.escaped(pair.item().id()),
                  Figures.percent(pair.earlierRate()),
                  Figures.percent(pair.laterRate()),
                  isBetter ? "good" : "bad",
                  isBetter ? "better" : "worse"));
    }
    html.append("</table>\n");
  }
}
