package dev.superstep.eval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.eval.check.Check;
import dev.superstep.eval.check.Checks;
import dev.superstep.eval.check.Judge;
import dev.superstep.eval.check.Verdict;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.Dataset;
import dev.superstep.eval.dataset.Labelled;
import dev.superstep.eval.report.HtmlReport;
import dev.superstep.eval.report.JunitXml;
import dev.superstep.eval.report.TextReport;
import dev.superstep.json.Json;
import dev.superstep.model.ScriptedModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/// Reports as text, HTML and XML.
@Timeout(120)
class ReportsTest {
  private static final String HOSTILE =
      "<script>alert(1)</script> & \"'\u0000\u001b[31m \u202e ]]>";

  private final Checkpointer store = new InMemoryCheckpointer();

  private static Dataset dataset() {
    return new Dataset(
        IntStream.range(0, 12)
            .mapToObj(i ->
                Case.of("case-" + i, "What is twice " + i + "?")
                    .withExpected(String.valueOf(2 * i)))
            .toList());
  }

  private static Subject subject(String version, int wrongEach) {
    return Subject.function(
        "doubling",
        version,
        input -> {
          var text = input.as(String.class).replaceAll("\\D", "");
          int number = Integer.parseInt(text);
          if (number == 11) throw new IllegalStateException(HOSTILE);
          return Json.string(number % wrongEach == 1 ? HOSTILE : String.valueOf(2 * number));
        });
  }

  private EvaluationResult result(String name, int wrongEach) throws InterruptedException {
    var judge =
        Judge.passOrFail(
            "generous",
            ScriptedModel.by(_ -> ScriptedModel.text("{\"reason\":\"Fine.\",\"passed\":true}")),
            "Any answer is good.");
    var examples =
        List.of(
            new Labelled(Case.of("a", "x"), Json.string("y"), true),
            new Labelled(Case.of("b", "x"), Json.string("z"), false));
    return Evaluation.named(name, dataset(), subject(name, wrongEach))
        .checks(
            Checks.equalsExpected(),
            Check.of(
                "short",
                t -> Verdict.scored(t.text().length() < 9 ? 1 : 0.25, 0.5, "long " + HOSTILE)))
        .judgedBy(judge, examples, 0.6)
        .prices((_, _) -> Optional.empty(), "USD")
        .run(store);
  }

  @Test
  void theTextHasTheNumbersAndWhatDidNotPass() throws InterruptedException {
    var text = TextReport.of(result("one", 4));
    assertThat(text)
        .contains("12 cases, 12 trials, 8 passed")
        .contains("66.7 % (39.1 to 86.2)")
        .contains("judge `generous` is NOT to be trusted: kappa 0.00")
        .contains("case-11 #1: failed: <script>")
        .contains("case-1 #1: equals: expected `2`");
    assertThat(text.codePoints().filter(c -> c != '\n' && Character.isISOControl(c))).isEmpty();
    assertThat(text).doesNotContain("\u202e");
  }

  @Test
  void theComparisonIsATable() throws InterruptedException {
    var text = TextReport.of(result("one", 4).comparedWith(result("two", 6)));
    assertThat(text)
        .contains("two compared with one: 12 cases in both")
        .contains("2 better, 1 worse, 9 the same, p = 1.0000")
        .contains("case-5  0 %    100 %  better")
        .contains("case-7  100 %  0 %    worse");
  }

  @Test
  void thePageLoadsNothingAndRunsNothing() throws InterruptedException, IOException {
    var html = HtmlReport.of(result("one", 4).comparedWith(result("two", 6)));
    assertThat(html)
        .contains("default-src 'none'")
        .contains("prefers-color-scheme: dark")
        .contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;&#39;")
        .doesNotContain(
            "\u202e", "<script", "http:", "https:", "src=", "url(", "@import", "<link", "\u0000");
    assertThat(tags(html)).contains("details", "svg", "table").doesNotContain("script");
    var folder = System.getProperty("superstep.reports");
    if (folder != null) Files.writeString(Path.of(folder, "comparison.html"), html);
  }

  private static List<String> tags(String html) {
    return Pattern.compile("<([a-z0-9]+)")
        .matcher(html)
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  @Test
  void theXmlIsReadByAnyParser() throws Exception {
    var result = result("one", 4);
    var suite = parsed(JunitXml.of(result)).getDocumentElement();
    assertThat(suite.getAttribute("tests")).isEqualTo("12");
    assertThat(suite.getAttribute("failures")).isEqualTo("4");
    var failures = suite.getElementsByTagName("failure");
    assertThat(failures.getLength()).isEqualTo(4);
    assertThat(failures.item(0).getTextContent()).contains("<script>alert(1)</script> & \"'");
  }

  @Test
  void aMissingTrialIsASkippedTest() throws Exception {
    var judge =
        Judge.passOrFail(
            "j",
            ScriptedModel.by(_ -> ScriptedModel.text("{\"reason\":\"Fine.\",\"passed\":true}")),
            "Any.");
    var result =
        Evaluation.named("few", dataset(), subject("1", 4))
            .checks(judge)
            .concurrency(1)
            .budget(Budget.unlimited().calls(5))
            .run(store);
    assertThat(result.missing()).hasSize(7);
    var suite = parsed(JunitXml.of(result)).getDocumentElement();
    assertThat(suite.getAttribute("skipped")).isEqualTo("7");
    assertThat(((Element) suite.getElementsByTagName("skipped").item(0)).getAttribute("message"))
        .contains("5 calls");
    assertThat(TextReport.of(result)).contains("7 trials are missing:");
    assertThat(HtmlReport.of(result)).contains("7 trials are missing");
  }

  private static Document parsed(String xml) throws Exception {
    var factory = DocumentBuilderFactory.newInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    var bytes = new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8));
    return factory.newDocumentBuilder().parse(bytes);
  }

  @Test
  void anEvaluationWithoutTrialsHasAReport() throws InterruptedException {
    var nothing = Evaluation.named("none", new Dataset(List.of()), subject("1", 4)).run(store);
    assertThat(TextReport.of(nothing)).contains("0 cases, 0 trials, 0 passed", "none");
    assertThat(HtmlReport.of(nothing)).contains("<h1>none</h1>");
    assertThat(TextReport.of(nothing.comparedWith(nothing))).contains("0 cases in both");
    assertThat(HtmlReport.of(nothing.comparedWith(nothing))).contains("0 cases in both");
  }
}
