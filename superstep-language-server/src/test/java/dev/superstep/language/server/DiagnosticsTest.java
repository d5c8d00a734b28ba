package dev.superstep.language.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What an editor underlines while somebody types.
@Timeout(300)
class DiagnosticsTest {
  private static Editor editor;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    editor = Editor.started();
  }

  @AfterAll
  static void stop() {
    editor.close();
  }

  private static final String GOOD =
      "graph g {\n"
          + "  start a\n"
          + "  node a { model \"small\" next b }\n"
          + "  node b { model \"large\" }\n"
          + "}\n";

  @Test
  void a_source_without_faults_has_none_and_each_change_is_checked() throws Exception {
    var uri = editor.open(GOOD);
    assertThat(editor.findings(uri, 1)).isEmpty();
    editor.change(uri, 2, "2:30-2:31", "c");
    assertThat(editor.findings(uri, 2)).containsExactly("2:30-2:31 E-rag-unknown-node");
    editor.change(uri, 3, "2:30-2:31", "b");
    assertThat(editor.findings(uri, 3)).isEmpty();
  }

  @Test
  @Tag("R37")
  void a_finding_has_message_help_severity_and_other_places() throws Exception {
    var uri = editor.open("graph g {\n start a\n node a { model \"smal\" }\n node a {} }");
    var found = editor.diagnostics(uri, 1);
    var model = found.get(0).getAsJsonObject();
    assertThat(model.get("message").getAsString())
        .isEqualTo("no model `smal` is registered\nhelp: did you mean `small`?");
    assertThat(model.get("severity").getAsInt()).isEqualTo(1);
    assertThat(model.get("source").getAsString()).isEqualTo("rag");
    var twice = found.get(1).getAsJsonObject();
    assertThat(twice.get("code").getAsString()).isEqualTo("E-rag-duplicate-node");
    var other = twice.getAsJsonArray("relatedInformation").get(0).getAsJsonObject();
    assertThat(other.get("message").getAsString()).isEqualTo("first here");
    assertThat(Editor.shown(other.getAsJsonObject("location").getAsJsonObject("range")))
        .isEqualTo("2:6-2:7");
  }

  @Test
  void columns_count_units_of_utf_16_and_lines_may_end_as_on_windows() throws Exception {
    var uri =
        editor.open(
            "graph g {\r\n start a\r\n node a { model \"small\" prompt \"🎉\" next x }\r\n}");
    assertThat(editor.findings(uri, 1)).containsExactly("2:41-2:42 E-rag-unknown-node");
    editor.change(uri, 2, "2:41-2:42", "a");
    assertThat(editor.findings(uri, 2)).isNotEmpty().noneMatch(each -> each.contains("unknown"));
    editor.change(uri, 3, "0:0-3:1", "graph g {\r start a\r node a { model \"small\" }\r}");
    assertThat(editor.findings(uri, 3)).isEmpty();
  }

  @Test
  void a_change_without_a_range_is_the_whole_text_and_one_beyond_the_end_is_at_the_end()
      throws Exception {
    var uri = editor.open("graph");
    assertThat(editor.findings(uri, 1)).isNotEmpty();
    editor.change(uri, 2, "", "graph g {\n start a\n node a { model \"small\" }");
    assertThat(editor.findings(uri, 2)).hasSize(1);
    editor.change(uri, 3, "99:0-99:9", "\n}");
    assertThat(editor.findings(uri, 3)).isEmpty();
  }

  @Test
  void many_small_changes_end_as_the_text_that_they_make() throws Exception {
    var random = new Random(5);
    var text = new StringBuilder(GOOD);
    var uri = editor.open(GOOD);
    editor.diagnostics(uri, 1);
    int version = 1;
    for (int i = 0; i < 200; i++) {
      int from = random.nextInt(text.length() + 1);
      int to = Math.min(text.length(), from + random.nextInt(4));
      var put = new String[] {"", "x", "\n", "é", "{", "\""}[random.nextInt(6)];
      editor.change(uri, ++version, at(text, from) + "-" + at(text, to), put);
      text.replace(from, to, put);
    }
    var found = editor.findings(uri, version);
    assertThat(found).isEqualTo(editor.findings(editor.open(text.toString()), 1));
  }

  private static String at(CharSequence text, int offset) {
    var before = text.subSequence(0, offset).toString();
    int line = (int) before.chars().filter(c -> c == '\n').count();
    return line + ":" + (offset - before.lastIndexOf('\n') - 1);
  }

  @Test
  @Tag("R7")
  void a_source_that_is_too_big_is_one_finding_and_a_hundred_thousand_faults_are_fifty()
      throws Exception {
    var big = editor.open("graph g {\n" + "// filler\n".repeat(1_000_000) + "}");
    assertThat(editor.findings(big, 1)).containsExactly("0:0-0:0 E-rag-source-too-long");
    editor.change(big, 2, "5:0-5:0", "x");
    assertThat(editor.findings(big, 2)).hasSize(1);
    var faulty = editor.open("graph g {\n" + "? ".repeat(50_000) + "}");
    assertThat(editor.diagnostics(faulty, 1)).hasSizeBetween(1, 51);
  }

  @Test
  @Tag("R7")
  void hostile_texts_are_findings() throws Exception {
    for (var text :
        new String[] {
          "graph g { metadata " + "{ a ".repeat(200) + "}",
          "graph g {\n node p\u0430y {} }",
          "graph g {\n node a\u200Bb {} }",
          "graph g { // \u202E\n start \uD800 }",
          "\"\"\"",
          "\u0000",
          ""
        }) {
      assertThat(editor.findings(editor.open(text), 1)).isNotEmpty();
    }
  }

  @Test
  void a_source_that_is_closed_has_no_findings_any_more() throws Exception {
    var uri = editor.open("graph");
    assertThat(editor.findings(uri, 1)).isNotEmpty();
    editor.tell("textDocument/didClose", Editor.object("{'textDocument': {'uri': '" + uri + "'}}"));
    assertThat(editor.findings(uri, 0)).isEmpty();
  }
}
