package dev.superstep.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.Display;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables on terminals of all widths, and in files.
class TableTest {
  private static Table threads() {
    return Table.of(
            Column.whole("THREAD"),
            Column.cut("GRAPH", 8),
            Column.number("STEP"),
            Column.wrap("STATUS", 16))
        .row("triage-20261121-2218-k3f9", "triage", "3", "done")
        .row("monday", "answers-all-letters", "12", "waits for an answer to 2 questions");
  }

  private static Display wide(int columns) {
    return new Display(true, false, () -> columns);
  }

  @Test
  void a_file_gets_a_row_in_one_line_and_nothing_is_cut() {
    assertThat(threads().text(Display.file()))
        .isEqualTo(
            """
            THREAD                     GRAPH                STEP  STATUS
            triage-20261121-2218-k3f9  triage                  3  done
            monday                     answers-all-letters    12  waits for an answer to 2 questions
            """);
  }

  @Test
  void columns_shrink_from_the_last_and_sentences_break_at_words() {
    assertThat(threads().text(wide(70)))
        .isEqualTo(
            """
            THREAD                     GRAPH                STEP  STATUS
            triage-20261121-2218-k3f9  triage                  3  done
            monday                     answers-all-letters    12  waits for an
                                                                  answer to 2
                                                                  questions
            """);
    assertThat(threads().text(wide(60))).contains("monday                     answers-…  ");
  }

  @Test
  void rows_become_blocks_where_columns_do_not_fit() {
    assertThat(threads().text(wide(40)))
        .isEqualTo(
            """
            thread:  triage-20261121-2218-k3f9
            graph:   triage
            step:    3
            status:  done

            thread:  monday
            graph:   answers-all-letters
            step:    12
            status:  waits for an answer to 2
                     questions
            """);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 40, 41, 57, 63, 72, 80, 100, 143, 200})
  void no_line_is_wider_than_the_terminal(int columns) {
    var table =
        Table.of(Column.cut("NAME", 8), Column.number("N"), Column.wrap("WHAT", 12))
            .row("日本語のスレッド名はとても長い", "1", "Ein Satz mit 日本語 und é und 👍🏽 darin")
            .row("x", "20000", "short")
            .row("a-name-of-some-length", "3", "https://example.org/" + "path/".repeat(30));
    var text = table.text(wide(columns));
    assertThat(text.lines()).isNotEmpty().allMatch(line -> CellText.width(line) <= columns);
  }

  @Test
  void columns_stay_aligned_whatever_the_letters_take() {
    var table = Table.of(Column.cut("NAME", 4), Column.whole("MARK"));
    table.row("日本語", "|").row("e\u0301", "|").row("👍", "|").row("plain", "|");
    var marks = table.text(Display.file()).lines().skip(1).map(l -> l.substring(0, l.indexOf('|')));
    assertThat(marks.map(CellText::width).distinct()).containsExactly(8);
  }

  @Test
  void text_by_others_moves_no_cursor_and_makes_no_row() {
    var table = Table.of(Column.whole("NAME"), Column.whole("WHAT"));
    table.row("\u001b[2Jgone", "one\ntwo\u202e");
    assertThat(table.text(Display.file())).contains("<U+001B>[2Jgone  one two<U+202E>\n");
  }

  @Test
  void rows_that_come_later_stand_under_the_same_headings() {
    var table = Table.of(Column.number("OFFSET"), Column.whole("KIND").atLeast(12));
    var first = table.row("1", "run.started").text(Display.file());
    var later = table.row("2", "step").row("3", "node").text(Display.file());
    assertThat(first + later)
        .isEqualTo("OFFSET  KIND\n     1  run.started\n     2  step\n     3  node\n");
    assertThat(table.text(Display.file())).isEmpty();
  }

  @Test
  void looks_do_not_change_the_words() {
    var colored = new Display(true, true, () -> 80);
    var row = new Table.Cell[] {Table.Cell.of("a"), new Table.Cell("done", Style.GOOD)};
    var text = Table.of(Column.whole("NAME"), Column.whole("STATUS")).row(row).text(colored);
    assertThat(text).contains("\u001b[32mdone\u001b[0m");
    assertThat(text.replaceAll("\u001b\\[[0-9;]*m", "")).isEqualTo("NAME  STATUS\na     done\n");
  }
}
