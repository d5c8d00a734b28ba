package dev.superstep.mcp.internal.pin;

import dev.superstep.json.Json;
import dev.superstep.lock.Mutex;
import dev.superstep.mcp.internal.wire.Wire;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Approved tools in a file: servers, with their tools, as JSON.
public final class PinFile implements PinStore {
  private static final JsonMapper JSON = new JsonMapper();

  /// For all of this process, since a lock on a file is between processes alone.
  private static final Mutex WRITING = new Mutex();

  private final Path file;

  /// Pins in a file, which need not be there.
  public PinFile(Path file) {
    this.file = file.toAbsolutePath();
  }

  @Override
  public boolean knows(String server) {
    return read().has(server);
  }

  @Override
  public Optional<Json> approved(String server, String tool) {
    var found = read().path(server).path(tool);
    return found.isObject() ? Optional.of(Wire.json(found).canonical()) : Optional.empty();
  }

  @Override
  public Map<String, Json> all(String server) {
    var all = new LinkedHashMap<String, Json>();
    for (var one : read().path(server).properties()) {
      if (one.getValue().isObject()) all.put(one.getKey(), Wire.json(one.getValue()).canonical());
    }
    return Collections.unmodifiableMap(all);
  }

  @Override
  public void approve(String server, String tool, Json definition) {
    var lock = file.resolveSibling(file.getFileName() + ".lock");
    try (var _ = WRITING.hold()) {
      Files.createDirectories(lock.getParent());
      try (var channel =
              FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var _ = channel.lock()) {
        var all = read();
        var tools = all.get(server) instanceof ObjectNode known ? known : all.putObject(server);
        tools.set(tool, Wire.tree(definition));
        write(all);
      }
    } catch (IOException e) {
      throw new Unusable(file, e);
    }
  }

  private void write(ObjectNode all) throws IOException {
    var next = Files.createTempFile(file.getParent(), "pins", ".json");
    try {
      Files.writeString(next, Wire.write(all));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  /// Reads the file. An unreadable one does not count as empty: each tool would be approved then.
  private ObjectNode read() {
    try {
      if (!Files.exists(file)) return Wire.object();
      if (JSON.readTree(Files.readString(file)) instanceof ObjectNode all) return all;
      throw new IOException("it is no JSON object");
    } catch (IOException | JacksonException e) {
      throw new Unusable(file, e);
    }
  }

  @Override
  public String toString() {
    return "PinFile[" + file + "]";
  }
}
