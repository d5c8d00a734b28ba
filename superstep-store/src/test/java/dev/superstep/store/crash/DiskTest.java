package dev.superstep.store.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.test.kills.ChildJvm;
import dev.superstep.test.kills.Notes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Real disks that are full, or closed, under a run on SQLite. They are made for one process, which
/// sees them as any program would.
@Tag("T98")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class DiskTest {
  private static final String END = "completed first, trouble, last";

  @TempDir Path folder;
  private Notes notes;
  private Path file;

  @BeforeEach
  void name() {
    notes = new Notes(folder.resolve("notes"));
    file = folder.resolve("disk/threads.db");
  }

  /// The last line of a process that was started in some way.
  private String last(List<String> way, String what) throws Exception {
    var command = new ArrayList<>(way);
    command.addAll(ChildJvm.plain().builder(DiskRun.class, what, file, notes.file()).command());
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var output = process.inputReader()) {
      var last = "";
      for (var line = output.readLine(); line != null; line = output.readLine()) last = line;
      return last;
    } finally {
      process.destroyForcibly();
    }
  }

  private static boolean works(String... command) throws InterruptedException {
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (var output = process.getInputStream()) {
        output.readAllBytes();
      }
      return process.waitFor() == 0;
    } catch (IOException _) {
      return false;
    }
  }

  @Test
  @Tag("W56")
  void a_full_disk_fails_the_run_which_resumes_when_there_is_room() throws Exception {
    var disk = Files.createDirectory(file.getParent());
    var mount = "mount -t tmpfs -o size=4m tmpfs '%s'".formatted(disk);
    assumeThat(works("unshare", "-Urm", "sh", "-c", mount))
        .as("a small disk can be mounted for one process")
        .isTrue();
    var way = List.of("unshare", "-Urm", "sh", "-c", mount + " && exec \"$@\"", "sh");
    assertThat(last(way, "fill")).isEqualTo(END);
    assertThat(notes.all()).hasSize(4);
    assertThat(notes.all().get(2))
        .startsWith("store.failed ")
        .contains("the disk is full; free some space and run again");
    assertThat(notes.all()).containsOnlyOnce("first", "paid", "last");
  }

  @Test
  void a_file_size_limit_fails_the_run_which_another_process_resumes() throws Exception {
    assumeThat(works("sh", "-c", "ulimit -f 8192")).as("a limit for files").isTrue();
    var way = List.of("sh", "-c", "ulimit -f 8192; exec \"$@\"", "sh");
    assertThat(last(way, "begin"))
        .startsWith("failed store.failed ")
        .contains("the disk cannot be read or written");
    assertThat(notes.all()).containsExactly("first", "paid");
    assertThat(last(List.of(), "resume")).isEqualTo(END);
    assertThat(notes.all()).containsExactly("first", "paid", "last");
  }

  @Test
  void a_read_only_file_prevents_a_resumption_until_it_is_writable() throws Exception {
    var limited = List.of("sh", "-c", "ulimit -f 8192; exec \"$@\"", "sh");
    assertThat(last(limited, "begin")).startsWith("failed store.failed ");
    // Root, too, is held to permissions there.
    boolean isRoot = System.getProperty("user.name").equals("root");
    assumeThat(!isRoot || works("unshare", "-U", "true")).as("a user without rights").isTrue();
    var way = isRoot ? List.of("unshare", "-U") : List.<String>of();
    permit("r-xr-xr-x", "r--r--r--");
    assertThat(last(way, "resume"))
        .startsWith("failed store.failed ")
        .contains("(Permission denied)); check the path and its permissions");
    permit("rwxrwxrwx", "rw-rw-rw-");
    assertThat(last(way, "resume")).isEqualTo(END);
    assertThat(notes.all()).containsExactly("first", "paid", "last");
  }

  private void permit(String ofFolder, String ofFiles) throws IOException {
    var disk = file.getParent();
    try (var files = Files.list(disk)) {
      for (var one : files.toList()) {
        Files.setPosixFilePermissions(one, PosixFilePermissions.fromString(ofFiles));
      }
    }
    Files.setPosixFilePermissions(disk, PosixFilePermissions.fromString(ofFolder));
  }
}
