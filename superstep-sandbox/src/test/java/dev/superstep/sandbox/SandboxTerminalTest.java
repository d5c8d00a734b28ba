package dev.superstep.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("TH10")
@Timeout(120)
class SandboxTerminalTest {
  private static final Path SCRIPT = Path.of("/usr/bin/script");
  private static final Path SWITCH = Path.of("/proc/sys/dev/tty/legacy_tiocsti");

  @Test
  void a_command_types_nothing_into_the_terminal_of_this_program() throws Exception {
    assumeTrue(Files.isExecutable(SCRIPT), "needs the program script, which makes a terminal");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "needs perl");
    var java =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            "'" + System.getProperty("java.class.path") + "'",
            TerminalPush.class.getName());
    var process =
        new ProcessBuilder(SCRIPT.toString(), "-qec", String.join(" ", java), "/dev/null")
            .redirectErrorStream(true)
            .start(); // its input stays open: an end of it would be typed as well
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    var lines = text.lines().filter(line -> line.contains(" taken ")).toList();
    assertThat(text).contains("terminal /dev/pts/");
    assertThat(lines).as(text).hasSizeGreaterThan(1);
    for (var line : lines.subList(0, lines.size() - 1)) {
      assertThat(line).matches("[A-Z]+ taken 0, waiting 0");
    }
    // Where the kernel still takes such bytes, they arrive without a sandbox: the others prove
    // something.
    boolean isTaken = Files.exists(SWITCH) && Files.readString(SWITCH).strip().equals("1");
    if (isTaken)
      assertThat(lines.getLast()).matches("unconfined taken [1-9]\\d*, waiting [1-9]\\d*");
    else System.out.println("without contrast: this kernel takes no typed bytes from anybody");
  }
}
