package dev.superstep.terminal.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.language.Span;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The tree that comes of shell text.
@Tag("W45")
class ShellScriptTest {
  @Test
  void quotes_and_backslashes_are_removed_from_words() {
    assertThat(literals("r\\m 'a b'\"c d\" $'\\x41\\n\\101' ''"))
        .containsExactly("rm", "a bc d", "A\nA", "");
  }

  @Test
  void each_part_of_a_word_knows_its_place() {
    var script = ShellScript.parse("echo a\"$B\"c");
    var word = simple(script).words().get(1);
    assertThat(word.raw()).isEqualTo("a\"$B\"c");
    assertThat(word.literal()).isEmpty();
    assertThat(word.dynamicParts()).hasSize(1);
    assertThat(script.source().text(word.dynamicParts().getFirst().span())).isEqualTo("$B");
    assertThat(word.span()).isEqualTo(new Span(5, 11));
  }

  @Test
  void operators_join_commands() {
    var items = ShellScript.parse("a && b || c; d & e | f |& g").body().items();
    assertThat(items.stream().map(ShellCommand.Item::operator))
        .containsExactly(
            ShellCommand.Operator.AND,
            ShellCommand.Operator.OR,
            ShellCommand.Operator.THEN,
            ShellCommand.Operator.BACKGROUND,
            ShellCommand.Operator.THEN);
    assertThat(items.getLast().command()).isInstanceOf(ShellCommand.Pipeline.class);
  }

  @Test
  void a_here_document_is_read_behind_its_line() {
    var script = ShellScript.parse("cat <<A <<-'B'; echo x\none $X\nA\n\ttwo $Y\n\tB\necho y");
    var redirections = simple(script).redirections();
    assertThat(redirections.get(0).document()).isNotNull();
    assertThat(redirections.get(0).document().dynamicParts()).hasSize(1);
    assertThat(redirections.get(1).document().literal()).contains("\ttwo $Y\n");
    assertThat(script.body().items()).hasSize(3);
  }

  @Test
  void braces_are_a_part_of_a_word() {
    var word = simple(ShellScript.parse("x{a,b{c,d}}y{} {e")).words().getFirst();
    assertThat(word.parts().get(1)).isInstanceOf(WordPart.Braces.class);
    assertThat(simple(ShellScript.parse("echo {} {e")).words())
        .extracting(each -> each.literal().orElse("?"))
        .containsExactly("echo", "{}", "{e");
  }

  @Test
  void text_in_backticks_has_places_in_the_outer_source() {
    var script = ShellScript.parse("echo `ls \\`pwd\\``");
    var outer = (WordPart.CommandOutput) simple(script).words().get(1).parts().getFirst();
    var ls = (ShellCommand.Simple) outer.body().items().getFirst().command();
    var inner = (WordPart.CommandOutput) ls.words().get(1).parts().getFirst();
    assertThat(script.source().text(inner.body().span())).isEqualTo("pwd");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if a; then b; elif c; then d; else e; fi > f",
        "for x in a b; do echo $x; done",
        "for x do echo; done",
        "for ((i=0; i<$(n); i++)); do echo; done",
        "select x in a; do break; done",
        "while a; do b; done < c",
        "until a; do b; done",
        "case $x in (a|b) c;; d) ;& *) e; esac",
        "f() { a; }",
        "function f { a; } > x",
        "[[ -f a && ( $b == c* || $d =~ ^(e|f)$ ) ]]",
        "(( x = (1 + 2) * $(n) ))",
        "coproc NAME { a; }",
        "a=(1 2 [3]=x); a+=(4); b[1]=2 c",
        "diff <(a) >(b) <<< \"$c\"",
        "echo ${a:-${b#x}} ${!c} ${#d[@]} ${e//x/y} $((1+(2))) $[3]",
        "a &> b; a &>> b; a >& b; a 2>&1; a {fd}> b; a <> b; a >| b",
        "((a); b)",
        "$( (a) )",
        "! time -p a | b",
        "a \\\n b # comment\nc"
      })
  void what_bash_has_is_understood(String text) {
    assertThat(ShellScript.parse(text).diagnostics()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if",
        "a &&",
        "a | ",
        "(a",
        "a)",
        "{ a",
        "'a",
        "\"a",
        "`a",
        "$(a",
        "${a",
        "${}",
        "fi",
        "a ;; b",
        "case x in a",
        "for 1 in a; do b; done",
        "f()",
        "[[ a b ]]",
        "a <",
        "; a",
        "a\\",
        "${ a; }",
        "((a)",
        "echo $'\\0'"
      })
  void what_is_no_shell_text_is_opaque_with_a_diagnostic(String text) {
    var script = ShellScript.parse("ls; " + text);
    assertThat(script.diagnostics()).hasSize(1);
    assertThat(script.body().items().getLast().command()).isInstanceOf(ShellCommand.Opaque.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(", "$(", "`", "\"$(", "${a:-", "$((", "((", "{", "{a,", "[[ (", "if a; then ", "<(", "a[",
        "\\`", "f() { ", "case a in b) ", "<<a\n", "! ", "[", "*", "'", "\\", "=~", "!(", "&", "|"
      })
  void deep_and_long_texts_end_at_a_limit(String piece) {
    var script = ShellScript.parse("echo " + piece.repeat(100_000 / piece.length()));
    assertThat(script.body().span().end()).isLessThanOrEqualTo(script.source().length());
  }

  @Test
  void a_text_over_the_limit_is_opaque() {
    var script = ShellScript.parse("a ".repeat(ShellScript.LENGTH_MAX));
    assertThat(script.diagnostics()).extracting(d -> d.code()).containsExactly("E-shell-too-long");
  }

  private static List<String> literals(String text) {
    return simple(ShellScript.parse(text)).words().stream()
        .map(word -> word.literal().orElse("?"))
        .collect(Collectors.toList());
  }

  private static ShellCommand.Simple simple(ShellScript script) {
    return (ShellCommand.Simple) script.body().items().getFirst().command();
  }
}
