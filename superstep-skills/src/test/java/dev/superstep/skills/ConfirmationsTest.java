package dev.superstep.skills;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Confirmations of people.
@Timeout(60)
final class ConfirmationsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void only_the_newest_digest_of_a_subject_counts(boolean isFile) {
    var kept =
        isFile ? Confirmations.in(folder.resolve("deep/confirmed.json")) : Confirmations.inMemory();
    assertThat(kept.isConfirmed("skill a", "sha256:1")).isFalse();

    kept.confirm("skill a", "sha256:1");
    kept.confirm("skill b", "sha256:2");
    assertThat(kept.isConfirmed("skill a", "sha256:1")).isTrue();
    assertThat(kept.isConfirmed("skill b", "sha256:1")).isFalse();

    kept.confirm("skill a", "sha256:3");
    assertThat(kept.isConfirmed("skill a", "sha256:1")).isFalse();
    kept.revoke("skill a");
    assertThat(kept.isConfirmed("skill a", "sha256:3")).isFalse();
    assertThat(kept.isConfirmed("skill b", "sha256:2")).isTrue();
  }

  @Test
  void a_file_is_of_its_owner_alone_and_is_read_by_others_of_its_kind() throws Exception {
    assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
    var file = folder.resolve("confirmed.json");
    Confirmations.in(file).confirm("skill a", "sha256:1");

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Confirmations.in(file).isConfirmed("skill a", "sha256:1")).isTrue();
  }

  @Test
  void a_file_that_others_may_write_is_not_believed() throws Exception {
    assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
    var file = folder.resolve("confirmed.json");
    var kept = Confirmations.in(file);
    kept.confirm("skill a", "sha256:1");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));

    assertThatThrownBy(() -> kept.isConfirmed("skill a", "sha256:1"))
        .isInstanceOf(UnusableConfirmations.class)
        .hasMessageContaining("others may write it");
  }

  @Test
  void a_damaged_file_counts_neither_as_empty_nor_as_a_yes() throws Exception {
    var file = folder.resolve("confirmed.json");
    Confirmations.in(file).confirm("skill a", "sha256:1");
    Files.writeString(file, "{\"digests\":");

    assertThatThrownBy(() -> Confirmations.in(file).isConfirmed("skill a", "sha256:1"))
        .isInstanceOf(UnusableConfirmations.class);
    assertThatThrownBy(() -> Confirmations.in(file).confirm("skill a", "sha256:1"))
        .isInstanceOf(UnusableConfirmations.class);
  }

  @Test
  void confirmations_at_once_are_all_kept() throws Exception {
    var file = folder.resolve("confirmed.json");
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 8; i++) {
      var subject = "skill " + i;
      // Each as another process would: with an object of its own. One lock file guards them.
      var kept = Confirmations.in(file);
      threads.add(Thread.ofVirtual().start(() -> kept.confirm(subject, "sha256:1")));
    }
    for (var thread : threads) thread.join();

    for (int i = 0; i < 8; i++) {
      assertThat(Confirmations.in(file).isConfirmed("skill " + i, "sha256:1")).isTrue();
    }
  }
}
