package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.screen.Pane;
import dev.superstep.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `superstep do` as a process: with and without a terminal, in pipes, beside another, and when it
/// is told to end.
@Timeout(300)
class DoProcessTest {
  private static final String MODEL = "scripted://talk.json";
  private static final int WAIT_MAX_SECONDS = 60;

  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    assumeThat(Path.of("/usr/bin/setsid")).as("setsid").exists();
    desk = new Desk(temp);
    desk.variable("PATH", System.getenv("PATH"));
    talk("touch note.txt");
  }

  private void talk(String command) throws IOException {
    var plan = "{\"steps\":[{\"description\":\"Write a small note\"}]}";
    var reply =
        "{\"commands\":[{\"command\":%s,\"explanation\":\"Does it.\"}],\"done\":true}"
            .formatted(Json.string(command).text());
    var texts =
        "{\"text\":%s},{\"text\":%s}"
            .formatted(Json.string(plan).text(), Json.string(reply).text());
    desk.write("talk.json", "{\"replies\":[" + texts + "]}");
  }

  /// Without a controlling terminal, whoever starts the tests.
  private Process start(String... arguments) throws IOException {
    var words = new ArrayList<>(List.of("setsid", "--wait"));
    words.addAll(desk.words(arguments));
    var builder = new ProcessBuilder(words).directory(desk.folder().toFile());
    desk.surround(builder);
    builder.redirectError(desk.folder().resolve("stderr.txt").toFile());
    return builder.start();
  }

  private Desk.Said say(String... arguments) throws Exception {
    var process = start(arguments);
    process.getOutputStream().close();
    return desk.ended(process);
  }

  private Pane pane(String... words) throws IOException {
    Pane.assumeTmux();
    var variables = new HashMap<String, String>();
    variables.put("HOME", desk.folder().resolve("home").toString());
    variables.put("XDG_CONFIG_HOME", desk.folder().resolve("home/.config").toString());
    variables.put("PATH", System.getenv("PATH"));
    return Pane.open(desk.folder(), new Pane.Size(100, 30), variables, List.of(words));
  }

  private String id() {
    return desk.run("threads", "list").out().replaceAll("(?s).*?([0-9a-f-]{36}).*", "$1");
  }

  @Test
  void without_a_terminal_a_command_waits_for_a_person() throws Exception {
    var said = say("do", "--model", MODEL, "write it");
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(said.err()).contains("resume with: ./superstep do --resume");
    assertThat(desk.folder().resolve("note.txt")).doesNotExist();
  }

  @Test
  void standard_input_is_context_and_answers_come_from_the_terminal() throws Exception {
    var words = new ArrayList<>(List.of("sh", "-c", "echo 'some data' | \"$@\"", "sh"));
    words.addAll(desk.words("do", "--model", MODEL, "write it"));
    try (var pane = pane(words.toArray(String[]::new))) {
      pane.await(s -> s.contains("The plan:") && Pane.isAsking(s), "asks");
      pane.keys("a");
      var asked = pane.await(s -> s.contains("| touch note.txt") && Pane.isAsking(s), "asks");
      assertThat(asked).contains("standard input");
      pane.keys("a");
      pane.await("(Finished)");
      pane.awaitEnd();
    }
    assertThat(desk.folder().resolve("note.txt")).exists();
  }

  /// Threat 20.
  @Test
  void a_second_terminal_reads_along_and_changes_nothing() throws Exception {
    try (var pane = pane(desk.words("do", "--model", MODEL, "write it").toArray(String[]::new))) {
      pane.await(s -> s.contains("The plan:") && Pane.isAsking(s), "asks");
      var second = start("do", "--model", MODEL, "--resume", id());
      second.getOutputStream().close();
      var told = desk.folder().resolve("stderr.txt");
      pane.await(_ -> text(told).contains("Next: accept or edit the plan"), "it reads along");
      assertThat(text(told)).contains("Another terminal has this conversation; here it can only");
      pane.keys("a");
      pane.await(s -> s.contains("| touch note.txt") && Pane.isAsking(s), "asks");
      pane.await(_ -> text(told).contains("(Command Suggested)"), "it follows");
      assertThat(desk.folder().resolve("note.txt")).doesNotExist();
      pane.keys("a");
      pane.await("(Finished)");
      var said = desk.ended(second);
      assertThat(said.exit()).as(said.err()).isZero();
      assertThat(said.err()).contains("(Finished)");
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  @Tag("W45")
  void sigterm_ends_the_command_that_runs_and_says_how_to_go_on() throws Exception {
    talk("touch began; sleep 300; touch after");
    var process = start("do", "--max-risk", "medium", "--model", MODEL, "wait");
    process.getOutputStream().close();
    var began = desk.folder().resolve("began");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_MAX_SECONDS);
    while (!Files.exists(began)) {
      assertThat(System.nanoTime()).as(text(desk.folder().resolve("stderr.txt"))).isLessThan(end);
      Thread.onSpinWait();
      assertThat(process.isAlive()).isTrue();
    }
    var children = process.descendants().toList();
    assertThat(children).isNotEmpty();
    assertThat(process.toHandle().destroy()).isTrue();
    var said = desk.ended(process);
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(said.err()).contains("resume with: ./superstep do --resume");
    for (var child : children) {
      child.onExit().get(WAIT_MAX_SECONDS, TimeUnit.SECONDS);
    }
    // What was stopped is not done again by itself.
    var resumed = say("do", "--max-risk", "medium", "--model", MODEL, "--resume", id());
    assertThat(resumed.exit()).isNotEqualTo(ExitCodes.COMPLETED);
    assertThat(resumed.err()).containsAnyOf("(Interrupted)", "(Failed)");
    assertThat(desk.folder().resolve("after")).doesNotExist();
  }

  @Test
  void a_reader_that_goes_away_changes_nothing_about_the_run() throws Exception {
    var words = new ArrayList<String>();
    words.addAll(List.of("setsid", "--wait", "bash", "-c", "\"$@\" | true; exit ${PIPESTATUS[0]}"));
    words.add("bash");
    words.addAll(desk.words("do", "--json", "--max-risk", "medium", "--model", MODEL, "write it"));
    var builder = new ProcessBuilder(words).directory(desk.folder().toFile());
    desk.surround(builder);
    builder.redirectError(desk.folder().resolve("stderr.txt").toFile());
    var process = builder.start();
    process.getOutputStream().close();
    var said = desk.ended(process);
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(desk.folder().resolve("note.txt")).exists();
  }
}
