package dev.superstep.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ForeignText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Control sequences in commands, outputs and words of models reach no terminal.
@Timeout(300)
@Tag("TH9")
class SequencesTest {
  private static final Path CORPUS = Path.of("src/test/resources/terminal/sequences.txt");
  private static final int SEQUENCES_MIN = 60;
  private static final int FIELDS = 8;

  @TempDir Path folder;

  @Test
  void no_field_has_a_character_on_which_a_terminal_acts() throws IOException {
    var sequences = SequencesProgram.sequences(CORPUS);
    assertThat(sequences).hasSizeGreaterThanOrEqualTo(SEQUENCES_MIN);
    for (var sequence : sequences) {
      assertThat(sequence.codePoints().anyMatch(ForeignText::isUnseen)).isTrue();
      var fields = SequencesProgram.fields(sequence);
      assertThat(fields).hasSize(FIELDS);
      for (var line : fields.stream().flatMap(field -> field.stream()).toList()) {
        assertThat(line.text().codePoints().noneMatch(ForeignText::isUnseen))
            .as(line.text())
            .isTrue();
      }
    }
  }

  @Test
  void a_terminal_keeps_its_state_and_sends_no_key() throws IOException {
    Pane.assumeTmux();
    var file = CORPUS.toAbsolutePath().toString();
    var words = Pane.java(SequencesProgram.class, file);
    try (var pane = Pane.open(folder, new Pane.Size(80, 24), Map.of(), words)) {
      pane.awaitPrompt();
      assertThat(pane.history()).contains("keys that came: 0").doesNotContain("owned\u0007");
      assertThat(pane.variable("pane_title")).doesNotContain("owned");
      assertThat(pane.variable("alternate_on")).isEqualTo("0");
      assertThat(pane.variable("cursor_flag")).isEqualTo("1");
      assertThat(pane.variable("mouse_any_flag")).isEqualTo("0");
      assertThat(pane.variable("insert_flag")).isEqualTo("0");
      assertThat(pane.variable("wrap_flag")).isEqualTo("1");
      assertThat(pane.variable("scroll_region_upper")).isEqualTo("0");
      assertThat(pane.variable("scroll_region_lower")).isEqualTo("23");
      assertThat(pane.clipboard().strip()).isEmpty();
      pane.keys("q");
    }
  }
}
