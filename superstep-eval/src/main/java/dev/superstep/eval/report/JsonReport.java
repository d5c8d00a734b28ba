package dev.superstep.eval.report;

import dev.superstep.eval.Comparison;
import dev.superstep.eval.EvaluationResult;
import dev.superstep.eval.MissingTrial;
import dev.superstep.eval.Trial;
import dev.superstep.eval.stats.Interval;
import dev.superstep.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Reports for programs, as one JSON object.
public final class JsonReport {
  private JsonReport() {}

  /// The results of an evaluation, with all trials.
  public static Json of(EvaluationResult result) {
    return Json.of(fields(result));
  }

  /// The comparison of two versions, with the results of the later one.
  public static Json of(Comparison comparison) {
    var fields = fields(comparison.later());
    var test = comparison.test();
    var compared = new LinkedHashMap<String, Object>();
    compared.put("with", comparison.earlier().name());
    compared.put("cases", comparison.pairs().size());
    compared.put("better", test.wins());
    compared.put("worse", test.losses());
    compared.put("same", test.ties());
    compared.put("p", test.pValue());
    compared.put("rate_difference", interval(comparison.rateDifference()));
    compared.put("score_difference", interval(comparison.scoreDifference()));
    compared.put("unpaired", comparison.unpaired());
    fields.put("comparison", compared);
    return Json.of(fields);
  }

  private static Map<String, Object> fields(EvaluationResult result) {
    var numbers = result.summary();
    var fields = new LinkedHashMap<String, Object>();
    fields.put("name", result.name());
    fields.put("subject", result.manifest().subject());
    fields.put("version", result.manifest().subjectVersion());
    fields.put("dataset", result.manifest().dataset());
    fields.put("cases", numbers.cases());
    fields.put("trials", numbers.trials());
    fields.put("passed", numbers.passed());
    fields.put("pass_rate", interval(numbers.passRate()));
    fields.put("score", interval(numbers.score()));
    fields.put(
        "checks",
        numbers.checks().stream()
            .map(check -> {
              var one = new LinkedHashMap<String, Object>();
              one.put("check", check.check());
              one.put("passed", check.passed());
              one.put("errors", check.errors());
              one.put("pass_rate", interval(check.passRate()));
              one.put("score", interval(check.score()));
              return one;
            })
            .toList());
    fields.put("judges", judges(result));
    var spent = numbers.subject().plus(numbers.judging());
    fields.put("model_calls", spent.calls());
    fields.put("input_tokens", spent.usage().input());
    fields.put("output_tokens", spent.usage().output());
    if (!result.currency().isEmpty()) fields.put("cost", cost(spent.cost()));
    fields.put("currency", result.currency());
    fields.put("median_ms", numbers.median().toMillis());
    fields.put("slow_ms", numbers.slow().toMillis());
    fields.put("missing", result.missing().stream().map(JsonReport::missing).toList());
    fields.put("results", result.trials().stream().map(JsonReport::trial).toList());
    return fields;
  }

  private static String cost(BigDecimal cost) {
    return cost.stripTrailingZeros().toPlainString();
  }

  private static Object missing(MissingTrial one) {
    return Map.of("case", one.item(), "repeat", one.repeat(), "reason", one.reason());
  }

  private static List<Object> judges(EvaluationResult result) {
    var all = new ArrayList<Object>();
    for (var judge : result.judges()) {
      var one = new LinkedHashMap<String, Object>();
      one.put("judge", judge.judge());
      one.put("trusted", judge.isTrusted());
      one.put("kappa", number(judge.agreement().kappa()));
      one.put("accuracy", interval(judge.agreement().accuracy(Interval.LEVEL)));
      one.put("both_pass", judge.agreement().bothPass());
      one.put("only_label", judge.agreement().onlyLabel());
      one.put("only_judge", judge.agreement().onlyJudge());
      one.put("both_fail", judge.agreement().bothFail());
      one.put("errors", judge.agreement().errors());
      all.add(one);
    }
    return all;
  }

  private static Object trial(Trial trial) {
    var seen = trial.observation();
    var one = new LinkedHashMap<String, Object>();
    one.put("case", trial.item().id());
    one.put("repeat", trial.repeat());
    one.put("passed", trial.isPassed());
    one.put("score", trial.score());
    one.put("ending", seen.ending().name().toLowerCase(Locale.ROOT));
    one.put("output", seen.output());
    if (!seen.error().isEmpty()) one.put("error", seen.error());
    if (!seen.reason().isEmpty()) one.put("reason", seen.reason());
    one.put("tools", seen.tools().stream().map(Object::toString).toList());
    one.put("took_ms", seen.took().toMillis());
    one.put("input_tokens", trial.spent().usage().input());
    one.put("output_tokens", trial.spent().usage().output());
    var checks = new ArrayList<Object>();
    for (var result : trial.results()) {
      var check = new LinkedHashMap<String, Object>();
      check.put("check", result.check());
      check.put("outcome", result.verdict().outcome().name().toLowerCase(Locale.ROOT));
      check.put("score", result.verdict().score());
      check.put("reason", result.verdict().reason());
      checks.add(check);
    }
    one.put("checks", checks);
    return one;
  }

  private static Map<String, Object> interval(Interval interval) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("estimate", number(interval.estimate()));
    fields.put("low", interval.low());
    fields.put("high", interval.high());
    fields.put("level", interval.level());
    return fields;
  }

  /// JSON has no form for what is no number.
  private static Object number(double value) {
    return Double.isNaN(value) ? Json.ofNull() : value;
  }
}
