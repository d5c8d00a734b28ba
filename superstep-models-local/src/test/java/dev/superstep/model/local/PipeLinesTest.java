package dev.superstep.model.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PipeLinesTest {
  @Test
  void lines_are_read_with_and_without_a_last_end() throws IOException {
    var lines = new PipeLines(of("a\r\n\nä😀\nb"));
    assertThat(lines.next()).isEqualTo("a");
    assertThat(lines.next()).isEmpty();
    assertThat(lines.next()).isEqualTo("ä😀");
    assertThat(lines.next()).isEqualTo("b");
    assertThat(lines.isCut()).isFalse();
    assertThat(lines.next()).isNull();
  }

  @Test
  void an_overlong_line_is_truncated() throws IOException {
    long length = 300L * PipeLines.LINE_MAX;
    var endless =
        new InputStream() {
          private long left = length;

          @Override
          public int read() {
            return left-- > 0 ? 'x' : left == -1 ? '\n' : -1;
          }
        };
    var lines = new PipeLines(endless);
    assertThat(lines.next()).hasSize(PipeLines.LINE_MAX);
    assertThat(lines.isCut()).isTrue();
    assertThat(lines.next()).isNull();
  }

  private static InputStream of(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
