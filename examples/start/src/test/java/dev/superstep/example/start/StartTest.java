package dev.superstep.example.start;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class StartTest {
  @Test
  void it_asks_and_resumes_with_the_answer() throws Exception {
    var before = System.out;
    var heard = new ByteArrayOutputStream();
    System.setOut(new PrintStream(heard, true, UTF_8));
    try {
      Start.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    assertThat(heard.toString(UTF_8).lines())
        .containsExactly("Is this good? Hello, Ada!", "Hello, Ada! Sent.");
  }
}
