package dev.superstep.credential;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.KeyRing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FileVaultTest {
  private static final RunPrincipal ADA = new RunPrincipal("ada");
  private static final RunPrincipal BOB = new RunPrincipal("bob");

  @TempDir Path folder;

  private static byte[] key(int value) {
    var key = new byte[KeyRing.KEY_BYTES];
    Arrays.fill(key, (byte) value);
    return key;
  }

  private FileVault vault() {
    return FileVault.in(folder.resolve("vault"), KeyRing.of("k1", key(1)));
  }

  @Test
  void what_one_instance_puts_another_finds_and_nobody_reads_it_in_the_file() throws Exception {
    var end = Instant.parse("2027-01-01T00:00:00Z");
    vault().put(ADA, "mail", Credential.of("ada-secret").until(end));
    vault().put(BOB, "mail", Credential.of("bob-secret"));
    var found = vault().find(ADA, "mail").orElseThrow();
    assertThat(found.secret()).isEqualTo("ada-secret");
    assertThat(found.expires()).contains(end);
    assertThat(vault().find(ADA, "calendar")).isEmpty();
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) {
        assertThat(Files.readString(file, ISO_8859_1))
            .doesNotContain("secret")
            .doesNotContain("ada");
      }
    }
    assertThat(Files.getPosixFilePermissions(folder.resolve("vault")))
        .extracting(Enum::name)
        .containsExactlyInAnyOrder("OWNER_READ", "OWNER_WRITE");
    assertThat(vault().remove(ADA, "mail")).isTrue();
    assertThat(vault().remove(ADA, "mail")).isFalse();
    assertThat(vault().find(BOB, "mail").orElseThrow().secret()).isEqualTo("bob-secret");
  }

  @Test
  void a_key_is_changed_without_loss() {
    vault().put(ADA, "mail", Credential.of("ada-secret"));
    var keys = KeyRing.of("k1", key(1)).rotated("k2", key(2));
    FileVault.in(folder.resolve("vault"), keys).put(BOB, "mail", Credential.of("bob-secret"));
    var only = FileVault.in(folder.resolve("vault"), KeyRing.of("k2", key(2)));
    assertThat(only.find(ADA, "mail").orElseThrow().secret()).isEqualTo("ada-secret");
    assertThatThrownBy(() -> vault().find(ADA, "mail"))
        .isInstanceOf(VaultUnusable.class)
        .hasMessageContaining("[k1]")
        .hasNoCause();
  }

  @Test
  void a_changed_file_is_refused() throws Exception {
    vault().put(ADA, "mail", Credential.of("ada-secret"));
    var file = folder.resolve("vault");
    var text = Files.readString(file);
    var end = text.charAt(text.length() - 6) == 'A' ? 'B' : 'A';
    Files.writeString(
        file, text.substring(0, text.length() - 6) + end + text.substring(text.length() - 5));
    assertThatThrownBy(() -> vault().find(ADA, "mail")).isInstanceOf(VaultUnusable.class);
  }

  @Test
  void writers_at_the_same_time_lose_nothing() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Future<?>>();
      for (int i = 0; i < 20; i++) {
        var who = new RunPrincipal("p" + i);
        // Each by an instance of its own, as of parts that know nothing of each other.
        all.add(threads.submit(() -> vault().put(who, "mail", Credential.of("s"))));
      }
      for (var each : all) each.get();
    }
    for (int i = 0; i < 20; i++) {
      assertThat(vault().find(new RunPrincipal("p" + i), "mail")).isPresent();
    }
  }
}
