package dev.superstep.credential;

import dev.superstep.checkpoint.KeyRing;
import dev.superstep.file.PrivateFiles;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.lock.Mutex;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A vault in one file that only its owner may read, encrypted by AES-GCM as a whole. Several
/// processes may use it: each change locks it, and who reads sees the file before or after a
/// change. For some thousand credentials; beyond that, implement [CredentialVault] on a database.
public final class FileVault implements CredentialVault {
  private static final String KIND = "credential-vault";
  private static final long SIZE_MAX = 20_000_000;
  private static final Codec<List<Entry>> ENTRIES = Codec.listOf(Entry.class);

  /// For all of this process, since a lock on a file is between processes alone.
  private static final Mutex WRITING = new Mutex();

  private final Path file;
  private final KeyRing keys;

  /// A credential as it is encrypted.
  record Entry(String principal, String service, String secret, Optional<Instant> expires) {
    boolean isOf(RunPrincipal who, String where) {
      return principal.equals(who.id()) && service.equals(where);
    }

    Credential credential() {
      var credential = Credential.of(secret);
      return expires.map(credential::until).orElse(credential);
    }

    @Override
    public String toString() {
      return "Entry[" + principal + ", " + service + "]";
    }
  }

  private FileVault(Path file, KeyRing keys) {
    this.file = file;
    this.keys = keys;
  }

  /// A vault in a file, which is made when the first credential is put into it.
  ///
  /// @param keys the keys to it; what was sealed by an older key is sealed anew by the next change
  public static FileVault in(Path file, KeyRing keys) {
    return new FileVault(file.toAbsolutePath(), keys);
  }

  @Override
  public Optional<Credential> find(RunPrincipal principal, String service) {
    return read().stream()
        .filter(entry -> entry.isOf(principal, service))
        .findFirst()
        .map(Entry::credential);
  }

  @Override
  public void put(RunPrincipal principal, String service, Credential credential) {
    var made = new Entry(principal.id(), service, credential.secret(), credential.expires());
    change(entries -> {
      var all = without(entries, principal, service);
      all.add(made);
      return all;
    });
  }

  @Override
  public boolean remove(RunPrincipal principal, String service) {
    boolean[] was = new boolean[1];
    change(entries -> {
      var all = without(entries, principal, service);
      was[0] = all.size() < entries.size();
      return all;
    });
    return was[0];
  }

  private static List<Entry> without(List<Entry> entries, RunPrincipal who, String service) {
    var all = new ArrayList<>(entries);
    all.removeIf(entry -> entry.isOf(who, service));
    return all;
  }

  private void change(UnaryOperator<List<Entry>> change) {
    try (var _ = WRITING.hold()) {
      var folder = file.getParent();
      if (folder != null) PrivateFiles.createDirectories(folder);
      // The lock is on a file of its own: the vault itself is replaced.
      var lock = file.resolveSibling(file.getFileName() + ".lock");
      try (var channel =
              FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var _ = channel.lock()) {
        var entries = ENTRIES.encode(change.apply(read())).text();
        var sealed = keys.seal(entries, KIND);
        // Nobody could read it any more.
        if (sealed.length() > SIZE_MAX)
          throw new VaultUnusable(file, "It would be too long.", null);
        PrivateFiles.replace(file, sealed);
      }
    } catch (IOException e) {
      throw new VaultUnusable(file, "It cannot be written: " + e.getClass().getSimpleName(), e);
    }
  }

  private List<Entry> read() {
    try {
      if (Files.notExists(file)) return List.of();
      if (Files.size(file) > SIZE_MAX) throw new VaultUnusable(file, "It is too long.", null);
      return ENTRIES.decode(Json.parse(keys.open(Files.readString(file), KIND)));
    } catch (IOException e) {
      throw new VaultUnusable(file, "It cannot be read: " + e.getClass().getSimpleName(), e);
    } catch (VaultUnusable e) {
      throw e;
    } catch (SuperstepException e) {
      // Without its cause, which might tell what was decrypted.
      throw new VaultUnusable(
          file,
          "It cannot be decrypted by the keys %s, or was changed (%s)."
              .formatted(keys.ids(), e.code()),
          null);
    }
  }

  @Override
  public String toString() {
    return "FileVault[" + file + "]";
  }
}
