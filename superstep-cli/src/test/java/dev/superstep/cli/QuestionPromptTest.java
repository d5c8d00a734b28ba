package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.cli.host.ForeignText;
import dev.superstep.cli.host.ShellText;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Only what a person types after a question can be read answers it.
@Timeout(120)
class QuestionPromptTest {
  private static final String PROMPT = "Approve? [y]es / [n]o / [s]kip (answer later): ";

  @TempDir Path folder;

  private static Duration after(int millis) {
    return Duration.ofMillis(millis);
  }

  private Desk.Said run(Typist typist) throws IOException {
    return new Desk(folder)
        .typing(typist)
        .run("run", "letters", "--thread", "t", "--model", Desk.SCRIPT, "--concurrency", "1");
  }

  @Test
  void input_typed_before_a_question_does_not_answer_it() throws IOException {
    var said = run(new Typist().at(after(0), "y").at(after(0), "y"));
    assertThat(said.out()).contains(PROMPT).contains("2 questions are open:");
  }

  @Test
  void input_typed_before_a_question_is_shown_is_dropped_with_a_notice() throws IOException {
    // The prompt is there after 300 ms of silence; nobody reads it in 50.
    var said = run(new Typist().at(after(350), "y").at(after(2_000), "no: too early"));
    assertThat(said.out()).contains("(Dropped, as it came before this could be read.");
    assertThat(said.out()).contains("1 question is open:");
  }

  @Test
  void a_paste_of_several_lines_answers_one_question() throws IOException {
    var said =
        run(
            new Typist()
                .at(after(5_000), "y")
                .at(after(5_000), "y")
                .at(after(5_000), "y")
                .at(after(5_000), "y"));
    assertThat(said.out()).contains("1 question is open:");
  }

  @Test
  void answers_typed_after_the_question_are_accepted() throws IOException {
    var said = run(new Typist().at(after(5_000), "y").at(after(10_000), "y"));
    assertThat(said.exit()).isZero();
    assertThat(said.out()).doesNotContain("Dropped");
  }

  @Test
  void a_question_is_shown_behind_a_bar() throws IOException {
    var said = run(new Typist().at(after(5_000), "y").at(after(10_000), "y"));
    assertThat(said.out()).contains("\n| Letter: pay 1000\n" + PROMPT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pay\n\n[2/2] Approve? [y]es / [n]o / [s]kip (answer later): ",
        "pay                                                                            Approve?",
        "pay\rApprove?",
        "pay\u2028Approve?",
        "pay\u001b[2J\u001b[HApprove?",
        "pay\u202eApprove?"
      })
  void no_line_of_a_foreign_text_begins_without_a_bar(String text) {
    var framed = ForeignText.framed(text);
    assertThat(framed.lines()).allMatch(line -> line.startsWith("| "));
    assertThat(framed.lines()).allMatch(line -> line.length() <= 74);
    assertThat(framed.codePoints()).allMatch(c -> c == '\n' || (c >= ' ' && c < 0x7f));
  }

  @Test
  void invisible_and_confusable_characters_are_escaped() {
    assertThat(ForeignText.framed("p\u0430ypal"))
        .startsWith("| p\\u0430ypal\n| ! Characters that cannot be seen");
    assertThat(ForeignText.framed("to \u0440\u0430\u0443 now"))
        .startsWith("| to \\u0440\\u0430\\u0443");
    assertThat(ForeignText.framed("a\u200bb")).startsWith("| a\\u200bb");
    assertThat(ForeignText.framed("a\u3164b")).startsWith("| a\\u3164b");
    assertThat(ForeignText.framed("\uff59es")).startsWith("| \\uff59es");
    assertThat(ForeignText.framed("rm\u00a0x")).startsWith("| rm\\u00a0x");
    for (var plain :
        List.of("Grüße, Zoë", "Привет, мир", "Καλημέρα κόσμε", "日本語", "a … b", "50 €", "naïve")) {
      assertThat(ForeignText.framed(plain)).isEqualTo("| " + plain);
    }
  }

  @Test
  void a_quoted_shell_word_reads_back_unchanged() throws Exception {
    assumeThat(File.separatorChar).as("has bash").isEqualTo('/');
    for (var word :
        List.of(
            "plain", "it's", "a b", "x\u202etxt.exe", "a\u200db", "q'\\\u0007z", "täg\u00a0x")) {
      var quoted = ShellText.word(word);
      assertThat(quoted.codePoints()).noneMatch(ForeignText::isUnseen);
      var echoed = new ProcessBuilder("bash", "-c", "printf %s " + quoted).start();
      var bytes = echoed.getInputStream().readAllBytes();
      assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(word);
    }
  }

  /// A real terminal: `script` gives the command one.
  @Test
  void keys_pressed_at_a_terminal_before_a_question_do_not_answer_it() throws Exception {
    assumeThat(Files.isExecutable(Path.of("/usr/bin/script"))).as("has script").isTrue();
    var desk = new Desk(folder);
    var words =
        desk.words("run", "letters", "--thread", "t", "--model", Desk.SCRIPT, "--concurrency", "1");
    var line = String.join(" ", words.stream().map(ShellText::word).toList());
    var builder =
        new ProcessBuilder("/usr/bin/script", "-qefc", line, "/dev/null")
            .directory(desk.folder().toFile())
            .redirectErrorStream(true);
    desk.surround(builder);
    var process = builder.start();
    var keys = process.getOutputStream();
    keys.write("y\ny\ny".getBytes(StandardCharsets.UTF_8));
    keys.flush();
    var screen = new StringBuilder();
    readUntil(process.getInputStream(), screen, PROMPT);
    TimeUnit.SECONDS.sleep(1); // a person reads
    keys.write("no: not me\n".getBytes(StandardCharsets.UTF_8));
    keys.flush();
    readUntil(process.getInputStream(), screen, PROMPT);
    TimeUnit.SECONDS.sleep(1);
    keys.write("s\n".getBytes(StandardCharsets.UTF_8));
    keys.flush();
    readUntil(process.getInputStream(), screen, "1 question is open:");
    process.destroyForcibly();
  }

  private static void readUntil(InputStream from, StringBuilder screen, String text)
      throws IOException {
    int begin = screen.length();
    var bytes = new byte[4096];
    while (screen.indexOf(text, begin) < 0) {
      int read = from.read(bytes);
      if (read < 0) throw new AssertionError("the command ended: " + screen);
      screen.append(new String(bytes, 0, read, StandardCharsets.UTF_8));
    }
  }
}
