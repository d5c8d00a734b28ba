package dev.superstep.eval.report;

import dev.superstep.eval.EvaluationResult;
import dev.superstep.eval.MissingTrial;
import dev.superstep.eval.Trial;
import java.util.Locale;

/// Reports in the XML that build servers read of JUnit: a test for each trial.
public final class JunitXml {
  private JunitXml() {}

  /// The results of an evaluation. A missing trial is a skipped test.
  public static String of(EvaluationResult result) {
    var xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    long failures = result.trials().stream().filter(trial -> !trial.isPassed()).count();
    double seconds = 0;
    for (var trial : result.trials()) seconds += seconds(trial);
    xml.append(
        "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\" time=\"%s\">\n"
            .formatted(
                attribute(result.name()),
                result.trials().size() + result.missing().size(),
                failures,
                result.missing().size(),
                time(seconds)));
    for (var trial : result.trials()) xml.append(test(result, trial));
    for (var one : result.missing()) xml.append(skipped(result, one));
    return xml.append("</testsuite>\n").toString();
  }

  private static String test(EvaluationResult result, Trial trial) {
    var head = head(result, trial.item().id(), trial.repeat(), time(seconds(trial)));
    if (trial.isPassed()) return head + "/>\n";
    var why = new StringBuilder();
    if (!trial.endedAsExpected()) {
      why.append(TextReport.ending(trial)).append(": ").append(trial.observation().reason());
    } else {
      for (var one : trial.results()) {
        if (one.verdict().isPassed()) continue;
        why.append(one.check()).append(": ").append(one.verdict().reason()).append('\n');
      }
    }
    var text = why.toString().strip();
    return "%s>\n    <failure message=\"%s\">%s</failure>\n  </testcase>\n"
        .formatted(head, attribute(Figures.line(text, 200)), escaped(text));
  }

  private static String skipped(EvaluationResult result, MissingTrial one) {
    return "%s>\n    <skipped message=\"%s\"/>\n  </testcase>\n"
        .formatted(head(result, one.item(), one.repeat(), time(0)), attribute(one.reason()));
  }

  private static String head(EvaluationResult result, String item, int repeat, String time) {
    return "  <testcase classname=\"%s\" name=\"%s #%d\" time=\"%s\""
        .formatted(attribute(result.name()), attribute(item), repeat, time);
  }

  private static double seconds(Trial trial) {
    return trial.observation().took().toNanos() / 1e9;
  }

  private static String time(double seconds) {
    return String.format(Locale.ROOT, "%.3f", seconds);
  }

  private static String attribute(String text) {
    return escaped(text).replace("\n", "&#10;").replace("\t", "&#9;").replace("\r", "&#13;");
  }

  /// Text without the characters that XML 1.0 has no form for.
  static String escaped(String text) {
    var xml = new StringBuilder();
    text.codePoints().forEach(c -> append(xml, c));
    return xml.toString();
  }

  private static void append(StringBuilder xml, int c) {
    switch (c) {
      case '&' -> xml.append("&amp;");
      case '<' -> xml.append("&lt;");
      case '>' -> xml.append("&gt;");
      case '"' -> xml.append("&quot;");
      case '\'' -> xml.append("&#39;");
      case '\n', '\t', '\r' -> xml.append((char) c);
      default -> xml.appendCodePoint(isAllowed(c) ? c : 0xfffd);
    }
  }

  private static boolean isAllowed(int c) {
    return c >= 0x20 && (c < 0xd800 || c > 0xdfff) && c != 0xfffe && c != 0xffff;
  }
}
