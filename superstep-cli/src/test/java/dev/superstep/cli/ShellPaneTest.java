package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.screen.Pane;
import dev.superstep.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `superstep shell` with a person at a terminal, seen through tmux.
@Timeout(300)
class ShellPaneTest {
  private static final Pane.Size USUAL = new Pane.Size(80, 24);
  private static final String PLAN = "{\"steps\":[{\"description\":\"Write a small note\"}]}";

  @TempDir Path temp;
  private Desk desk;

  @BeforeAll
  static void look_for_tmux() {
    Pane.assumeTmux();
  }

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    // A workspace whose name does not change.
    Files.createDirectories(desk.folder().resolve("work"));
    replies(PLAN, command("touch note.txt"));
  }

  private static String command(String command) {
    return "{\"commands\":[{\"command\":%s,\"explanation\":\"Does it.\"}],\"done\":true}"
        .formatted(Json.string(command).text());
  }

  private void replies(String... replies) throws IOException {
    var texts = new ArrayList<String>();
    for (var reply : replies) texts.add("{\"text\":" + Json.string(reply).text() + "}");
    desk.write("work/talk.json", "{\"replies\":[" + String.join(",", texts) + "]}");
  }

  private Pane open(Pane.Size size, String... more) throws IOException {
    var variables = new HashMap<String, String>();
    variables.put("HOME", desk.folder().resolve("home").toString());
    variables.put("XDG_CONFIG_HOME", desk.folder().resolve("home").toString());
    variables.put("PATH", System.getenv("PATH"));
    var words = new ArrayList<>(List.of("shell", "--model", "scripted://talk.json"));
    words.addAll(List.of(more));
    var all = desk.words(words.toArray(String[]::new));
    return Pane.open(desk.folder().resolve("work"), size, variables, all);
  }

  private static String prompts(Pane pane, String place) {
    return pane.await(screen -> isPrompting(screen, place), "prompts at " + place);
  }

  private static boolean isPrompting(String screen, String place) {
    var lines = screen.lines().filter(line -> !line.isBlank() && !isStatus(line)).toList();
    return !lines.isEmpty() && lines.getLast().equals(place + " $");
  }

  private static boolean isStatus(String line) {
    return line.startsWith("[") || line.startsWith("Next: ") || line.startsWith("(scripted)");
  }

  private static void enters(Pane pane, String text) {
    pane.writes("$ ", text).keys("Enter");
  }

  private static String asks(Pane pane, String text) {
    return pane.await(s -> s.contains(text) && Pane.isAsking(s), "asks about " + text);
  }

  @Test
  @Tag("C1")
  @Tag("W45")
  void commands_run_at_once_and_where_they_go_lasts() throws IOException {
    Files.createDirectories(desk.folder().resolve("work/letters"));
    try (var pane = open(USUAL)) {
      prompts(pane, "work");
      enters(pane, "cd letters");
      prompts(pane, "work/letters");
      enters(pane, "export GREETING=hello");
      pane.await(s -> s.contains("GREETING=hello\nwork/letters $"), "the next prompt");
      enters(pane, "!echo $GREETING");
      pane.await(s -> s.contains("$ !echo $GREETING\n  hello\n"), "the variable");
      prompts(pane, "work/letters");
      pane.keys("Up", "Up");
      pane.await("work/letters $ export GREETING=hello\n");
      pane.keys("Down");
      pane.await("work/letters $ !echo $GREETING\n");
      pane.keys("C-u");
      prompts(pane, "work/letters");
      pane.keys("C-d");
      pane.awaitEnd();
    }
  }

  @Test
  @Tag("C2")
  @Tag("C22")
  void sentences_begin_conversations_between_which_a_person_switches() throws IOException {
    replies(PLAN, PLAN, command("touch note.txt"));
    try (var pane = open(USUAL)) {
      prompts(pane, "work");
      enters(pane, "?note one");
      assertThat(asks(pane, "The plan:")).contains("[note-one] (Planning Complete)");
      pane.keys("l");
      prompts(pane, "work");
      enters(pane, "please write note two");
      asks(pane, "The plan:");
      pane.keys("a");
      var asked = asks(pane, "| touch note.txt");
      assertThat(asked).contains("[please-write-note-two] Step 1/1 (Command Suggested)");
      pane.keys("l");
      prompts(pane, "work");
      enters(pane, ":list");
      pane.await(s -> s.contains(" 1  [please") && s.contains(" 2  [note-one]"), "lists both");
      prompts(pane, "work");
      enters(pane, ":go note-one");
      assertThat(asks(pane, "The plan:")).contains("[note-one] (Planning Complete)");
      pane.keys("q");
      pane.await("[note-one] (Aborted)");
      prompts(pane, "work");
      enters(pane, ":go 1");
      asks(pane, "| touch note.txt");
      pane.keys("a");
      pane.await("[please-write-note-two] (Finished)");
      assertThat(desk.folder().resolve("work/note.txt")).exists();
      pane.keys("C-d");
      pane.awaitEnd();
    }
  }

  @Test
  void the_first_ctrl_c_stops_a_typed_command_and_no_conversation() throws IOException {
    try (var pane = open(USUAL)) {
      prompts(pane, "work");
      enters(pane, "?note one");
      asks(pane, "The plan:");
      pane.keys("l");
      prompts(pane, "work");
      for (int i = 1; i <= 2; i++) {
        enters(pane, "touch ran-" + i + "; sleep 300");
        var ran = desk.folder().resolve("work/ran-" + i);
        pane.await(_ -> Files.exists(ran), "the command runs");
        pane.keys("C-c");
        int times = i;
        pane.await(s -> s.split("stopped by a person", -1).length > times, "stopped " + i);
        prompts(pane, "work");
      }
      enters(pane, ":list");
      pane.await(" 1  [note-one] (Planning Complete)");
      prompts(pane, "work");
      pane.keys("C-d");
      pane.awaitEnd();
    }
  }

  @Test
  @Tag("C22")
  void the_status_stays_at_the_bottom_while_other_lines_scroll() throws IOException {
    try (var pane = open(USUAL)) {
      prompts(pane, "work");
      enters(pane, "?note one");
      Golden.check(
          "screens/shell-status.txt", asks(pane, "The plan:").replaceAll("\n{3,}", "\n\n"));
      pane.resize(new Pane.Size(40, 10));
      var small = pane.await(s -> Pane.isAsking(s) && s.contains("r another plan\n"), "wraps");
      assertThat(small).doesNotEndWith("plan\n");
      pane.resize(USUAL);
      pane.await(s -> Pane.isAsking(s) && s.contains("another plan  l later"), "is whole again");
      pane.keys("q");
      pane.await("[note-one] (Aborted)");
      prompts(pane, "work");
      pane.keys("C-d");
      pane.awaitEnd();
    }
  }

  @Test
  @Tag("C22")
  void plain_drawing_prints_each_status() throws IOException {
    try (var pane = open(new Pane.Size(200, 50), "--plain")) {
      pane.await("work $");
      enters(pane, "?note one");
      pane.await(s -> s.contains("The plan:") && s.endsWith(">\n"), "asks about the plan");
      pane.keys("a");
      pane.await(s -> s.contains("| touch note.txt") && s.endsWith(">\n"), "asks");
      pane.keys("a");
      pane.await(s -> s.contains("(Finished)") && s.endsWith("work $\n"), "is at its end");
      Golden.check(
          "screens/shell-plain.txt", pane.text().replaceAll("in T\\d \\([^)]*\\)", "in TIER"));
      pane.keys("C-d");
      pane.awaitEnd();
    }
  }
}
