package dev.superstep.eval.report;

import dev.superstep.eval.Comparison;
import dev.superstep.eval.EvaluationResult;
import dev.superstep.eval.JudgeAgreement;
import dev.superstep.eval.Trial;
import dev.superstep.eval.dataset.Ending;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Reports for a terminal or a log.
public final class TextReport {
  private static final int CASES_MAX = 50;
  private static final int LINE_MAX = 160;
  private static final int ID_MAX = 40;

  private TextReport() {}

  /// The numbers of an evaluation, and the trials that did not pass.
  public static String of(EvaluationResult result) {
    var lines = new ArrayList<String>();
    var numbers = result.summary();
    lines.add(
        "%s: %s, version %s"
            .formatted(
                result.name(),
                Figures.line(result.manifest().subject(), LINE_MAX),
                Figures.line(result.manifest().subjectVersion(), LINE_MAX)));
    lines.add(
        "%s, %s, %d passed"
            .formatted(
                Figures.count(numbers.cases(), "case"),
                Figures.count(numbers.trials(), "trial"),
                numbers.passed()));
    lines.add("");
    var table = new TextTable("check", "pass rate (95 % interval)", "score", "errors");
    table.row("all", numbers.passRate().percent(), Figures.decimal(numbers.score().estimate()), "");
    for (var check : numbers.checks()) {
      table.row(
          Figures.line(check.check(), ID_MAX),
          check.passRate().percent(),
          Figures.decimal(check.score().estimate()),
          String.valueOf(check.errors()));
    }
    lines.addAll(table.lines());
    lines.add("");
    lines.add("subject: " + Figures.spend(numbers.subject(), result.currency()));
    if (numbers.judging().calls() > 0) {
      lines.add("judges: " + Figures.spend(numbers.judging(), result.currency()));
    }
    lines.add(
        "time of a trial: median %s, 95 of 100 within %s"
            .formatted(Figures.time(numbers.median()), Figures.time(numbers.slow())));
    for (var judge : result.judges()) lines.add(judge(judge));
    failed(result, lines);
    missing(result, lines);
    return String.join("\n", lines) + "\n";
  }

  private static String judge(JudgeAgreement judge) {
    return "judge `%s`%s: %s%s"
        .formatted(
            Figures.line(judge.judge(), ID_MAX),
            judge.isTrusted() ? "" : " is NOT to be trusted",
            judge.agreement(),
            judge.isTrusted() ? "" : "; asked for: kappa " + Figures.decimal(judge.leastKappa()));
  }

  private static void failed(EvaluationResult result, List<String> lines) {
    var failed = result.trials().stream().filter(trial -> !trial.isPassed()).toList();
    if (failed.isEmpty()) return;
    lines.add("");
    lines.add("not passed:");
    failed.stream().limit(CASES_MAX).forEach(trial -> lines.add("  " + trial(trial)));
    if (failed.size() > CASES_MAX) lines.add("  and " + (failed.size() - CASES_MAX) + " more");
  }

  private static String trial(Trial trial) {
    var where = Figures.line(trial.item().id(), ID_MAX) + " #" + trial.repeat() + ": ";
    if (!trial.endedAsExpected()) {
      return Figures.line(where + ending(trial) + reason(trial), LINE_MAX);
    }
    var why = new ArrayList<String>();
    for (var one : trial.results()) {
      if (!one.verdict().isPassed()) why.add(one.check() + ": " + one.verdict().reason());
    }
    return Figures.line(where + String.join("; ", why), LINE_MAX);
  }

  static String ending(Trial trial) {
    var expected =
        trial.item().ending() == Ending.ANSWERED ? "" : ", expected " + word(trial.item().ending());
    return word(trial.observation().ending()) + expected;
  }

  static String word(Ending ending) {
    return ending.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String reason(Trial trial) {
    return trial.observation().reason().isEmpty() ? "" : ": " + trial.observation().reason();
  }

  private static void missing(EvaluationResult result, List<String> lines) {
    if (result.isComplete()) return;
    lines.add("");
    lines.add(result.missing().size() + " trials are missing:");
    result.missing().stream()
        .limit(CASES_MAX)
        .forEach(one ->
            lines.add(
                Figures.line(
                    "  " + one.item() + " #" + one.repeat() + ": " + one.reason(), LINE_MAX)));
    if (result.missing().size() > CASES_MAX) {
      lines.add("  and " + (result.missing().size() - CASES_MAX) + " more");
    }
  }

  /// The comparison of two versions, and the cases on which they differ.
  public static String of(Comparison comparison) {
    var lines = new ArrayList<String>();
    var test = comparison.test();
    lines.add(
        "%s compared with %s: %s in both"
            .formatted(
                comparison.later().name(),
                comparison.earlier().name(),
                Figures.count(comparison.pairs().size(), "case")));
    lines.add(
        "%d better, %d worse, %d the same, %s"
            .formatted(test.wins(), test.losses(), test.ties(), Figures.pValue(test.pValue())));
    var rate = comparison.rateDifference();
    if (!comparison.pairs().isEmpty()) {
      lines.add(
          "pass rate %s points (%s to %s at 95 %%)"
              .formatted(
                  Figures.points(rate.estimate()),
                  Figures.points(rate.low()),
                  Figures.points(rate.high())));
    }
    var table = new TextTable("case", comparison.earlier().name(), comparison.later().name(), "");
    comparison.pairs().stream()
        .filter(pair -> pair.direction() != 0)
        .limit(CASES_MAX)
        .forEach(pair ->
            table.row(
                Figures.line(pair.item().id(), ID_MAX),
                Figures.percent(pair.earlierRate()),
                Figures.percent(pair.laterRate()),
                pair.direction() > 0 ? "better" : "worse"));
    if (!table.isEmpty()) {
      lines.add("");
      lines.addAll(table.lines());
    }
    if (!comparison.unpaired().isEmpty()) {
      lines.add("");
      lines.add(
          Figures.line(
              comparison.unpaired().size()
                  + " cases are only in one, or differ: "
                  + comparison.unpaired(),
              LINE_MAX));
    }
    return String.join("\n", lines) + "\n";
  }
}
