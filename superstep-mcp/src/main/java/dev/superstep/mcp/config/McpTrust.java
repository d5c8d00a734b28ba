package dev.superstep.mcp.config;

import static java.util.Objects.requireNonNull;

import dev.superstep.checkpoint.KeyRing;
import dev.superstep.file.PrivateFiles;
import dev.superstep.json.Json;
import dev.superstep.lock.Mutex;
import dev.superstep.mcp.ToolPins;
import dev.superstep.mcp.oauth.McpTokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Servers that a person has confirmed, each as exactly what it was: what would be started or
/// reached, with the variables that it is told, what it may do, and the code of the folder that its
/// command names. Any change ends the confirmation. Kept in files that only their owner may read.
/// Safe for many threads and processes.
///
/// Code that is not named by the command (what `npx` loads, what a script imports) is not part of
/// it, and nor is what is changed between the look at a file and its start.
public final class McpTrust {
  private static final JsonMapper JSON = JsonMapper.shared();

  /// For all of this process, since a lock on a file is between processes alone.
  private static final Mutex WRITING = new Mutex();

  private static final String TOKENS = "mcp-tokens";

  private final Path folder;

  private McpTrust(Path folder) {
    this.folder = folder.toAbsolutePath();
  }

  /// Opens the files, which need not be there yet.
  ///
  /// @param folder a folder for them, below the person's own settings
  public static McpTrust in(Path folder) {
    return new McpTrust(folder);
  }

  /// The digest of what a person confirms of a server.
  ///
  /// @param file that names it
  /// @throws InvalidMcpEntry if code that its command names cannot be read
  public static String digest(Path file, McpEntry entry) {
    var files = new ProgramFiles(entry, folder(file)).digests();
    return files.isEmpty()
        ? entry.digest()
        : Digests.of(entry.digest() + "\n" + Json.of(files).canonical().text());
  }

  /// Returns whether a server is confirmed as it is now.
  ///
  /// @param file that names it
  public boolean isConfirmed(Path file, McpEntry entry) {
    return digest(file, entry).equals(all().getOrDefault(key(file), Map.of()).get(entry.name()));
  }

  /// Confirms a server.
  ///
  /// @param digest of what the person was shown
  public void confirm(Path file, McpEntry entry, String digest) {
    change(all -> {
      all.computeIfAbsent(key(file), _ -> new TreeMap<>()).put(entry.name(), digest);
      return true;
    });
  }

  /// Ends the confirmation of a server, and forgets what a person has granted to this program
  /// there.
  ///
  /// @return whether there was one, of whatever state of the server
  public boolean withdraw(Path file, String server) {
    forgetTokens(file, server);
    return change(all -> {
      var known = all.get(key(file));
      return known != null && known.remove(server) != null;
    });
  }

  /// The place where the tools of a server are kept as they were approved. A server whose entry has
  /// changed, and is confirmed again, has approved none.
  public ToolPins pins(Path file, McpEntry entry) {
    var place = folder.resolve("mcp-pins");
    try {
      PrivateFiles.createDirectories(place);
    } catch (IOException e) {
      throw new UncheckedIOException("approved tools cannot be kept in " + place, e);
    }
    var name = Digests.of(key(file) + "\n" + entry.digest());
    return ToolPins.in(place.resolve(name + ".json"));
  }

  /// The place where the access that a person granted to this program at a server is kept,
  /// encrypted, with the key beside it. It counts for this file, the name and the address of the
  /// server.
  public McpTokens tokens(Path file, McpEntry entry) {
    return McpTokens.in(tokenFile(file, entry.name()), key());
  }

  private Path tokenFile(Path file, String server) {
    return folder.resolve(TOKENS).resolve(Digests.of(key(file) + "\n" + server) + ".vault");
  }

  private void forgetTokens(Path file, String server) {
    try {
      Files.deleteIfExists(tokenFile(file, server));
    } catch (IOException e) {
      throw new UncheckedIOException("tokens cannot be removed from " + folder, e);
    }
  }

  /// The key of the tokens, which is made when it is first needed.
  private KeyRing key() {
    var tokens = folder.resolve(TOKENS);
    var place = tokens.resolve("key");
    try (var _ = WRITING.hold()) {
      PrivateFiles.createDirectories(tokens);
      var lock = place.resolveSibling("key.lock");
      try (var channel =
              FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var _ = channel.lock()) {
        if (Files.notExists(place)) {
          var made = new byte[KeyRing.KEY_BYTES];
          new SecureRandom().nextBytes(made);
          PrivateFiles.replace(place, Base64.getEncoder().encodeToString(made));
        }
        return KeyRing.of("mcp", Base64.getDecoder().decode(Files.readString(place).strip()));
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new UncheckedIOException(
          "the key of tokens cannot be used: " + place + ". Remove it with the tokens beside it",
          e instanceof IOException io ? io : new IOException(e));
    }
  }

  private Path file() {
    return folder.resolve("mcp-servers.json");
  }

  private interface Change {
    boolean on(Map<String, Map<String, String>> all);
  }

  private boolean change(Change change) {
    try (var _ = WRITING.hold()) {
      PrivateFiles.createDirectories(folder);
      var lock = folder.resolve("mcp-servers.json.lock");
      try (var channel =
              FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var _ = channel.lock()) {
        var all = all();
        boolean isChanged = change.on(all);
        if (isChanged) PrivateFiles.replace(file(), JSON.writeValueAsString(all));
        return isChanged;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("confirmed servers cannot be kept in " + file(), e);
    }
  }

  private Map<String, Map<String, String>> all() {
    var all = new TreeMap<String, Map<String, String>>();
    if (!Files.exists(file())) return all;
    try {
      for (var one : JSON.readTree(Files.readString(file())).properties()) {
        var servers = new TreeMap<String, String>();
        for (var each : one.getValue().properties()) {
          servers.put(each.getKey(), each.getValue().asString(""));
        }
        all.put(one.getKey(), servers);
      }
      return all;
    } catch (JacksonException _) {
      // What was confirmed is not known any more, so nothing is.
      return new TreeMap<>();
    } catch (IOException e) {
      throw new UncheckedIOException("confirmed servers cannot be read: " + file(), e);
    }
  }

  private static String key(Path file) {
    try {
      return file.toRealPath().toString();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot be found: " + file, e);
    }
  }

  private static Path folder(Path file) {
    return requireNonNull(file.toAbsolutePath().getParent());
  }

  @Override
  public String toString() {
    return "McpTrust[" + folder + "]";
  }
}
