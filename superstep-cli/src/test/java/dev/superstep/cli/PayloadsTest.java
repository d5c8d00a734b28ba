package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.cli.host.ExitCodes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What was said is in the result and in the state, and elsewhere only for who asks for it.
@Timeout(120)
class PayloadsTest {
  private static final String KEY = "sk-planted-0123456789abcdef";

  @TempDir Path folder;
  private Desk desk;

  @BeforeEach
  void write() throws IOException {
    desk =
        new Desk(folder)
            .letter("a.txt", "hello " + KEY)
            .letter("b.txt", "pay 1000 " + KEY)
            .letter("c.txt", "hello");
  }

  private String events(String... more) {
    var all = new ArrayList<>(List.of("run", "letters", "--thread", "t", "--model", Desk.SCRIPT));
    all.addAll(List.of("--json", "--yes"));
    all.addAll(List.of(more));
    var said = desk.run(all.toArray(String[]::new));
    assertThat(said.exit()).as(said.out()).isZero();
    var events = said.lines();
    return String.join("\n", events.subList(0, events.size() - 1));
  }

  @Test
  void neither_events_nor_the_journal_contain_payloads() {
    var events = events();
    assertThat(events).contains("\"type\":\"interrupt.raised\"").doesNotContain(KEY);
    assertThat(desk.run("events", "t", "--json").out())
        .contains("interrupt.raised")
        .doesNotContain(KEY);
    assertThat(desk.run("events", "t").out()).doesNotContain(KEY);
  }

  @Test
  void payloads_are_included_on_request() {
    assertThat(events("--payloads")).contains(KEY);
    assertThat(desk.run("events", "t", "--json").out()).contains(KEY);
  }

  @Test
  void with_a_permissive_umask_files_of_the_command_are_private() throws Exception {
    assumeThat(File.separatorChar).as("has modes").isEqualTo('/');
    var words = desk.words("run", "letters", "--thread", "t", "--model", Desk.SCRIPT, "--json");
    var command = new ArrayList<>(List.of("sh", "-c", "umask 000; exec \"$@\"", "sh"));
    command.addAll(words);
    var builder = new ProcessBuilder(command).directory(desk.folder().toFile());
    desk.surround(builder);
    var process = builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(ExitCodes.INTERRUPTED);
    var own = desk.folder().resolve(".superstep");
    try (var all = Files.walk(own)) {
      var found = all.toList();
      assertThat(found).hasSizeGreaterThanOrEqualTo(2);
      for (var path : found) {
        var mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        assertThat(mode)
            .as(path.toString())
            .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
      }
    }
  }
}
