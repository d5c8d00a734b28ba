package dev.superstep.model.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ChildDirectoryTest {
  @TempDir Path temp;

  @Test
  void closing_a_directory_deletes_it() throws IOException {
    try (var directory = ChildDirectory.create(temp)) {
      Files.writeString(directory.path().resolve("library.so"), "x");
      assertThat(directory.path()).isDirectory();
    }
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void the_directory_of_a_process_that_was_killed_is_removed_by_the_next_one() throws Exception {
    var living = ChildDirectory.create(temp);
    var holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                temp.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var out =
        new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8));
    var held = Path.of(out.readLine());
    ChildDirectory.create(temp).close();
    assertThat(held.resolve("library.so")).as("its process lives").exists();
    holder.destroyForcibly();
    assertThat(holder.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(held).exists();
    ChildDirectory.create(temp).close();
    assertThat(held).doesNotExist();
    assertThat(living.path()).as("this process lives").exists();
    living.close();
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void only_its_owner_may_look_into_it() throws IOException {
    try (var directory = ChildDirectory.create(temp)) {
      assertThat(Files.getPosixFilePermissions(directory.path()))
          .isEqualTo(java.nio.file.attribute.PosixFilePermissions.fromString("rwx------"));
    }
  }

  /// A process that makes a directory and does not end by itself.
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      var directory = ChildDirectory.create(Path.of(arguments[0]));
      Files.writeString(directory.path().resolve("library.so"), "x");
      System.out.println(directory.path());
      System.in.read();
    }
  }
}
