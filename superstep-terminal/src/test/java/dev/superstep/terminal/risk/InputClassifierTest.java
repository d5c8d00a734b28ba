package dev.superstep.terminal.risk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands told from sentences, without a model.
@Tag("C1")
@Tag("C2")
class InputClassifierTest {
  /// Programs of a usual machine; the list stands for a search of PATH, so that the figures are the
  /// same everywhere.
  private static final Set<String> INSTALLED =
      Set.of(
          "ls", "cat", "find", "grep", "sort", "cut", "make", "which", "kill", "who", "test",
          "watch", "split", "join", "head", "tail", "diff", "git", "curl", "wget", "tar", "gzip",
          "ssh", "scp", "rsync", "awk", "sed", "perl", "python3", "cp", "mv", "rm", "mkdir",
          "touch", "chmod", "chown", "ps", "top", "df", "du", "date", "echo", "printf", "uname",
          "id", "install", "file", "stat", "env", "sudo", "bash", "sh", "xargs", "tee", "tr", "wc",
          "uniq", "nl", "paste", "dd", "mount", "ping", "host", "last", "link", "man", "more",
          "less", "clear", "free", "uptime");

  @Test
  void commands_and_sentences_are_told_apart_better_than_by_two_rules() {
    var sentences = CommandLists.read("sentences.txt");
    var commands =
        List.of("harmless.txt", "harmless-2.txt", "destructive.txt", "destructive-2.txt");
    int[] kept = {0, 0};
    int total = 0;
    for (var name : commands) {
      for (var command : CommandLists.read(name)) {
        total++;
        if (kind(command) == InputKind.SHELL) kept[0]++;
        if (isCommandByTwoRules(command)) kept[1]++;
      }
    }
    long misread = sentences.stream().filter(each -> kind(each) == InputKind.SHELL).count();
    long misreadByTwo = sentences.stream().filter(InputClassifierTest::isCommandByTwoRules).count();
    System.out.printf(
        "long: commands kept %d of %d (two rules: %d); sentences misread %d of %d (two rules:"
            + " %d)%n",
        kept[0], total, kept[1], misread, sentences.size(), misreadByTwo);
    assertThat(100.0 * kept[0] / total).isGreaterThanOrEqualTo(98.0);
    assertThat(100.0 * misread / sentences.size()).isLessThanOrEqualTo(3.0);
    assertThat(kept[0]).isGreaterThan(kept[1]);
    assertThat(misread).isLessThan(misreadByTwo);
  }

  // The first word is installed, or there is an operator of the shell.
  private static boolean isCommandByTwoRules(String text) {
    return INSTALLED.contains(text.split("\\s+", 2)[0]) || text.matches("(?s).*[|;&<>$`].*");
  }

  private static InputKind kind(String text) {
    return InputClassifier.standard().classify(text, INSTALLED::contains).likely();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '\0',
      value = {
        "! find the file~SHELL~find the file",
        "!ls~SHELL~ls",
        "?ls -l~PROMPT~ls -l",
        "? what is this~PROMPT~what is this",
        "  ls -l  ~SHELL~ls -l"
      })
  void a_mark_forces_the_kind_and_is_removed(String line, InputKind kind, String text) {
    var result = InputClassifier.standard().classify(line, INSTALLED::contains);
    assertThat(result.kind()).isEqualTo(kind);
    assertThat(result.text()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", "\t\n"})
  void nothing_goes_to_the_shell(String line) {
    var result = InputClassifier.standard().classify(line, INSTALLED::contains);
    assertThat(result.kind()).isEqualTo(InputKind.SHELL);
    assertThat(result.patterns()).containsExactly("empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"restart nginx", "frobnicate"})
  void what_rules_do_not_tell_is_ambiguous_with_a_guess(String line) {
    var result = InputClassifier.standard().classify(line, INSTALLED::contains);
    assertThat(result.kind()).isEqualTo(InputKind.AMBIGUOUS);
    assertThat(result.likely()).isNotEqualTo(InputKind.AMBIGUOUS);
    assertThat(result.confidence()).isLessThan(0.7);
    assertThat(result.reasons()).isNotEmpty();
  }

  @Test
  void a_program_that_is_installed_only_here_is_a_command() {
    Predicate<String> programs = Set.of("frobnicate")::contains;
    var result = InputClassifier.standard().classify("frobnicate it", programs);
    assertThat(result.kind()).isEqualTo(InputKind.SHELL);
    assertThat(result.patterns()).containsExactly("known-program");
  }
}
