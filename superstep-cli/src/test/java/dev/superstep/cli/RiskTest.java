package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Questions that nobody should approve unseen.
class RiskTest {
  private static final Pattern ID = Pattern.compile("(?m)^1 \\(([a-z0-9]{10})\\) review");

  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    desk.config("[program]\nclass = \"dev.superstep.cli.ToolsProgram\"\ninput = \"inbox\"\n");
  }

  private Desk.Said run(int exit, String... arguments) {
    var said = desk.run(arguments);
    assertThat(said.exit()).as(said.out() + said.err()).isEqualTo(exit);
    return said;
  }

  private static String id(String out) {
    var found = ID.matcher(out);
    assertThat(found.find()).as(out).isTrue();
    return found.group(1);
  }

  private String begin(String... more) {
    var words = new java.util.ArrayList<>(java.util.List.of("run", "letters", "--thread", "t"));
    words.addAll(java.util.List.of("--model", Desk.SCRIPT));
    words.addAll(java.util.List.of(more));
    return run(ExitCodes.INTERRUPTED, words.toArray(String[]::new)).out();
  }

  @Test
  void a_call_of_a_tool_is_shown_with_a_command_for_itself_and_no_blanket_yes() {
    var out = begin();
    assertThat(out)
        .contains("risky: an agent would call delete_file", "--answer " + id(out) + "=yes\n")
        .doesNotContain("--yes");
    var shown = run(0, "threads", "show", "t").out();
    assertThat(shown)
        .contains("risky: an agent would call delete_file", "--answer " + id(shown) + "=yes\n")
        .doesNotContain("--yes");
    assertThat(run(0, "threads", "show", "t", "--json").out())
        .contains("\"risks\":{\"" + id(shown) + "\":\"an agent would call delete_file\"}");
  }

  @Test
  void a_plain_yes_approves_no_call_of_a_tool() {
    var before = id(begin("--yes"));
    var said = desk.resume("t", "--yes");
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(id(said.out())).isEqualTo(before);
  }

  @Test
  void the_explicit_yes_names_what_it_approves_and_covers_what_is_open_now() {
    var first = id(begin());
    var said = desk.resume("t", "--yes-risky");
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(said.err())
        .contains("approves " + first + " review (an agent would call delete_file): ")
        .contains("0.txt");
    assertThat(id(said.out())).isNotEqualTo(first);
    assertThat(said.out()).contains("1.txt");
    var done = desk.resume("t", "--yes-risky");
    assertThat(done.exit()).as(done.err()).isZero();
    assertThat(done.out()).contains("Both are gone.");
  }

  @Test
  void a_call_is_approved_or_refused_by_a_word() {
    var first = id(begin());
    var said = desk.resume("t", "--answer", first + "=no: keep that one");
    var second = id(said.out());
    assertThat(desk.resume("t", "--answer", second + "=yes").exit()).isZero();
    var events = run(0, "events", "t", "--kind", "node.emitted").out();
    assertThat(events).contains("tool.denied", "tool.completed");
  }

  @Test
  void a_question_of_a_program_has_its_own_command_and_still_takes_the_flag() throws Exception {
    desk.config("[program]\nclass = \"dev.superstep.cli.LettersProgram\"\ninput = \"inbox\"\n");
    assertThat(begin()).contains("=yes\n").doesNotContain("--yes", "risky");
    assertThat(desk.resume("t", "--yes").exit()).isZero();
  }
}
