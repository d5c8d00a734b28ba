package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `superstep rlm` with scripted models.
@Timeout(120)
class RlmTest {
  private static final String COUNT = "```\nhits = context.grep('pay')\nprint(len(hits))\n```";
  private static final String ASK = "```\nanswer(llm_query('Sum up: ' + str(len(hits))))\n```";

  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    script("driver.json", COUNT, ASK);
    script("leaf.json", "Two letters ask for money.");
  }

  private void script(String file, String... replies) throws IOException {
    var all = new ArrayList<String>();
    for (var reply : replies) all.add("{\"text\": " + Json.string(reply).text() + "}");
    desk.write(file, "{\"replies\": [" + String.join(",", all) + "]}");
  }

  private Desk.Said ask(String... options) {
    var words =
        new ArrayList<>(
            List.of(
                "rlm",
                "ask",
                "Who wants money?",
                "--force-rlm",
                "--model",
                "scripted://driver.json",
                "--leaf-model",
                "scripted://leaf.json"));
    words.addAll(List.of(options));
    return desk.run(words.toArray(String[]::new));
  }

  private Path contexts() {
    return desk.folder().resolve(".superstep/contexts");
  }

  @Test
  @Tag("S20")
  void a_question_about_a_folder_is_answered_on_standard_output() throws IOException {
    var said = ask("--context", "letters/inbox");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out()).isEqualTo("Two letters ask for money.\n");
    assertThat(said.err()).contains("2 cells, 3 model calls");
    try (var left = Files.list(contexts())) {
      assertThat(left).as("the copy of the text is cleaned up").isEmpty();
    }
  }

  @Test
  @Tag("S26")
  void what_ran_is_written_down_and_runs_again_without_a_model() throws IOException {
    desk.write("all.txt", "pay 1\nhello\npay 2\n");
    var said = ask("--context", "all.txt", "--trajectory", "run-1");
    assertThat(said.exit()).as(said.err()).isZero();
    var file = desk.folder().resolve("run-1/trajectory.jsonl");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    var again =
        desk.run("rlm", "replay", "run-1", "--context", "all.txt", "--viewer", "view.jsonl");
    assertThat(again.out()).isEqualTo("2 cells, the same as they were recorded\n");
    assertThat(again.exit()).isZero();
    assertThat(Files.readAllLines(desk.folder().resolve("view.jsonl")))
        .hasSize(3)
        .element(2)
        .asString()
        .contains("\"type\":\"iteration\"", "\"final_answer\":");
    desk.write("other.txt", "pay 1\n");
    var other = desk.run("rlm", "replay", "run-1", "--context", "other.txt");
    assertThat(other.exit()).isEqualTo(ExitCodes.FAILED);
    assertThat(other.out()).startsWith("Cell ");
  }

  @Test
  void a_run_that_failed_goes_on_without_asking_again() throws IOException {
    script("driver.json", COUNT);
    var failed = ask("--context", "letters/inbox");
    assertThat(failed.exit()).as(failed.err()).isNotZero();
    assertThat(failed.err()).contains("rlm ask --resume rlm-");
    try (var kept = Files.list(contexts())) {
      var permissions = Files.getPosixFilePermissions(kept.findFirst().orElseThrow());
      assertThat(PosixFilePermissions.toString(permissions)).isEqualTo("rw-------");
    }
    script("driver.json", ASK);
    var thread = failed.err().replaceAll("(?s).*--resume (\\S+).*", "$1");
    var said =
        desk.run(
            "rlm",
            "ask",
            "--resume",
            thread,
            "--model",
            "scripted://driver.json",
            "--leaf-model",
            "scripted://leaf.json");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out()).isEqualTo("Two letters ask for money.\n");
    assertThat(desk.run("resume", thread).err()).contains("rlm ask --resume " + thread);
  }

  @Test
  void a_stored_thread_reads_no_file_elsewhere_unless_the_user_names_it(@TempDir Path elsewhere)
      throws IOException {
    script("driver.json", COUNT);
    var secret = Files.writeString(elsewhere.resolve("secret.txt"), "pay 9\n").toString();
    var failed = ask("--context", secret);
    var thread = failed.err().replaceAll("(?s).*--resume (\\S+).*", "$1");
    script("driver.json", ASK);
    var resume =
        new ArrayList<>(
            List.of(
                "rlm",
                "ask",
                "--resume",
                thread,
                "--model",
                "scripted://driver.json",
                "--leaf-model",
                "scripted://leaf.json"));
    var refused = desk.run(resume.toArray(String[]::new));
    assertThat(refused.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(refused.err()).contains("error[context.not-agreed]", secret);
    resume.addAll(List.of("--context", secret));
    assertThat(desk.run(resume.toArray(String[]::new)).exit()).isZero();
  }

  @Test
  @Tag("S20")
  void a_short_text_is_read_by_the_model_itself_unless_programs_are_wanted() throws IOException {
    script("driver.json", "Two letters.", COUNT, ASK);
    var direct =
        desk.run(
            "rlm", "ask", "?", "--context", "letters/inbox", "--model", "scripted://driver.json");
    assertThat(direct.out()).isEqualTo("Two letters.\n");
    assertThat(direct.err()).contains("0 cells, 1 model calls");
    script("driver.json", COUNT, ASK);
    assertThat(ask("--context", "letters/inbox").err()).contains("2 cells");
  }

  @Test
  void a_budget_that_is_used_up_ends_with_its_own_exit_code() throws IOException {
    var said = ask("--context", "letters/inbox", "--max-tokens", "1");
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCodes.BUDGET);
  }

  @Test
  void nothing_goes_to_a_vendor_before_the_user_agrees() {
    var said =
        desk.variable("OPENAI_API_KEY", "sk-none")
            .run("rlm", "ask", "?", "--context", "letters/inbox", "--model", "openai://gpt-5.2");
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(said.err()).contains("nobody agreed");
    try (var left = Files.list(contexts())) {
      assertThat(left).isEmpty();
    } catch (IOException _) {
      // Not even the folder was made.
    }
  }

  @Test
  @Tag("S22")
  void a_file_configures_the_whole_run_and_what_is_typed_is_before_it() throws IOException {
    desk.write(
        "reader.json",
        """
        {"driver_model": "openai://gpt-5.2", "template": "context-explorer",
         "policy": {"turns": 1, "direct_tokens": 0}}
        """);
    var said = ask("--context", "letters/inbox", "--config", "reader.json");
    assertThat(said.exit()).as("one turn is not enough: " + said.err()).isEqualTo(ExitCodes.BUDGET);
    script("driver.json", COUNT, ASK);
    var more = ask("--context", "letters/inbox", "--config", "reader.json", "--max-turns", "2");
    assertThat(more.exit()).as(more.err()).isZero();
    assertThat(more.out()).isEqualTo("Two letters ask for money.\n");
  }

  @Test
  @Tag("S22")
  void a_file_cannot_ask_for_what_the_command_does_not_grant() throws IOException {
    desk.write("reader.json", "{\"driver_model\": \"scripted://driver.json\"}");
    var foreign =
        desk.run("rlm", "ask", "?", "--context", "letters/inbox", "--config", "reader.json");
    assertThat(foreign.err())
        .contains("error[model.not-agreed]", "If you trust it: --model scripted://driver.json");
    desk.write("reader.json", "{\"driver_model\": \"local://x\", \"tools\": [\"shell\"]}");
    assertThat(ask("--config", "reader.json").err()).contains("error[config.not-here]", "`tools`");
    desk.write("reader.json", "{\"driver_model\": \"local://x\", \"interpreter\": \"cpython\"}");
    assertThat(ask("--config", "reader.json").err()).contains("error[config.not-here]", "cpython");
    desk.write("reader.json", "{\"driver_model\": \"local://x\", \"policys\": {}}");
    assertThat(ask("--config", "reader.json").err())
        .contains("error[config.invalid]", "reader.json", "Did you mean `policy`?");
    assertThat(ask("--config", "none.json").err()).contains("error[config.unreadable]");
  }

  @Test
  void wrong_arguments_are_told_in_a_line() {
    assertThat(desk.run("rlm", "ask", "?", "--context", "nowhere").err())
        .contains("error[context.missing]");
    assertThat(desk.run("rlm", "ask", "--resume", "unknown").err()).contains("thread");
    assertThat(desk.run("rlm", "ask", "?", "--depth", "9").exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(desk.run("rlm", "replay", "nowhere").err()).contains("error[trajectory.missing]");
  }
}
