package dev.superstep.eval.check;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.superstep.eval.dataset.Digests;
import dev.superstep.eval.dataset.ExpectedCall;
import dev.superstep.eval.dataset.JsonValues;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.schema.JsonSchema;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Ready checks: by text, by JSON value and schema, and by the tools that were called.
public final class Checks {
  private static final int SHOWN_MAX = 200;

  private Checks() {}

  /// The output is what the case expects: equal texts, without blanks around them, or equal JSON.
  public static Check equalsExpected() {
    return check(
        "equals",
        "",
        trial -> {
          boolean isEqual =
              JsonValues.areEqual(trial.output(), trial.expected())
                  || trial.text().strip().equals(trial.expectedText().strip());
          return Verdict.when(
              isEqual, "expected " + shown(trial.expectedText()) + ", was " + shown(trial.text()));
        });
  }

  /// The output contains the text that the case expects; upper and lower case are the same.
  public static Check containsExpected() {
    return check("contains", "", trial -> containing(trial, trial.expectedText()));
  }

  /// The output contains a text; upper and lower case are the same.
  public static Check contains(String text) {
    return check("contains `" + text + "`", text, trial -> containing(trial, text));
  }

  private static Verdict containing(Checked trial, String text) {
    boolean isIn = fold(trial.text()).contains(fold(text));
    return Verdict.when(isIn, "lacks " + shown(text) + ", was " + shown(trial.text()));
  }

  private static String fold(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /// The output has a match of a regular expression of RE2, which takes time in proportion to the
  /// text, whatever the expression is.
  ///
  /// @throws IllegalArgumentException if it is none
  public static Check matches(String expression) {
    try {
      var pattern = Pattern.compile(expression);
      return check(
          "matches `" + expression + "`",
          expression,
          trial ->
              Verdict.when(
                  pattern.matcher(trial.text()).find(),
                  "no match of " + shown(expression) + " in " + shown(trial.text())));
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "expression must be a regular expression of RE2: " + e.getMessage(), e);
    }
  }

  /// The output is JSON that a schema accepts. An output that is a text is read as JSON.
  public static Check schema(JsonSchema schema) {
    return check(
        "schema",
        schema.json().canonical().text(),
        trial -> {
          try {
            var violations = schema.check(json(trial));
            return Verdict.when(
                violations.isEmpty(),
                violations.stream().map(Object::toString).collect(Collectors.joining(" ")));
          } catch (MalformedJson _) {
            return Verdict.fail("the output is no JSON: " + shown(trial.text()));
          }
        });
  }

  private static Json json(Checked trial) {
    var isText = trial.output().text().startsWith("\"");
    return isText ? Json.parse(trial.text()) : trial.output();
  }

  /// The tools that were called, as the case expects them in `tools`.
  public static Check tools(ToolMatch match) {
    return check(
        "tools " + match.title(),
        match.name(),
        trial -> match.verdict(trial.tools(), trial.item().tools()));
  }

  /// The tools that were called, as named here, for all cases.
  public static Check tools(ToolMatch match, ExpectedCall... calls) {
    var expected = List.of(calls);
    return check(
        "tools " + match.title() + " " + expected,
        match.name() + expected,
        trial -> match.verdict(trial.tools(), expected));
  }

  /// The trial took at most this time.
  public static Check withinTime(Duration most) {
    return check(
        "within " + most.toMillis() + " ms",
        most.toString(),
        trial ->
            Verdict.when(
                trial.observation().took().compareTo(most) <= 0,
                "took " + trial.observation().took().toMillis() + " ms"));
  }

  private static Check check(String name, String setting, Function<Checked, Verdict> code) {
    var shown = name.length() > 80 ? name.substring(0, 70) + " " + Digests.of(name) : name;
    return new CodeCheck(shown, shown + " " + Digests.of(setting), code);
  }

  /// Returns a copy of a check under another name.
  public static Check named(String name, Check check) {
    return new NamedCheck(name, check);
  }

  static String shown(String text) {
    var line = text.strip().replaceAll("\\s+", " ");
    if (line.length() <= SHOWN_MAX) return "`" + line + "`";
    int end = Character.isHighSurrogate(line.charAt(SHOWN_MAX - 1)) ? SHOWN_MAX - 1 : SHOWN_MAX;
    return "`" + line.substring(0, end) + "…`";
  }

  /// A check under another name.
  private record NamedCheck(String name, Check check) implements Check {
    @Override
    public String version() {
      return name + "=" + check.version();
    }

    @Override
    public Verdict check(Checked trial) throws InterruptedException {
      return check.check(trial);
    }
  }
}
