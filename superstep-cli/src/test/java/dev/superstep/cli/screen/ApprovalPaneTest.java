package dev.superstep.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.testkit.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The question about a command, on a real terminal.
@Timeout(300)
class ApprovalPaneTest {
  private static final Pane.Size USUAL = new Pane.Size(80, 24);
  private static final Golden GOLDEN = Golden.in("golden/screens");

  @TempDir Path folder;

  @BeforeAll
  static void look_for_tmux() {
    Pane.assumeTmux();
  }

  private Pane open(Pane.Size size, Map<String, String> variables, String script, String... more)
      throws IOException {
    var file = Files.writeString(folder.resolve("script"), script);
    var words = Pane.java(DialogProgram.class, file.toString());
    words.addAll(List.of(more));
    return Pane.open(folder, size, variables, words);
  }

  private static String lines(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> "echo line " + i)
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @CsvSource({"80,24", "40,10", "200,50"})
  void the_question_fits_on_a_screen(int columns, int rows) throws IOException {
    var name = columns + "x" + rows;
    var script = "find . -name '*.log' -mtime +30 -print0 | xargs -0 rm -f -- # old logs\u202e";
    try (var pane = open(new Pane.Size(columns, rows), Map.of(), script)) {
      var asked = pane.awaitPrompt();
      GOLDEN.check("approval-" + name + ".txt", asked);
      pane.keys("x");
      var facts = pane.await(s -> Pane.isAsking(s) && !s.equals(asked), "facts");
      if (!facts.contains("~ Removes")) pane.keys("End");
      GOLDEN.check(
          "explained-" + name + ".txt",
          pane.await(s -> Pane.isAsking(s) && s.contains("~ Removes the old build."), "end"));
      pane.keys("q");
      pane.await("answer: Abort");
    }
  }

  @Test
  void a_question_is_drawn_anew_when_the_size_changes() throws IOException {
    try (var pane = open(USUAL, Map.of(), "rm -r build && echo " + "x".repeat(90))) {
      pane.awaitPrompt();
      pane.resize(new Pane.Size(40, 10));
      GOLDEN.check(
          "resized-40x10.txt", pane.await(s -> Pane.isAsking(s) && s.contains("scrolls"), "wraps"));
      pane.resize(USUAL);
      GOLDEN.check(
          "resized-80x24.txt",
          pane.await(s -> Pane.isAsking(s) && !s.contains("scrolls"), "whole"));
      pane.keys("a");
      pane.await("answer: Approve");
    }
  }

  @Test
  void a_long_command_has_to_be_scrolled() throws IOException {
    try (var pane = open(USUAL, Map.of(), lines(30))) {
      pane.awaitPrompt();
      pane.keys("a");
      GOLDEN.check("long-begin.txt", pane.await("seen the end"));
      pane.keys("End");
      GOLDEN.check("long-end.txt", pane.await("echo line 30"));
      pane.keys("a");
      pane.await("answer: Approve");
    }
  }

  @Test
  void a_paste_into_the_question_approves_nothing() throws IOException {
    try (var pane = open(USUAL, Map.of(), "rm -r build")) {
      pane.awaitPrompt();
      pane.pastes("a\na\n");
      pane.await("Pasted text answers nothing");
      pane.keys("x");
      pane.await(
          s -> Pane.isAsking(s) && s.contains("checked by nobody") && !s.contains("Pasted"),
          "explained");
      pane.types("a\na\n");
      pane.await("Pasted text answers nothing");
      pane.keys("q");
      pane.await("answer: Abort");
    }
  }

  @Test
  void type_ahead_approves_nothing() throws IOException {
    try (var pane = open(USUAL, Map.of("EARLY", "1"), "rm -r build")) {
      pane.await("ready");
      pane.keys("a", "a", "a", "Enter", "a", "a");
      pane.awaitPrompt();
      pane.keys("q");
      assertThat(pane.await("answer: ")).contains("answer: Abort");
    }
  }

  @Test
  @Tag("C17")
  void a_dangerous_command_is_approved_by_typing() throws IOException {
    try (var pane = open(USUAL, Map.of(), "rm -r build", "rm")) {
      pane.awaitPrompt();
      pane.keys("a");
      pane.await("Type rm and press Enter");
      pane.keys("r");
      pane.await("run it: r\n");
      pane.keys("m");
      GOLDEN.check("typed.txt", pane.await("run it: rm\n"));
      pane.keys("Enter");
      pane.await("answer: Approve");
    }
  }

  @Test
  void without_colors_the_words_are_the_same() throws IOException {
    try (var pane = open(USUAL, Map.of("NO_COLOR", "1"), "rm -r build")) {
      GOLDEN.check("no-color.txt", pane.awaitPrompt());
      pane.keys("q");
      pane.await("answer: Abort");
    }
  }

  @Test
  void plain_drawing_only_adds_lines() throws IOException {
    try (var pane = open(USUAL, Map.of("PLAIN", "1"), "rm -r build")) {
      pane.awaitPrompt();
      pane.keys("x");
      pane.await(s -> s.endsWith(">\n") && s.contains("checked by nobody"), "explained");
      pane.keys("q");
      pane.await("answer: Abort");
      GOLDEN.check("plain.txt", pane.history());
    }
  }
}
