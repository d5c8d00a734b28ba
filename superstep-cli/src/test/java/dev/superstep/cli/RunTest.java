package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunTest {
  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
  }

  private Desk.Said run(String... more) {
    return desk.run(with(new String[] {"run", "letters", "--model", Desk.SCRIPT}, more));
  }

  private static String[] with(String[] first, String... more) {
    var all = java.util.Arrays.copyOf(first, first.length + more.length);
    System.arraycopy(more, 0, all, first.length, more.length);
    return all;
  }

  @Test
  void with_yes_a_run_completes_and_says_where_the_report_is() throws Exception {
    var said = run("--yes", "--thread", "t");
    assertThat(said.exit()).isZero();
    assertThat(said.lines())
        .containsExactly(
            "report: " + desk.folder().resolve("superstep-out/t/report.txt"), "thread: t");
    assertThat(desk.report("t")).isEqualTo("hello: fine\npay 1000: sent\npay 2000: sent\n");
    assertThat(said.err())
        .contains("superstep: thread t, model scripted://script.json (--model)\n");
  }

  @Test
  void without_an_answer_a_run_is_interrupted_and_prints_the_command_to_resume() throws Exception {
    var said = run();
    assertThat(said.exit()).isEqualTo(ExitCodes.INTERRUPTED);
    Golden.check("interrupted.txt", desk.neutral(said.out() + "--- stderr\n" + said.err()));
  }

  @Test
  void the_printed_command_finishes_the_run_without_repeating_finished_work() throws Exception {
    run("--thread", "t");
    var said = desk.resume("t", "--yes");
    assertThat(said.exit()).isZero();
    assertThat(desk.report("t")).isEqualTo("hello: fine\npay 1000: sent\npay 2000: sent\n");
    assertThat(desk.log("t").stream().filter("hello"::equals)).hasSize(1);
  }

  @Test
  void answers_are_named_by_id_or_by_position() throws Exception {
    var open = run("--thread", "t").lines().stream().filter(l -> l.startsWith("2 (")).toList();
    var id = open.getFirst().replaceAll(".*\\((\\w+)\\).*", "$1");
    var said = desk.resume("t", "--answer", "1=no: too much", "--answer", id + "=yes");
    assertThat(said.exit()).isZero();
    assertThat(desk.report("t")).contains("pay 1000: kept because too much", "pay 2000: sent");
  }

  @Test
  void a_position_is_refused_once_a_question_of_the_step_is_answered() throws Exception {
    run("--thread", "t");
    assertThat(desk.resume("t", "--answer", "1=yes").exit()).isEqualTo(ExitCodes.INTERRUPTED);
    var said = desk.resume("t", "--answer", "1=yes");
    assertThat(said.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.err())
        .containsPattern("error\\[answer.position]: .* Name its id: [a-z0-9]{10}\\.");
    var id = said.err().replaceAll("(?s).*Name its id: (\\w+)\\..*", "$1");
    assertThat(desk.resume("t", "--answer", id + "=no").exit()).isZero();
    assertThat(desk.report("t")).contains("pay 1000: sent", "pay 2000: kept");
  }

  @Test
  void a_typed_answer_is_stored_before_the_next_question_is_asked() throws Exception {
    desk.crashing("y");
    var said = run("--thread", "t");
    assertThat(said.exit()).isEqualTo(ExitCodes.FAILED);
    var open = desk.piping("").resume("t");
    assertThat(open.out()).contains("1 question is open:", "Letter: pay 2000");
  }

  @Test
  void threads_with_similar_names_have_folders_of_their_own() {
    for (var thread : new String[] {"a/b", "a b", "a_b"}) run("--thread", thread, "--yes");
    assertThat(desk.folder().resolve("superstep-out").toFile().list()).hasSize(3).contains("a_b");
  }

  @Test
  void a_resumed_thread_may_write_its_results_elsewhere() throws Exception {
    run("--thread", "t");
    var open = desk.resume("t", "--output", "new");
    assertThat(open.out()).contains("./superstep resume t --output new --model");
    assertThat(desk.resume("t", "--output", "new", "--yes").exit()).isZero();
    assertThat(desk.folder().resolve("new/report.txt")).exists();
  }

  @Test
  void the_folder_of_a_thread_is_printed_before_its_code_runs() throws Exception {
    run("--thread", "t");
    desk.config("[program]\nclass = \"dev.example.Missing\"\ninput = \"inbox\"\n");
    assertThat(desk.neutral(desk.resume("t").err()))
        .startsWith("superstep: thread t of DESK/letters\nerror[program.class]");
  }

  @Test
  void answers_may_come_with_the_run_or_on_standard_input() throws Exception {
    var said =
        desk.piping("2=no\n\n")
            .run(
                "run",
                "letters",
                "--model",
                Desk.SCRIPT,
                "--thread",
                "t",
                "--answer",
                "1=yes",
                "--answers",
                "-");
    assertThat(said.exit()).isZero();
    assertThat(desk.report("t")).contains("pay 1000: sent", "pay 2000: kept");
  }

  @Test
  void an_answer_to_no_question_is_refused_and_nothing_is_lost() throws Exception {
    var said = run("--thread", "t", "--answer", "9=yes");
    assertThat(said.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.err())
        .contains("error[answer.unknown]: There is no open question `9`. Open: 1 (")
        .contains("resume with: ./superstep resume t");
    assertThat(desk.resume("t", "--yes").exit()).isZero();
    assertThat(desk.log("t").stream().filter("hello"::equals)).hasSize(1);
  }

  @Test
  void an_answer_of_the_wrong_shape_is_refused_and_nothing_is_stored() throws Exception {
    var said = run("--thread", "t", "--answer", "1=perhaps", "--answer", "2=yes");
    assertThat(said.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.err())
        .contains("cannot be answered by `perhaps`. Answer yes, no, or \"no: reason\".");
    assertThat(desk.resume("t").out()).contains("2 questions are open:");
  }

  @Test
  void a_person_at_a_terminal_is_asked_and_may_give_a_reason_or_skip() throws Exception {
    var said =
        desk.typing("what?", "n", "too much", "s")
            .run("run", "letters", "--model", Desk.SCRIPT, "--thread", "t");
    assertThat(said.exit()).isEqualTo(ExitCodes.INTERRUPTED);
    Golden.check("asked.txt", desk.neutral(said.out()));
    assertThat(desk.typing("y").resume("t").exit()).isZero();
    assertThat(desk.report("t")).contains("pay 1000: kept because too much", "pay 2000: sent");
  }

  @Test
  void other_answers_are_asked_as_json_until_they_fit() throws Exception {
    desk.letter("d.txt", "price of ink");
    var said =
        desk.typing("{", "\"cheap\"", "12")
            .run("run", "letters", "--model", Desk.SCRIPT, "--thread", "t", "--yes");
    assertThat(said.exit()).as(said.out() + said.err()).isZero();
    assertThat(desk.report("t")).contains("price of ink: 12");
    assertThat(said.out()).contains("Answer as JSON (Integer)", "Not a JSON");
  }

  @Test
  void the_end_of_the_input_leaves_all_answers_for_later() {
    var said = desk.typing().run("run", "letters", "--model", Desk.SCRIPT, "--thread", "t");
    assertThat(said.exit()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(said.out()).containsOnlyOnce("Approve?").contains("2 questions are open:");
  }

  @Test
  void text_from_outside_cannot_command_the_terminal() throws Exception {
    desk.letter("b.txt", "pay \u001b]52;c;ZXZpbA==\u0007 \u202e1");
    assertThat(run().out()).contains("pay \\u001b]52;c;ZXZpbA==\\u0007 \\u202e1");
  }

  @Test
  void a_thread_that_waits_takes_no_new_run() {
    run("--thread", "t");
    var said = run("--thread", "t");
    assertThat(said.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.err())
        .contains("error[thread.unfinished]: Thread `t` has work left")
        .contains("./superstep resume t");
  }

  @Test
  void a_finished_thread_refuses_a_new_run_and_prints_its_result_again() {
    run("--thread", "t", "--yes");
    assertThat(run("--thread", "t").err()).contains("error[thread.exists]: Thread `t` has run");
    var said = desk.resume("t");
    assertThat(said.exit()).isZero();
    assertThat(said.out()).startsWith("report: ");
  }

  @Test
  void a_failed_node_is_a_one_line_error_and_the_thread_can_resume() throws Exception {
    desk.letter("d.txt", "gibberish");
    var said = run("--thread", "t", "--yes");
    assertThat(said.exit()).isEqualTo(ExitCodes.PROVIDER);
    // Its siblings run beside it, so the number of calls before the failing one varies.
    var told = desk.neutral(said.err()).replaceFirst("end: \\d calls", "end: N calls");
    Golden.check("node-failed.txt", told);
    desk.write(
        "script.json",
        """
        {"replies": [{"when": "pay", "text": "risky"}, {"when": "gibberish", "text": "fine"}]}
        """);
    var again = desk.resume("t", "--yes");
    assertThat(again.exit()).as(again.err()).isZero();
    assertThat(desk.log("t").stream().filter("hello"::equals)).hasSize(1);
  }

  @Test
  void stack_traces_are_shown_with_debug_only() throws Exception {
    desk.letter("d.txt", "gibberish");
    assertThat(run("--thread", "t").err()).doesNotContain("\tat ");
    assertThat(run("--thread", "u", "--debug").err()).contains("\tat dev.superstep.graph");
  }

  @Test
  void a_report_that_cannot_be_written_loses_nothing() throws Exception {
    desk.write("taken", "a file where the folder should be");
    var said = run("--thread", "t", "--yes", "--output", "taken");
    assertThat(said.exit()).isEqualTo(ExitCodes.FAILED);
    assertThat(said.err()).contains("error[graph.node-failed]: Node `settle` failed in step 2");
    Files.delete(desk.folder().resolve("taken"));
    assertThat(desk.resume("t", "--yes").exit()).isZero();
  }

  @Test
  void a_made_up_thread_name_can_be_read_and_typed() {
    assertThat(run().out()).containsPattern("thread: letters-20261121-2218-[a-z0-9]{4}\n");
  }

  @Test
  void a_store_elsewhere_is_part_of_the_printed_command() {
    var said = run("--thread", "it's", "--store", "my store.db");
    assertThat(said.out()).contains("./superstep resume 'it'\\''s' --store 'my store.db' --model");
    assertThat(desk.resume("it's", "--store", "my store.db", "--yes").exit()).isZero();
  }
}
