package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `superstep eval` on folders with programs in Java and graphs as text.
@Timeout(120)
class EvalTest {
  private static final String CASES =
      """
      {"id": "find-17", "input": "Find order 17.", "expected": "found", "tools": ["look_up"]}
      {"id": "refund-17", "input": "Refund order 17.", "expected": "30 EUR", "tags": ["money"], \
      "tools": ["look_up", "refund"], "answers": {"review": "approve"}}
      {"id": "open", "input": "Refund order 17.", "ending": "waiting", "tags": ["money"]}
      {"id": "greet", "input": "Hello", "expected": "Good day"}
      """;

  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    desk.write(
        "shop/superstep.toml",
        """
        [program]
        class = "dev.superstep.cli.EvalProgram"
        replies = "script.json"
        """);
    desk.write("shop/target/classes/.keep", "");
    desk.write(
        "shop/script.json",
        """
        {"replies": [
          {"when": "refunded 17", "text": "You get 30 EUR back."},
          {"when": "found 17", "text": "I found it."},
          {"when": "Find order", "calls": [{"tool": "look_up", "arguments": {"order": 17}}]},
          {"when": "Refund order", "calls": [{"tool": "look_up", "arguments": {"order": 17}},
            {"tool": "refund", "arguments": {"order": 17}}]},
          {"when": "rubric", "text": "{\\"reason\\": \\"It is.\\", \\"passed\\": true}"},
          {"when": "Hello", "text": "Hi."}
        ]}
        """);
    desk.write("shop/eval/cases.jsonl", CASES);
    toml("");
    desk.write("home/.keep", "");
  }

  private void toml(String more) throws IOException {
    desk.write(
        "shop/eval/eval.toml",
        """
        repeats = 2
        [checks.contains]
        [checks.tools]
        match = "in_order"
        [checks.brief]
        kind = "code"
        class = "dev.superstep.cli.EvalProgram$Short"
        """
            + more);
  }

  private Desk.Said said(int exit, String... more) {
    var arguments = new ArrayList<>(List.of("eval"));
    arguments.addAll(List.of(more));
    var said = desk.run(arguments.toArray(String[]::new));
    assertThat(said.exit()).as(said.out() + said.err()).isEqualTo(exit);
    return said;
  }

  @Test
  void the_example_of_the_help_passes_its_cases() {
    var refunds = Path.of("../examples/refunds").toAbsolutePath().normalize();
    assertThat(said(ExitCodes.COMPLETED, refunds.toString()).out())
        .contains("2 cases, 4 trials, 4 passed");
  }

  @Test
  void a_program_is_measured_and_the_numbers_are_shown() {
    var said = said(ExitCodes.COMPLETED, "shop");
    assertThat(said.err())
        .contains("evaluation shop-")
        .contains("4 cases, results in " + desk.folder().resolve(".superstep/eval.db"));
    assertThat(said.out())
        .contains("4 cases, 8 trials, 4 passed")
        .contains("greet #1: contains: lacks `Good day`, was `Hi.`")
        .contains("open #1: contains: the check failed: Case `open` has no `expected`");
  }

  @Test
  void an_evaluation_without_checks_says_that_its_trials_pass_when_they_end() throws IOException {
    Files.delete(desk.folder().resolve("shop/eval/eval.toml"));
    var said = desk.run("eval", "shop", "--filter", "find");
    assertThat(said.err())
        .contains("there are no checks, so a trial passes when it ends; name checks in ")
        .contains("shop/eval/eval.toml");
    assertThat(said(ExitCodes.COMPLETED, "shop", "--filter", "find").out()).contains("1 case");
  }

  @Test
  void the_same_command_asks_nothing_again() {
    var first = said(ExitCodes.COMPLETED, "shop", "--name", "a");
    assertThat(said(ExitCodes.COMPLETED, "shop", "--name", "a").out()).isEqualTo(first.out());
  }

  @Test
  void cases_are_chosen_by_tag_or_id() {
    assertThat(said(ExitCodes.COMPLETED, "shop", "--filter", "money", "--repeats", "1").out())
        .contains("2 cases, 2 trials");
    assertThat(said(ExitCodes.COMPLETED, "shop", "--filter", "find", "--repeats", "1").out())
        .contains("1 case, 1 trial, 1 passed");
  }

  @Test
  void the_exit_code_says_whether_it_is_good_enough() throws IOException {
    var below = said(ExitCodes.BELOW, "shop", "--threshold", "0.6");
    assertThat(below.err()).contains("the pass rate is 0.500, and 0.600 was asked for");
    said(ExitCodes.COMPLETED, "shop", "--threshold", "0.5");
    desk.write("shop/eval/eval.toml", "threshold = 0.9\n[checks.contains]\ntext = \"nothing\"\n");
    said(ExitCodes.BELOW, "shop");
  }

  @Test
  void a_budget_leaves_trials_for_the_next_run() {
    var some = said(ExitCodes.BUDGET, "shop", "--budget", "4 calls", "--concurrency", "1");
    assertThat(some.out()).contains("trials are missing:", "4 calls");
    assertThat(said(ExitCodes.COMPLETED, "shop", "--budget", "100 calls").out())
        .contains("4 cases, 8 trials, 4 passed")
        .doesNotContain("missing");
  }

  @Test
  void versions_are_compared_and_reported() throws IOException {
    said(ExitCodes.COMPLETED, "shop", "--name", "before", "--repeats", "1");
    var script = desk.folder().resolve("shop/script.json");
    Files.writeString(script, Files.readString(script).replace("Hi.", "Good day!"));
    var said =
        said(
            ExitCodes.COMPLETED,
            "shop",
            "--name",
            "after",
            "--repeats",
            "1",
            "--compare",
            "before",
            "--report",
            "report.html",
            "--junit-xml",
            "eval.xml");
    assertThat(said.out())
        .contains("after compared with before: 4 cases in both")
        .contains("1 better, 0 worse, 3 the same, p = 1.0000")
        .contains("greet  0 %     100 %  better");
    assertThat(desk.folder().resolve("report.html"))
        .content()
        .contains("after compared with before", "default-src 'none'");
    assertThat(desk.folder().resolve("eval.xml")).content().contains("tests=\"4\" failures=\"1\"");
  }

  @Test
  void another_program_under_the_same_name_is_refused_or_begun_anew() throws IOException {
    said(ExitCodes.COMPLETED, "shop", "--name", "a");
    var script = desk.folder().resolve("shop/script.json");
    Files.writeString(script, Files.readString(script).replace("Hi.", "Good day!"));
    var refused = said(ExitCodes.USAGE, "shop", "--name", "a");
    assertThat(refused.err()).contains("error[eval.changed]: Evaluation `a` has results of");
    assertThat(said(ExitCodes.COMPLETED, "shop", "--name", "a", "--anew").out())
        .contains("8 trials, 6 passed");
  }

  @Test
  void json_is_one_object() {
    var said = said(ExitCodes.COMPLETED, "shop", "--json", "--filter", "find");
    assertThat(said.lines()).hasSize(1);
    assertThat(Json.parse(said.out().strip()).text())
        .contains("\"trials\":2", "\"passed\":2", "\"tools\":[\"look_up{\\\"order\\\":17}\"]");
    assertThat(said(ExitCodes.USAGE, "shop", "--json", "--compare", "nothing").out())
        .contains("\"type\":\"error\"", "eval.unknown");
  }

  @Test
  void a_judge_is_measured_by_labelled_examples() throws IOException {
    toml(
        """
        [checks.polite]
        kind = "judge"
        rubric = "The answer is polite."
        labelled = "polite.jsonl"
        """);
    desk.write(
        "shop/eval/polite.jsonl",
        """
        {"id": "a", "input": "Hi", "output": "Hello!", "passed": true}
        {"id": "b", "input": "Hi", "output": "Go away.", "passed": false}
        """);
    var said = said(ExitCodes.BELOW, "shop", "--threshold", "0");
    assertThat(said.out()).contains("judge `polite` is NOT to be trusted: kappa 0.00");
    desk.write(
        "strict.json",
        """
        {"replies": [{"when": "Go away", "text": "{\\"reason\\": \\"Rude.\\", \\"passed\\": false}"},
          {"when": "rubric", "text": "{\\"reason\\": \\"It is.\\", \\"passed\\": true}"}]}
        """);
    var strict = said(ExitCodes.COMPLETED, "shop", "--judge", "scripted://strict.json");
    assertThat(strict.out()).contains("judge `polite`: kappa 1.00");
    toml(
        """
        [checks.polite]
        kind = "judge"
        rubric = "Polite."
        model = "scripted://x"
        labelled = "polite.jsonl"
        """);
    assertThat(said(ExitCodes.USAGE, "shop").err())
        .contains("If you trust it: --judge scripted://x");
  }

  @Test
  void replies_are_recorded_and_given_again() {
    said(
        ExitCodes.COMPLETED,
        "shop",
        "--model",
        "scripted://shop/script.json",
        "--record",
        "cassette.jsonl");
    var said = said(ExitCodes.COMPLETED, "shop", "--model", "recorded://cassette.jsonl");
    assertThat(said.out()).contains("4 cases, 8 trials, 4 passed");
  }

  @Test
  void a_thread_becomes_a_case() throws IOException {
    var run = desk.run("run", "shop", "--input", "Find order 17.", "--thread", "t17");
    assertThat(run.exit()).as(run.err()).isZero();
    var added = said(ExitCodes.COMPLETED, "add", "shop", "--thread", "t17", "--tag", "found");
    assertThat(added.err()).contains("case `t17` is in");
    assertThat(desk.folder().resolve("shop/eval/recorded.jsonl"))
        .content()
        .isEqualTo(
            """
            {"id":"t17","input":"Find order 17.","expected":"I found it.",\
            "tools":[{"tool":"look_up","arguments":{"order":17}}],"tags":["found"],\
            "metadata":{"thread":"t17"}}
            """);
    assertThat(said(ExitCodes.COMPLETED, "shop", "--filter", "t17").out())
        .contains("2 trials, 2 passed");
    var again = said(ExitCodes.USAGE, "add", "shop", "--thread", "t17");
    assertThat(again.err()).contains("error[eval.dataset]", "id `t17` is that of case");
    assertThat(said(ExitCodes.USAGE, "add", "shop", "--thread", "t18").err())
        .contains("error[thread.unknown]: There is no thread `t18`");
  }

  @Test
  void a_thread_of_a_typed_flow_becomes_a_case_that_passes() throws IOException {
    recordedIsPassed(
        "dev.superstep.cli.FlowProgram$InJson",
        "{\"text\":\"two new lamps\"}",
        "{\"all\":[\"two\",\"new\",\"lamps\"],\"words\":3}");
  }

  @Test
  void a_program_that_takes_a_text_needs_no_code_for_that() throws IOException {
    recordedIsPassed(
        "dev.superstep.cli.FlowProgram",
        "\"two new lamps\"",
        "\"counted: {\\\"words\\\":3,\\\"all\\\":[\\\"two\\\",\\\"new\\\",\\\"lamps\\\"]}\"");
  }

  private void recordedIsPassed(String program, String input, String expected) throws IOException {
    desk.write(
        "words/superstep.toml",
        "[program]\nclass = \"" + program + "\"\nreplies = \"none.json\"\n");
    desk.write("words/none.json", "{\"replies\": [{\"when\": \"\", \"text\": \"\"}]}");
    desk.write("words/target/classes/.keep", "");
    desk.write("words/eval/eval.toml", "[checks.equals]\n");
    var run = desk.run("run", "words", "--input", "two new lamps", "--thread", "w");
    assertThat(run.exit()).as(run.err()).isZero();
    said(ExitCodes.COMPLETED, "add", "words", "--thread", "w");
    assertThat(desk.folder().resolve("words/eval/recorded.jsonl"))
        .content()
        .contains("\"input\":" + input + ",\"expected\":" + expected);
    assertThat(said(ExitCodes.COMPLETED, "words").out()).contains("1 case, 1 trial, 1 passed");
  }

  @Test
  void a_program_that_takes_only_files_is_told_to_say_what_it_was_given() throws IOException {
    desk.write(
        "letters/superstep.toml", "[program]\nclass = \"dev.superstep.cli.LettersProgram\"\n");
    desk.write("letters/target/classes/.keep", "");
    desk.write("letters/in/a.txt", "a letter");
    desk.write("fine.json", "{\"replies\": [{\"when\": \"letter\", \"text\": \"fine\"}]}");
    var model = "scripted://fine.json";
    var run =
        desk.run("run", "letters", "--input", "letters/in", "--thread", "l", "--model", model);
    assertThat(run.exit()).as(run.err()).isZero();
    var refused = said(ExitCodes.USAGE, "add", "letters", "--thread", "l", "--model", model);
    assertThat(refused.err())
        .contains(
            "error[program.unusable-input]", "(the input wrote [letters])", "recordedInput(State)");
  }

  @Test
  void a_graph_as_text_is_measured_too() throws IOException {
    desk.write(
        "text/desk.rag",
        """
        graph desk {
          input { claim text }
          output { verdict text }
          channel verdict overwrite of text
          start read
          node read { model "small" prompt "Read: {claim}" into verdict next END }
        }
        """);
    desk.write(
        "text/replies.json",
        "{\"replies\": [{\"when\": \"roof\", \"text\": \"pay\"}, {\"when\": \"Read\", \"text\":"
            + " \"no\"}]}");
    desk.write(
        "text/eval/claims.jsonl",
        """
        {"id": "roof", "input": {"claim": "a roof"}, "expected": {"verdict": "pay"}}
        {"id": "car", "input": {"claim": "a car"}, "expected": {"verdict": "pay"}}
        """);
    desk.write("text/eval/eval.toml", "[checks.equals]\n");
    var model = "scripted://text/replies.json";
    assertThat(said(ExitCodes.COMPLETED, "text", "--model", model).out())
        .contains("2 cases, 2 trials, 1 passed")
        .contains("car #1: equals: expected `{\"verdict\":\"pay\"}`, was `{\"verdict\":\"no\"}`");
    desk.write("claim.txt", "a roof");
    var run = desk.run("run", "text", "--input", "claim.txt", "--thread", "r", "--model", model);
    assertThat(run.exit()).as(run.err()).isZero();
    said(ExitCodes.COMPLETED, "add", "text", "--thread", "r", "--model", model);
    assertThat(desk.folder().resolve("text/eval/recorded.jsonl"))
        .content()
        .contains("\"input\":{\"claim\":\"a roof\"},\"expected\":{\"verdict\":\"pay\"}");
  }

  @Test
  void what_is_wrong_is_told_with_its_place() throws IOException {
    toml("[checks.x]\n");
    assertThat(said(ExitCodes.USAGE, "shop").err())
        .contains("eval.toml:8:1: `checks.x` needs a `kind`, one of [equals, contains");
    toml("[checks.x]\nkind = \"matches\"\npatern = \"a\"\n");
    assertThat(said(ExitCodes.USAGE, "shop").err())
        .contains("`checks.x.patern` is not a key that is known here", "Did you mean `pattern`?");
    toml("[checks.x]\nkind = \"matches\"\npattern = \"(a\"\n");
    assertThat(said(ExitCodes.USAGE, "shop").err()).contains("regular expression of RE2");
    toml("[checks.x]\nkind = \"schema\"\nfile = \"../../x.json\"\n");
    assertThat(said(ExitCodes.USAGE, "shop").err()).contains("must stay inside of");
    toml("");
    desk.write("shop/eval/cases.jsonl", CASES + "{\"id\": \"greet\", \"input\": 1}\n");
    assertThat(said(ExitCodes.USAGE, "shop").err())
        .contains("error[eval.dataset]", "cases.jsonl:5: id `greet` was used before");
    Files.delete(desk.folder().resolve("shop/eval/cases.jsonl"));
    assertThat(said(ExitCodes.USAGE, "shop").err()).contains("error[eval.no-dataset]");
    assertThat(said(ExitCodes.USAGE, "shop", "--budget", "much").err()).contains("no dataset");
  }

  @Test
  void arguments_that_cannot_be_are_refused() {
    assertThat(said(ExitCodes.USAGE, "shop", "--budget", "much").err())
        .contains("--budget must be");
    assertThat(said(ExitCodes.USAGE, "shop", "--name", "a/b").err()).contains("--name must have");
    assertThat(said(ExitCodes.USAGE, "shop", "--threshold", "7").err()).contains("must be 0 to 1");
    assertThat(said(ExitCodes.USAGE, "shop", "--repeats", "0").err())
        .contains("--repeats must be 1 to");
    assertThat(said(ExitCodes.USAGE, "add", "shop", "--thread", "t", "--dataset", "../x").err())
        .contains("--dataset must have");
  }
}
