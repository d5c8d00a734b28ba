package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `superstep chat` with another program, and with a person whose terminal only adds lines.
@Timeout(120)
class ChatTest {
  @TempDir Path temp;
  private Desk desk;
  private Pal pal;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    pal = Pal.on(desk, 100);
  }

  private Desk.Said chat(String thread) {
    return desk.run("chat", "pal", "--model", Pal.MODEL, "--thread", thread);
  }

  private String shown(Desk.Said said) {
    return desk.neutral(said.out() + "--- stderr\n" + said.err())
        .replaceAll("\\d+ ms", "0 ms")
        .replaceAll("(?m)^superstep: compiled.*\n", "");
  }

  private static String question(Desk.Said said) {
    return said.out().replaceAll("(?s).*?\\n1 \\((\\w+)\\) .*", "$1");
  }

  @Test
  void piped_lines_are_messages_and_answers_are_all_of_standard_output() throws Exception {
    var said =
        desk.piping("Please note it.\n\nHello\n")
            .run("chat", "pal", "--model", Pal.MODEL, "--thread", "t");
    assertThat(said.exit()).isZero();
    assertThat(said.out()).isEqualTo("I noted it.\nHello yourself.\n");
    assertThat(pal.log("t")).containsExactly("a");
    Golden.check("chat-piped.txt", shown(said));
  }

  @Test
  void a_thread_goes_on_in_another_process_with_what_was_spent() {
    desk.piping("Hello\n");
    assertThat(chat("t").exit()).isZero();
    desk.typing("/history", "/cost", "Hello", "/cost", "/exit");
    var said = chat("t");
    assertThat(said.err()).contains("> Hello\n| Hello yourself.\n");
    assertThat(said.err()).contains("\n1 model call\n2 model calls\n");
    assertThat(said.err())
        .contains("resume with: ./superstep chat pal --model scripted://script.json --thread t");
  }

  @Test
  void an_approval_that_nobody_gives_ends_a_pipe_and_is_given_by_resume_in_another_process()
      throws Exception {
    var said =
        desk.piping("pay\nHello\n").run("chat", "pal", "--model", Pal.MODEL, "--thread", "t");
    assertThat(said.exit()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(said.out())
        .contains("| The agent calls pay {\"text\":\"17\"}")
        .contains("resume with: ./superstep resume t --model scripted://script.json");
    assertThat(pal.log("t")).isEmpty();
    var answered =
        desk.piping("")
            .spawn("resume", "t", "--model", Pal.MODEL, "--answer", question(said) + "=yes");
    assertThat(answered.exit()).as(answered.err()).isZero();
    assertThat(answered.out()).startsWith("It is paid.\n");
    assertThat(pal.log("t")).containsExactly("paid 17");
    assertThat(
            desk.piping("Hello\n").run("chat", "pal", "--model", Pal.MODEL, "--thread", "t").out())
        .isEqualTo("Hello yourself.\n");
  }

  @Test
  void a_no_with_a_reason_reaches_the_model() throws Exception {
    var said = desk.piping("pay\n").run("chat", "pal", "--model", Pal.MODEL, "--thread", "t");
    var no = desk.resume("t", "--answer", question(said) + "=no: too much");
    assertThat(no.exit()).isZero();
    assertThat(no.out()).startsWith("Then I do not pay.\n");
    assertThat(pal.log("t")).isEmpty();
  }

  @Test
  void without_a_folder_a_plain_agent_answers_and_its_thread_is_resumed_by_chat_alone() {
    var said = desk.piping("Hello\n").run("chat", "--model", Pal.MODEL, "--thread", "p");
    assertThat(said.exit()).isZero();
    assertThat(said.out()).isEqualTo("Hello yourself.\n");
    var resumed = desk.run("resume", "p", "--model", Pal.MODEL);
    assertThat(resumed.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(resumed.err()).contains("error[thread.chat]", "./superstep chat --thread p");
    var other = desk.piping("Hello\n").run("chat", "pal", "--model", Pal.MODEL, "--thread", "p");
    assertThat(other.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(other.err()).contains("error[thread.other-program]");
  }

  @Test
  void a_model_that_fails_ends_a_pipe_with_its_own_exit_code_and_the_turn_goes_on_later()
      throws Exception {
    desk.write("broken.json", "{\"replies\": [{\"when\": \"Hello\", \"text\": \"x\"}]}");
    var said =
        desk.piping("note\n")
            .run("chat", "pal", "--model", "scripted://broken.json", "--thread", "t");
    assertThat(said.exit()).isEqualTo(ExitCodes.PROVIDER);
    assertThat(said.err())
        .contains("finished work is saved; resume with: ./superstep chat pal --model");
    var again = desk.piping("").run("chat", "pal", "--model", Pal.MODEL, "--thread", "t");
    assertThat(again.exit()).isZero();
    assertThat(again.out()).isEqualTo("I noted it.\n");
    assertThat(pal.log("t")).containsExactly("a");
  }

  @Test
  void a_budget_that_is_used_up_ends_a_pipe_and_not_a_conversation() throws Exception {
    Pal.on(desk, 1);
    var said = desk.piping("note\n").run("chat", "pal", "--model", Pal.MODEL, "--thread", "t");
    assertThat(said.exit()).isEqualTo(ExitCodes.BUDGET);
    desk.typing("note", "Hello", "/exit");
    var typed = chat("u");
    assertThat(typed.exit()).isZero();
    assertThat(typed.err())
        .contains(
            "error[budget.", "/retry continues the turn", "(The previous turn is abandoned.)");
    assertThat(typed.out()).contains("| Hello yourself.");
  }

  @Test
  void json_has_a_line_for_each_turn_and_a_result() {
    var said =
        desk.piping("Hello\n").run("chat", "pal", "--model", Pal.MODEL, "--thread", "t", "--json");
    assertThat(said.exit()).isZero();
    assertThat(said.lines()).allMatch(line -> line.startsWith("{\"type\":\""));
    assertThat(said.lines())
        .contains(
            "{\"type\":\"turn\",\"outcome\":\"answered\",\"text\":\"Hello yourself.\",\"costs\":\"1"
                + " model call\"}");
    assertThat(said.lines().getLast()).startsWith("{\"type\":\"result\",\"outcome\":\"completed\"");
    var waits =
        desk.piping("pay\n").run("chat", "pal", "--model", Pal.MODEL, "--thread", "u", "--json");
    assertThat(waits.lines().getLast()).contains("\"outcome\":\"interrupted\",\"exit\":3");
  }

  @Test
  void what_is_no_agent_is_not_talked_to() throws Exception {
    var letters = desk.piping("Hello\n").run("chat", "letters", "--model", Pal.MODEL);
    assertThat(letters.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(letters.err()).contains("error[chat.no-agent]", "./superstep run letters");
    desk.write("desk.rag", "graph desk {}");
    var text = desk.run("chat", "desk.rag", "--model", Pal.MODEL);
    assertThat(text.err()).contains("error[chat.no-agent]", "./superstep run desk.rag");
  }

  @Test
  void a_person_approves_in_place_and_commands_have_suggestions() throws Exception {
    desk.typing(
        "pay",
        "y",
        "pay",
        "no: too dear",
        "/cst",
        "/threads",
        "/retry",
        "/help",
        "/new",
        "Hello",
        "//exit",
        "/exit");
    var said = chat("t");
    assertThat(said.exit()).isZero();
    assertThat(pal.log("t")).containsExactly("paid 17");
    Golden.check(
        "chat-typed.txt", shown(said).replaceAll("20\\d\\d-\\d\\d-\\d\\dT[0-9:]+Z", "TIME"));
  }

  @Test
  void text_of_models_and_tools_cannot_pass_for_text_of_the_command() throws Exception {
    desk.typing("evil", "deceive", "n", "/history", "/exit");
    var said = chat("t");
    assertThat(said.out() + said.err()).doesNotContain("\u001b", "\u0007", "\u202e");
    assertThat(said.out().lines().filter(line -> line.startsWith("> rm"))).isEmpty();
    Golden.check("chat-hostile.txt", shown(said));
  }

  @Test
  void an_approval_that_is_put_off_is_asked_again_or_given_up_by_the_next_message()
      throws Exception {
    desk.typing("pay", "l", "/retry", "l", "Hello", "/exit");
    var said = chat("t");
    assertThat(said.exit()).isZero();
    assertThat(said.err())
        .containsSubsequence(
            "(It waits for your answer",
            "(The last turn is resumed.)",
            "(The previous turn is abandoned.)");
    assertThat(said.out()).contains("| Hello yourself.");
    assertThat(pal.log("t")).isEmpty();
    desk.typing("pay", "l", "/exit");
    assertThat(chat("u").exit()).isEqualTo(ExitCodes.INTERRUPTED);
  }
}
