package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoldenTest {
  @TempDir Path folder;

  @Test
  void line_ends_of_windows_in_a_golden_file_are_no_difference() throws IOException {
    Files.writeString(folder.resolve("a.txt"), "one\r\ntwo\r\n");
    var golden = Golden.in(folder);
    assertThatCode(() -> golden.check("a.txt", "one\ntwo\n")).doesNotThrowAnyException();
    assertThatCode(() -> golden.check("a.txt", "one\r\ntwo\r\n")).doesNotThrowAnyException();
    assertThatThrownBy(() -> golden.check("a.txt", "one\ntwo")).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> golden.check("a.txt", "one\rtwo\n"))
        .isInstanceOf(AssertionError.class);
  }
}
