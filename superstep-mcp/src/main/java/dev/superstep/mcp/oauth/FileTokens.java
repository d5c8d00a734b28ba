package dev.superstep.mcp.oauth;

import dev.superstep.checkpoint.KeyRing;
import dev.superstep.credential.Credential;
import dev.superstep.credential.FileVault;
import dev.superstep.credential.RunPrincipal;
import dev.superstep.credential.VaultUnusable;
import dev.superstep.file.PrivateFiles;
import dev.superstep.json.Json;
import dev.superstep.lock.Mutex;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Grants in an encrypted file. A change locks another file beside it, for all of the change: a
/// token that renews must not be used by two processes.
final class FileTokens implements McpTokens {
  private static final RunPrincipal OWNER = new RunPrincipal("owner");
  private static final Duration WAIT = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(50);

  /// For all of this process, since a lock on a file is between processes alone.
  private static final Map<Path, Mutex> CHANGING = new ConcurrentHashMap<>();

  private final Path file;
  private final Path lock;
  private final FileVault vault;
  private final Mutex changing;

  FileTokens(Path file, KeyRing keys) {
    this.file = file.toAbsolutePath().normalize();
    this.lock = this.file.resolveSibling(this.file.getFileName() + ".renewal.lock");
    this.vault = FileVault.in(this.file, keys);
    this.changing = CHANGING.computeIfAbsent(this.file, _ -> new Mutex());
  }

  @Override
  public Optional<McpGrant> find(URI server) {
    try {
      return vault
          .find(OWNER, server.toString())
          .map(credential -> McpGrant.of(Json.parse(credential.secret())));
    } catch (VaultUnusable e) {
      throw unusable(e);
    }
  }

  @Override
  public Optional<McpGrant> change(URI server, Change change) throws InterruptedException {
    try (var _ = changing.holdInterruptibly();
        var channel = channel();
        var _ = locked(channel)) {
      var before = find(server);
      var next = change.of(before);
      if (next.isEmpty()) {
        if (before.isPresent()) vault.remove(OWNER, server.toString());
      } else if (!next.equals(before)) {
        vault.put(OWNER, server.toString(), Credential.of(next.get().secret().text()));
      }
      return next;
    } catch (IOException | VaultUnusable e) {
      throw unusable(e);
    }
  }

  private OAuthFailed unusable(Exception cause) {
    return new OAuthFailed(
        "its tokens in %s cannot be read or written. Repair or remove that file.".formatted(file),
        cause);
  }

  private FileChannel channel() throws IOException {
    var folder = file.getParent();
    if (folder != null) PrivateFiles.createDirectories(folder);
    return FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private FileLock locked(FileChannel channel) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + WAIT.toNanos();
    while (System.nanoTime() < deadline) {
      var taken = tried(channel);
      if (taken != null) return taken;
      Thread.sleep(LOOK);
    }
    throw new OAuthFailed("another process has held %s for a minute.".formatted(lock));
  }

  private static @Nullable FileLock tried(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException _) {
      // By another copy of these classes in this process.
      return null;
    }
  }

  @Override
  public String toString() {
    return "McpTokens[" + file + "]";
  }
}
