package dev.superstep.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.event.JsonLines;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs({OS.LINUX, OS.MAC})
@Timeout(120)
class PrivateFilesTest {
  @TempDir Path temp;

  @Test
  void with_a_permissive_umask_new_files_are_private() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var made = new ProcessBuilder("sh", "-c", "umask 000; exec \"$@\"", "sh", java).command();
    var command =
        Stream.concat(
                made.stream(),
                Stream.of(
                    "-cp",
                    System.getProperty("java.class.path"),
                    Maker.class.getName(),
                    temp.toString()))
            .toList();
    var process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    try (var all = Files.walk(temp)) {
      var found = all.filter(path -> !path.equals(temp) && !Files.isSymbolicLink(path)).toList();
      assertThat(found).hasSize(7);
      for (var path : found) {
        var mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        assertThat(mode)
            .as(path.toString())
            .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
      }
    }
  }

  @Test
  void an_existing_file_keeps_its_permissions_until_it_is_replaced() throws IOException {
    var file = Files.writeString(temp.resolve("shared.txt"), "one\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    try (var out = PrivateFiles.append(file)) {
      out.write("two\n");
    }
    assertThat(file).hasContent("one\ntwo\n");
    assertThat(Files.getPosixFilePermissions(file)).hasSize(4);
    PrivateFiles.replace(file, "three\n");
    assertThat(file).hasContent("three\n");
    assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
    try (var all = Files.list(temp)) {
      assertThat(all.toList()).isEqualTo(List.of(file));
    }
  }

  @Test
  void creating_a_new_file_follows_no_link() throws IOException {
    var link = Files.createSymbolicLink(temp.resolve("link"), temp.resolve("nothing"));
    assertThatThrownBy(() -> PrivateFiles.create(link))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(temp.resolve("nothing")).doesNotExist();
  }

  /// Makes one of each.
  static final class Maker {
    private Maker() {}

    public static void main(String[] arguments) throws IOException {
      var temp = Path.of(arguments[0]);
      PrivateFiles.createDirectories(temp.resolve("a/b"));
      PrivateFiles.createDirectories(temp.resolve("a/b"));
      PrivateFiles.append(temp.resolve("a/b/appended")).close();
      PrivateFiles.create(temp.resolve("a/created")).close();
      PrivateFiles.replace(temp.resolve("a/replaced"), "x");
      Files.createSymbolicLink(temp.resolve("a/link"), temp.resolve("a/behind-a-link"));
      PrivateFiles.append(temp.resolve("a/link")).close();
      JsonLines.to(temp.resolve("a/events.jsonl")).close();
    }
  }
}
