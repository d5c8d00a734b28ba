package dev.superstep.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Approval is an act: what a person does after the whole command could be read.
@Tag("C13")
@Tag("TH12")
class ApprovalDialogTest {
  private static final ApprovalAnswer APPROVED = new ApprovalAnswer.Approve();
  private static final ApprovalAnswer LATER = new ApprovalAnswer.Later();

  static ApprovalView view(String script, String toType) {
    var always =
        new ApprovalView.Always(
            "allow rm build/**",
            "",
            List.of("rm build/a", "rm build/b"),
            List.of(
                new ApprovalView.Scope('s', "session"), new ApprovalView.Scope('p', "project")));
    return new ApprovalView(
        script,
        new ApprovalView.Head(
            new ApprovalView.Step("Step 1 of 2", "Remove the old build"),
            1,
            "medium",
            "T2 (bubblewrap), no network"),
        List.of("What it changes outside the workspace cannot be undone."),
        List.of(new ApprovalView.Quote("deletes files", "rm -r build", Style.WARNING)),
        List.of(new ApprovalView.Quote("deletes", "build", Style.PLAIN)),
        new ApprovalView.Prose("Removes the old build.", false),
        new ApprovalView.Offers(toType, true, "T3", always));
  }

  private static ApprovalAnswer ask(ScriptedDevice device, ApprovalView view) throws IOException {
    return Screen.on(device, Painter.Looks.NO_COLORS).ask(view);
  }

  private static ApprovalAnswer ask(ScriptedDevice device) throws IOException {
    return ask(device, view("rm -r build", ""));
  }

  private static ScriptedDevice device() {
    return new ScriptedDevice(80, 24);
  }

  @Test
  void a_key_that_is_pressed_on_its_own_after_the_question_approves() throws IOException {
    assertThat(ask(device().after(1_000, "a"))).isEqualTo(APPROVED);
  }

  @Test
  @Tag("C33")
  void enter_never_approves() throws IOException {
    assertThat(ask(device().after(1_000, "\r").after(1_000, "\r"))).isEqualTo(LATER);
  }

  @Test
  void keys_before_the_question_and_in_its_first_moment_are_dropped() throws IOException {
    var device = device().after(0, "a").after(50, "a").after(190, "a");
    assertThat(ask(device)).isEqualTo(LATER);
    assertThat(device.written()).contains("Keys that came before this could be read");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\na\n",
        "aa",
        "a\r",
        "\u001b[200~a\u001b[201~",
        // Ends the paste early, as far as marks can tell.
        "\u001b[200~x\u001b[201~a\u001b[201~",
        "\u001b[200~x\u001b[201~a\na\n",
        "\u001b[200~a",
        "\u009b200~a\u009b201~",
      })
  void pasted_text_approves_nothing(String pasted) throws IOException {
    assertThat(ask(device().after(1_000, pasted))).isEqualTo(LATER);
    assertThat(ask(device().after(1_000, pasted).after(5_000, "a"))).isEqualTo(APPROVED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001b[24;80R",
        "\u001b[?62;c",
        "\u001bP1$r0m\u001b\\",
        "\u001b]11;rgb:aaaa/aaaa/aaaa\u0007",
        "\u001b]52;c;YQ==\u001b\\",
        "\u001b_aaa\u001b\\",
        "\u0090aaa\u009c",
        "\u001b[Ia",
        "\u001ba",
      })
  void what_the_terminal_answers_to_queries_is_no_key(String answer) throws IOException {
    assertThat(ask(device().after(1_000, answer))).isEqualTo(LATER);
  }

  @Test
  @Tag("C17")
  void a_dangerous_command_is_approved_by_typing_its_name_and_not_by_pasting_it()
      throws IOException {
    var view = view("rm -r build", "rm");
    assertThat(ask(device().after(1_000, "a").after(1_000, "\r"), view)).isEqualTo(LATER);
    var wrong = device().after(1_000, "a").after(1_000, "").typing("rn\r");
    assertThat(ask(wrong, view)).isEqualTo(LATER);
    var pasted = device().after(1_000, "a").after(1_000, "rm").after(500, "\r");
    assertThat(ask(pasted, view)).isEqualTo(LATER);
    var early = device().after(1_000, "a").after(100, "r").after(100, "m").after(400, "\r");
    assertThat(ask(early, view)).isEqualTo(LATER);
    var right = device().after(1_000, "a").after(1_000, "").typing("rm\r");
    assertThat(ask(right, view)).isEqualTo(APPROVED);
  }

  @Test
  void a_long_command_is_approved_only_when_its_end_has_been_shown() throws IOException {
    var script =
        IntStream.rangeClosed(1, 30).mapToObj(i -> "echo " + i).collect(Collectors.joining("\n"));
    var view = view(script, "");
    var tall = new ScriptedDevice(200, 100).after(1_000, "a");
    assertThat(ask(tall, view)).isEqualTo(LATER);
    assertThat(tall.written()).contains("when you have seen the end").doesNotContain("echo 25");
    var half =
        new ScriptedDevice(200, 100).after(1_000, " ").after(200, "\u001b[A").after(200, "a");
    assertThat(ask(half, view)).isEqualTo(APPROVED);
    assertThat(half.written()).contains("echo 30");
  }

  @Test
  void a_command_is_wrapped_and_never_cut() throws IOException {
    var script = "x".repeat(500) + "END";
    var device = new ScriptedDevice(40, 50).after(1_000, "  ").after(1_000, "q");
    ask(device, view(script, ""));
    var shown = device.written().lines().filter(l -> l.startsWith("| ")).map(l -> l.substring(2));
    assertThat(shown.collect(Collectors.joining())).contains(script);
  }

  @Test
  void invisible_characters_are_shown() throws IOException {
    var device = device().after(1_000, "q");
    ask(device, view("rm a\u200bb\r\u202ec \u001b[2J\u00a0\u0430", ""));
    assertThat(device.written())
        .contains("| rm a\\u200bb\\u000d\\u202ec \\u001b[2J\\u00a0")
        .doesNotContain("\u200b", "\u202e", "\u001b[2J");
  }

  @Test
  void an_edited_command_is_given_back_and_not_approved() throws IOException {
    var device =
        device().after(1_000, "e").after(1_000, "").typing("\u007f\u007f\u007f\u007f\u007fx\r");
    assertThat(ask(device)).isEqualTo(new ApprovalAnswer.Edit("rm -r x"));
    var same = device().after(1_000, "e").after(1_000, "\r");
    assertThat(ask(same)).isEqualTo(LATER);
  }

  @Test
  void each_key_has_its_answer() throws IOException {
    assertThat(ask(device().after(1_000, "n"))).isEqualTo(new ApprovalAnswer.Next());
    assertThat(ask(device().after(1_000, "s"))).isEqualTo(new ApprovalAnswer.Skip());
    assertThat(ask(device().after(1_000, "b"))).isEqualTo(new ApprovalAnswer.Stricter());
    assertThat(ask(device().after(1_000, "q"))).isEqualTo(new ApprovalAnswer.Abort());
    assertThat(ask(device().after(1_000, "\u0003"))).isEqualTo(new ApprovalAnswer.Abort());
    var denied = device().after(1_000, "d").after(1_000, "").typing("no\r");
    assertThat(ask(denied)).isEqualTo(new ApprovalAnswer.Deny("no"));
  }

  @Test
  void facts_and_the_words_of_the_model_stand_apart() throws IOException {
    var device = device().after(1_000, "x").after(1_000, "q");
    ask(device);
    assertThat(device.written())
        .containsSubsequence(
            "Read from the command itself:",
            "deletes",
            "| build",
            "Said by the model, and checked by nobody:",
            "~ Removes the old build.");
  }

  @Test
  void the_model_is_asked_to_explain_by_a_second_key_and_not_twice() throws IOException {
    var twice = device().after(1_000, "x").after(1_000, "x");
    assertThat(ask(twice)).isEqualTo(new ApprovalAnswer.Explain());
    assertThat(twice.written()).contains("x again asks the model for more.");
    var view = view("rm -r build", "");
    var asked =
        new ApprovalView(
            view.script(),
            view.head(),
            view.warnings(),
            view.findings(),
            view.facts(),
            new ApprovalView.Prose("At length.", true),
            view.offers());
    var device = device().after(1_000, "x").after(1_000, "x").after(1_000, "q");
    assertThat(ask(device, asked)).isEqualTo(new ApprovalAnswer.Abort());
    assertThat(device.written()).contains("~ At length.").doesNotContain("x again");
  }

  @Test
  void a_rule_is_previewed_with_what_else_it_would_allow_and_needs_a_scope() throws IOException {
    var device = device().after(1_000, "A").after(1_000, "p");
    assertThat(ask(device)).isEqualTo(new ApprovalAnswer.Always('p'));
    assertThat(device.written())
        .containsSubsequence("| allow rm build/**", "| rm build/a", "| rm build/b", "s session");
    var back = device().after(1_000, "A").after(1_000, "q").after(1_000, "a");
    assertThat(ask(back)).isEqualTo(APPROVED);
  }
}
