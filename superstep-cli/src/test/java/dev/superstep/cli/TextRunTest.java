package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs of graphs as text: files by themselves, and folders without Java.
class TextRunTest {
  private static final String DESK =
      """
      graph desk {
        input { claim text }
        output { verdict text }
        channel verdict overwrite
        channel note overwrite of text
        start read
        node read { model "small" prompt "Read: {claim}" into note next ask }
        node ask { kind interrupt prompt "Pay {claim}? {note}" options ["pay", "refuse"]
          into verdict routes { pay -> close refuse -> END } }
        node close { model "large" prompt "Close {claim}." into note }
      }
      """;

  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    desk.write("desk.rag", DESK).write("claim.txt", "a kitchen\n");
    desk.write(
        "replies.json",
        """
        {"replies": [{"when": "Read", "text": "read"}, {"when": "Close", "text": "closed"}]}
        """);
    desk.write("home/.keep", "");
  }

  private void folder() throws IOException {
    desk.write(
        "claims/desk.rag", DESK.replace("prompt \"Read: {claim}\"", "prompt template \"read\""));
    desk.write("claims/prompts/read.txt", "Read with care: {claim}");
    desk.write("claims/claim.json", "{\"claim\": \"a roof\"}");
    desk.write(
        "claims/replies/small.json",
        "{\"replies\": [{\"when\": \"Read with care: a roof\", \"text\": \"read\"}]}");
    desk.write(
        "claims/replies/large.json",
        "{\"replies\": [{\"when\": \"Close\", \"text\": \"closed\"}]}");
    toml("");
  }

  private void toml(String more) throws IOException {
    desk.write(
        "claims/superstep.toml",
        """
        [graph]
        input = "claim.json"
        [models]
        small = "scripted://replies/small.json"
        large = "scripted://replies/large.json"
        [prompts]
        read = "prompts/read.txt"
        """
            + more);
  }

  private Desk.Said said(int exit, String... arguments) {
    var said = desk.run(arguments);
    assertThat(said.exit()).as(said.out() + said.err()).isEqualTo(exit);
    assertThat(said.out() + said.err()).doesNotContain("java.", "Exception", "dev.superstep");
    return said;
  }

  @Test
  void a_file_runs_on_the_named_model_asks_and_goes_on_with_an_answer() throws Exception {
    var model = new String[] {"--model", "scripted://replies.json"};
    var asked =
        said(
            ExitCodes.INTERRUPTED,
            "run",
            "desk.rag",
            "--input",
            "claim.txt",
            "--thread",
            "t",
            model[0],
            model[1]);
    assertThat(asked.out())
        .contains("Pay a kitchen? read", "(pay / refuse)", "=pay\n", "=refuse\n", "resume t")
        .contains("--model scripted://replies.json");
    var wrong = said(ExitCodes.USAGE, "resume", "t", "--answer", "1=maybe", model[0], model[1]);
    assertThat(wrong.err()).contains("`maybe` is none of: pay, refuse");
    var done = said(0, "resume", "t", "--answer", "1=pay", model[0], model[1]);
    assertThat(done.out()).startsWith("verdict: pay\n");
    assertThat(said(0, "threads", "show", "t").out())
        .contains("nothing is due: the thread is done");
    assertThat(said(0, "replay", "t").out()).contains("agree");
  }

  @Test
  void the_answer_may_come_with_the_run() throws Exception {
    var done =
        said(
            0,
            "run",
            "desk.rag",
            "--input",
            "claim.txt",
            "--answer",
            "1=refuse",
            "--model",
            "scripted://replies.json");
    assertThat(done.out()).startsWith("verdict: refuse\n");
  }

  @Test
  void a_person_types_an_answer_as_a_word() throws Exception {
    desk.typing("refuse");
    var done =
        said(0, "run", "desk.rag", "--input", "claim.txt", "--model", "scripted://replies.json");
    assertThat(done.out()).contains("verdict: refuse\n");
  }

  @Test
  @Tag("W2")
  void a_folder_runs_without_java_and_says_what_it_may_reach() throws Exception {
    folder();
    desk.write("claims/work/a.txt", "a");
    toml("[tools]\nroot = \"work\"\nwrite = true\n[limits]\nmodel_calls = 5\n");
    var all = new StringBuilder();
    transcript(all, ExitCodes.INTERRUPTED, "run", "claims", "--thread", "t");
    transcript(all, 0, "resume", "t", "--answer", "1=pay");
    transcript(all, 0, "graph", "claims");
    transcript(all, 0, "rag", "check", "claims/desk.rag");
    Golden.check("text-folder.txt", all.toString());
  }

  private void transcript(StringBuilder all, int exit, String... arguments) {
    var said = said(exit, arguments);
    all.append("$ superstep ").append(String.join(" ", arguments)).append('\n');
    all.append(desk.neutral(said.out() + said.err())).append("=> ").append(exit).append("\n\n");
  }

  @Test
  void a_thread_goes_on_only_with_the_text_that_it_began_with() throws Exception {
    folder();
    said(ExitCodes.INTERRUPTED, "run", "claims", "--thread", "t");
    var text = DESK.replace("prompt \"Read: {claim}\"", "prompt template \"read\"");
    desk.write("claims/desk.rag", "// Only a comment.\n" + text);
    desk.write("claims/prompts/read.txt", "Read with haste: {claim}");
    var refused = said(ExitCodes.USAGE, "resume", "t", "--answer", "1=pay");
    assertThat(refused.err()).contains("error[thread.text-changed]", "--changed");
    desk.write("claims/prompts/read.txt", "Read with care: {claim}");
    said(ExitCodes.INTERRUPTED, "resume", "t");
    desk.write("claims/desk.rag", text.replace("Close {claim}.", "Close it: {claim}."));
    said(ExitCodes.USAGE, "resume", "t", "--answer", "1=pay");
    assertThat(said(0, "resume", "t", "--answer", "1=pay", "--changed").out())
        .startsWith("verdict: pay\n");
  }

  @Test
  void a_change_of_the_shape_is_the_engine_s_to_refuse() throws Exception {
    folder();
    said(ExitCodes.INTERRUPTED, "run", "claims", "--thread", "t");
    var text = DESK.replace("prompt \"Read: {claim}\"", "prompt template \"read\"");
    desk.write("claims/desk.rag", text.replace("close", "finish"));
    var refused = said(ExitCodes.USAGE, "resume", "t", "--answer", "1=pay", "--changed");
    assertThat(refused.err()).contains("error[thread.");
  }

  @Test
  void forks_and_copies_of_a_thread_go_on_by_themselves() throws Exception {
    folder();
    said(ExitCodes.INTERRUPTED, "run", "claims", "--thread", "t");
    var copied = said(0, "threads", "copy", "t", "--as", "u");
    assertThat(copied.out() + copied.err()).contains("u");
    assertThat(said(0, "resume", "u", "--answer", "1=refuse").out()).startsWith("verdict: refuse");
    assertThat(said(0, "resume", "t", "--answer", "1=pay").out()).startsWith("verdict: pay");
  }

  @Test
  void a_fork_goes_on_from_its_checkpoint_with_the_text_that_it_was_made_with() throws Exception {
    folder();
    said(ExitCodes.INTERRUPTED, "run", "claims", "--thread", "t");
    said(0, "resume", "t", "--answer", "1=pay");
    var lines = said(0, "threads", "history", "t", "--json").lines();
    var before =
        lines.stream()
            .filter(line -> line.contains("\"next\":[\"ask\"]"))
            .findFirst()
            .orElseThrow();
    var checkpoint = before.replaceAll(".*\"(?:id|checkpoint)\":\"([^\"]+)\".*", "$1");
    said(0, "threads", "fork", "t", "--as", "u", "--from", checkpoint);
    assertThat(said(0, "resume", "u", "--answer", "1=refuse").out()).startsWith("verdict: refuse");
  }

  @Test
  void events_and_questions_come_as_json() throws Exception {
    folder();
    var asked = said(ExitCodes.INTERRUPTED, "run", "claims", "--thread", "t", "--json");
    assertThat(asked.lines()).allMatch(line -> line.startsWith("{"));
    assertThat(asked.lines().getLast())
        .contains("\"type\":\"result\"", "\"answerType\":\"String\"", "\"source\":\"scripted\"")
        .contains("large=scripted://replies/large.json small=scripted://replies/small.json");
    desk.write("claims/desk.rag", DESK.replace("-> close", "-> clos"));
    var wrong = said(ExitCodes.USAGE, "resume", "t", "--json");
    assertThat(wrong.out()).startsWith("{\"type\":\"error\",\"code\":\"rag.invalid\"");
  }

  @Test
  void a_text_that_saves_nothing_runs_and_leaves_no_thread() throws Exception {
    desk.write(
        "quick.rag",
        """
        graph quick { checkpoint disabled output { said text } channel said overwrite start a
          node a { model "m" prompt "Read" into said } }
        """);
    var done = said(0, "run", "quick.rag", "--thread", "t", "--model", "scripted://replies.json");
    assertThat(done.out()).startsWith("said: read\n");
    said(ExitCodes.USAGE, "threads", "show", "t");
  }

  @Test
  void a_graph_of_several_is_named() throws Exception {
    desk.write(
        "two.rag",
        """
        graph one { output { said text } channel said overwrite start a
          node a { model "m" prompt "Read" into said } }
        graph two { output { said text } channel said overwrite start a
          node a { model "m" prompt "Close" into said } }
        """);
    var refused = said(ExitCodes.USAGE, "run", "two.rag", "--model", "scripted://replies.json");
    assertThat(refused.err()).contains("`one`, `two`", "--graph");
    var done =
        said(
            0,
            "run",
            "two.rag",
            "--graph",
            "two",
            "--thread",
            "t",
            "--model",
            "scripted://replies.json");
    assertThat(done.out()).startsWith("said: closed");
    assertThat(said(0, "graph", "two.rag", "--graph", "one").out()).startsWith("graph one");
    assertThat(said(0, "replay", "t").out()).contains("agree");
  }

  @Test
  @Tag("R41")
  void what_is_wrong_with_a_text_is_said_before_anything_runs() throws Exception {
    folder();
    desk.write(
        "claims/desk.rag",
        DESK.replace("\"small\"", "\"smal\"").replace("pay -> close", "pay -> clos"));
    var all = new StringBuilder();
    transcript(all, ExitCodes.USAGE, "run", "claims");
    desk.write("claims/desk.rag", DESK.replace("\"small\"", "\"smal\""));
    transcript(all, ExitCodes.USAGE, "run", "claims");
    transcript(all, ExitCodes.USAGE, "graph", "claims");
    transcript(all, ExitCodes.USAGE, "rag", "check", "claims/desk.rag");
    transcript(all, ExitCodes.USAGE, "run", "desk.rag", "--model", "scripted://replies.json");
    desk.write("list.json", "[1]");
    desk.write("typo.json", "{\"claimm\": 1}");
    for (var file : new String[] {"list.json", "typo.json", "none.json", "home"}) {
      transcript(
          all,
          ExitCodes.USAGE,
          "run",
          "desk.rag",
          "--input",
          file,
          "--model",
          "scripted://replies.json");
    }
    transcript(all, ExitCodes.USAGE, "run", "none.rag");
    transcript(all, ExitCodes.USAGE, "run", "letters", "--graph", "x");
    Golden.check("text-wrong.txt", all.toString());
  }

  @Test
  void a_node_that_fails_is_told_with_its_place_in_the_text() throws Exception {
    desk.write("one.json", "{\"replies\": [{\"when\": \"Close\", \"text\": \"x\"}]}");
    var failed =
        said(
            ExitCodes.PROVIDER,
            "run",
            "desk.rag",
            "--input",
            "claim.txt",
            "--model",
            "scripted://one.json",
            "--thread",
            "t");
    assertThat(failed.err()).contains("desk.rag:7:8: node `read` failed in step 1", "resume t");
    said(ExitCodes.INTERRUPTED, "resume", "t", "--model", "scripted://replies.json");
  }

  @Test
  void a_budget_of_the_folder_holds_over_resumptions() throws Exception {
    folder();
    toml("[limits]\nmodel_calls = 2\n");
    var replies = Files.readString(desk.folder().resolve("claims/replies/small.json"));
    desk.write("claims/replies/small.json", "{\"replies\": [{\"when\": \"?\", \"text\": \"x\"}]}");
    said(ExitCodes.PROVIDER, "run", "claims", "--thread", "t");
    desk.write("claims/replies/small.json", replies);
    said(ExitCodes.INTERRUPTED, "resume", "t");
    var failed = said(ExitCodes.BUDGET, "resume", "t", "--answer", "1=pay");
    assertThat(failed.err()).contains("node `close` failed").contains("2");
  }

  @Test
  void a_run_that_may_pass_the_limits_of_its_folder_is_refused_before_it_begins() throws Exception {
    folder();
    toml("[limits]\nmodel_calls = 1\n");
    var all = new StringBuilder();
    transcript(all, ExitCodes.BUDGET, "run", "claims", "--thread", "t");
    transcript(all, ExitCodes.BUDGET, "run", "claims", "--thread", "t", "--json");
    transcript(all, ExitCodes.USAGE, "threads", "show", "t");
    transcript(all, 0, "graph", "claims");
    toml("[limits]\nmodel_calls = 2\ntokens = 5_000\ncost = 0.5\ntasks = 2\n");
    transcript(all, ExitCodes.BUDGET, "run", "claims", "--thread", "t");
    var text = Files.readString(desk.folder().resolve("claims/desk.rag"));
    var bounded = text.replace("start read", "start read limits { tokens: 5000 }");
    desk.write("claims/desk.rag", bounded);
    toml("[limits]\nmodel_calls = 2\ntokens = 5_000\ntasks = 3\n");
    transcript(all, ExitCodes.INTERRUPTED, "run", "claims", "--thread", "t");
    desk.write("claims/desk.rag", text.replace("Close {claim}.", "Close it: {claim}."));
    transcript(all, ExitCodes.BUDGET, "resume", "t", "--answer", "1=pay", "--changed");
    desk.write("claims/desk.rag", bounded);
    transcript(all, 0, "resume", "t", "--answer", "1=pay");
    Golden.check("text-budget.txt", all.toString());
  }

  private void refused(StringBuilder all, String toml) throws IOException {
    desk.write("claims/superstep.toml", toml);
    var said = said(ExitCodes.USAGE, "run", "claims");
    all.append(toml).append("=> ").append(desk.neutral(said.err())).append('\n');
  }

  @Test
  void a_configuration_from_a_stranger_gets_nowhere() throws Exception {
    folder();
    desk.write("outside/secret.txt", "secret");
    java.nio.file.Files.createSymbolicLink(
        desk.folder().resolve("claims/link"), Path.of("../outside"));
    java.nio.file.Files.createSymbolicLink(
        desk.folder().resolve("claims/dangling"), desk.folder().resolve("outside/new"));
    var all = new StringBuilder();
    refused(all, "[graph]\nfile = \"../desk.rag\"\n");
    refused(all, "[graph]\ninput = \"link/secret.txt\"\n");
    refused(all, "[graph]\ninput = \"dangling\"\n");
    refused(all, "[prompts]\nread = \"/etc/passwd\"\n");
    refused(all, "[prompts]\nread = \"link/secret.txt\"\n");
    refused(all, "model = \"scripted://replies/small.json\"\n[prompts]\nread = \"none.txt\"\n");
    refused(all, "[tools]\nroot = \"link\"\n");
    refused(all, "[tools]\nroot = \".\"\nwrite = true\n");
    refused(all, "[tools]\nroot = \"prompts\"\nwrites = true\n");
    refused(
        all, "[prompts]\nread = \"prompts/read.txt\"\n[tools]\nroot = \"prompts\"\nwrite = true\n");
    refused(all, "[tools]\nwrite = true\n");
    refused(all, "[modles]\nsmall = \"openai://gpt-5.2\"\n");
    refused(all, "[models]\nsmall = 1\n");
    refused(all, "[models]\nsmall = \"gpt\"\n");
    refused(all, "[models]\nsmall = \"recorded:///etc/passwd\"\n");
    refused(all, "[models]\nsmall = \"scripted://link/secret.txt\"\n");
    refused(all, "[models]\nsmall = \"openai-compatible://http://evil.example/v1/m\"\n");
    refused(all, "[models]\nsmall = \"openai-compatible://http://me:secret@localhost/v1/m\"\n");
    refused(all, "[models]\n\"No Name\" = \"scripted://replies/small.json\"\n");
    refused(all, "[limits]\nmodel_calls = \"many\"\n");
    refused(all, "[limits]\nmodel_calls = -1\n");
    refused(all, "[limits]\nmodel_call = 1\n");
    refused(all, "[components]\nclass = \"X\"\nclasses = [\"../outside\"]\n");
    refused(all, "[program]\nclass = \"X\"\n[models]\nsmall = \"openai://gpt-5.2\"\n");
    desk.write("claims/other.rag", DESK);
    refused(all, "[prompts]\nread = \"prompts/read.txt\"\n");
    Golden.check("text-config.txt", all.toString());
  }
}
