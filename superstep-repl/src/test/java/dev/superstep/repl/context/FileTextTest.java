package dev.superstep.repl.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.repl.host.TextSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTextTest {
  @TempDir Path folder;

  private FileText open(byte[] bytes) throws IOException {
    var file = folder.resolve("text");
    Files.write(file, bytes);
    return FileText.open(file);
  }

  @Test
  void any_part_of_a_file_reads_as_the_same_part_of_its_text() throws IOException {
    var random = new Random(5);
    var built = new StringBuilder();
    var letters = new String[] {"a", "\n", "é", "語", "😀", "word "};
    while (built.length() < 400_000) built.append(letters[random.nextInt(letters.length)]);
    var text = TextSource.of(built.toString());
    try (var file = open(built.toString().getBytes(StandardCharsets.UTF_8))) {
      assertThat(file.length()).isEqualTo(text.length());
      for (int i = 0; i < 300; i++) {
        long from = random.nextLong(text.length());
        long to = Math.min(text.length(), from + random.nextInt(70_000));
        assertThat(file.read(from, to)).isEqualTo(text.read(from, to));
      }
    }
  }

  @Test
  void bytes_that_are_no_utf_8_are_a_character_each() throws IOException {
    var bytes =
        new byte[] {
          'a',
          (byte) 0xFF,
          'b',
          (byte) 0xC0,
          (byte) 0x80,
          (byte) 0xED,
          (byte) 0xA0,
          (byte) 0x80,
          (byte) 0xE2,
          (byte) 0x82
        };
    try (var file = open(bytes)) {
      assertThat(file.length()).isEqualTo(10);
      assertThat(file.read(0, 10)).isEqualTo("a\uFFFDb" + "\uFFFD".repeat(7));
      assertThat(file.read(2, 4)).isEqualTo("b\uFFFD");
    }
  }

  @Test
  void an_empty_file_is_an_empty_text() throws IOException {
    try (var file = open(new byte[0])) {
      assertThat(file.length()).isZero();
      assertThat(file.read(0, 0)).isEmpty();
      assertThatThrownBy(() -> file.read(0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  @Tag("long")
  void a_text_of_a_gibibyte_is_searched_in_a_heap_of_64_mib()
      throws IOException, InterruptedException {
    var out = folder.resolve("out");
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var path =
        System.getProperty("java.class.path") + ":" + System.getProperty("jdk.module.path", "");
    var process =
        new ProcessBuilder(
                java,
                "-Xmx64m",
                "-cp",
                path,
                LargeTextMain.class.getName(),
                folder.resolve("large").toString(),
                String.valueOf(1L << 30))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(process.waitFor(9, TimeUnit.MINUTES)).isTrue();
    assertThat(Files.readString(out)).contains("found (True, 1, 'needle', True)");
    System.out.println("long: " + Files.readString(out).strip());
  }
}
