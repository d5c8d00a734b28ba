package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.screen.Pane;
import dev.superstep.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `superstep do` with a person at a terminal, seen through tmux.
@Timeout(300)
class DoPaneTest {
  private static final String MODEL = "scripted://talk.json";
  private static final Pane.Size USUAL = new Pane.Size(80, 24);

  /// Pushes an `a` into the input of the terminal, if there is one.
  private static final String PUSH =
      "perl -e 'open(T, q(+<), q(/dev/tty)); ioctl(T, 0x5412, q(a)); ioctl(STDIN, 0x5412, q(a))'";

  @TempDir Path temp;
  private Desk desk;

  @BeforeAll
  static void look_for_tmux() {
    Pane.assumeTmux();
  }

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
  }

  private void talk(String... commands) throws IOException {
    var replies = new ArrayList<String>();
    var steps = new ArrayList<String>();
    for (int i = 0; i < commands.length; i++) {
      steps.add("{\"description\":\"Do part " + (i + 1) + " of it\"}");
    }
    replies.add("{\"steps\":[" + String.join(",", steps) + "]}");
    for (var command : commands) {
      replies.add(
          "{\"commands\":[{\"command\":%s,\"explanation\":\"Does it.\"}],\"done\":true}"
              .formatted(Json.string(command).text()));
    }
    var texts = replies.stream().map(r -> "{\"text\":" + Json.string(r).text() + "}").toList();
    desk.write("talk.json", "{\"replies\":[" + String.join(",", texts) + "]}");
  }

  private Pane open(Pane.Size size) throws IOException {
    var variables = new HashMap<String, String>();
    variables.put("HOME", desk.folder().resolve("home").toString());
    variables.put("XDG_CONFIG_HOME", desk.folder().resolve("home").toString());
    variables.put("PATH", System.getenv("PATH"));
    var words = desk.words("do", "--model", MODEL, "see to it");
    return Pane.open(desk.folder(), size, variables, words);
  }

  private static String asks(Pane pane, String text) {
    return pane.await(s -> s.contains(text) && Pane.isAsking(s), "asks about " + text);
  }

  private static void begin(Pane pane) {
    asks(pane, "The plan:");
    pane.keys("a");
  }

  /// For every machine, and for the guide: without most of the rows between a question and what is
  /// kept at the bottom.
  private static String neutral(String screen) {
    return screen.replaceAll("in T\\d \\([^)]*\\)", "in TIER").replaceAll("\n{3,}", "\n\n");
  }

  @Test
  @Tag("C9")
  @Tag("C13")
  void a_conversation_goes_from_the_plan_to_its_end() throws IOException {
    talk("touch note.txt");
    try (var pane = open(new Pane.Size(120, 40))) {
      Golden.check("screens/do-plan.txt", neutral(asks(pane, "The plan:")));
      pane.keys("a");
      Golden.check("screens/do-command.txt", neutral(asks(pane, "| touch note.txt")));
      assertThat(desk.folder().resolve("note.txt")).doesNotExist();
      pane.keys("a");
      pane.await("(Finished)");
      assertThat(desk.folder().resolve("note.txt")).exists();
    }
  }

  @Test
  void a_command_cannot_press_keys_for_the_person() throws IOException {
    talk(PUSH, "touch note.txt");
    try (var pane = open(USUAL)) {
      begin(pane);
      asks(pane, "| perl");
      approve(pane);
      pane.await(s -> s.contains("Step 2") || s.contains("retry"), "the command has ended");
      var screen = pane.await(s -> Pane.isAsking(s) && !s.contains("| perl"), "asks");
      if (screen.contains("retry")) pane.keys("s");
      asks(pane, "Step 2: ");
      pane.keys("c");
      asks(pane, "| touch note.txt");
      pane.keys("x");
      asks(pane, "checked by nobody");
      assertThat(desk.folder().resolve("note.txt")).doesNotExist();
      pane.keys("q");
      pane.await("(Aborted)");
    }
    assertThat(desk.folder().resolve("note.txt")).doesNotExist();
  }

  /// Approves, also a command whose program has to be typed.
  private static void approve(Pane pane) {
    pane.keys("a");
    var next = pane.await(s -> s.contains("Type perl") || s.contains("(Running)"), "goes on");
    if (!next.contains("Type perl") || next.contains("(Running)")) return;
    pane.writes("run it: ", "perl").keys("Enter");
  }

  @Test
  @Tag("C20")
  void ctrl_c_stops_the_command_and_then_the_conversation() throws IOException {
    talk("sleep 300");
    try (var pane = open(USUAL)) {
      begin(pane);
      asks(pane, "| sleep 300");
      pane.keys("a");
      pane.await("(Running)");
      pane.keys("C-c");
      asks(pane, "The command did not succeed.");
      pane.keys("C-c");
      pane.await("(Aborted)");
      pane.awaitEnd();
    }
  }

  @Test
  void the_terminal_is_given_back_after_sigterm() throws Exception {
    talk("touch note.txt");
    try (var pane = open(USUAL)) {
      asks(pane, "The plan:");
      new ProcessBuilder("kill", "-TERM", pane.variable("pane_pid")).start().waitFor();
      pane.await("resume with: ./superstep do --resume ");
      pane.awaitEnd();
    }
    assertThat(Files.exists(desk.folder().resolve("note.txt"))).isFalse();
  }
}
