package dev.superstep.testkit.junit;

import dev.superstep.file.PrivateFiles;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.tool.ToolResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Keeps what the tools of an agent returned, or gives it again without running them: by tool and
/// arguments, and where a call is made several times, one result after the other. A middleware, for
/// one test; safe for many threads.
///
/// Arguments and results are stored unchanged, so look at a new cassette before you share it.
public final class ToolCassette implements Middleware {
  private static final Codec<Entry> ENTRIES = Codec.of(Entry.class);

  private final Path file;
  private final boolean isRecording;
  private final TreeMap<String, Entry> entries = new TreeMap<>();
  private final Map<String, Integer> made = new HashMap<>();
  private final List<String> misses = new ArrayList<>();

  /// @param number counts the calls of this tool with these arguments, from 1
  record Entry(
      String tool,
      String arguments,
      int number,
      List<Content> content,
      boolean error,
      Optional<Json> artifact,
      boolean isFinal) {
    String key() {
      return ToolCassette.key(tool, arguments, number);
    }
  }

  private ToolCassette(Path file, boolean isRecording) {
    this.file = file;
    this.isRecording = isRecording;
    if (!isRecording || Files.exists(file)) read();
  }

  /// Gives what was recorded.
  ///
  /// @throws CassetteMiss if there is no such file
  public static ToolCassette replaying(Path file) {
    if (Files.notExists(file)) {
      throw new CassetteMiss("There is no tool cassette " + file + ". Record it first.");
    }
    return new ToolCassette(file, false);
  }

  /// Runs the tools and keeps what they return, beside what the file has.
  public static ToolCassette recording(Path file) {
    return new ToolCassette(file, true);
  }

  /// @throws CassetteMiss if the call was not recorded
  @Override
  public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
      throws Exception {
    var arguments = normal(call.arguments());
    int number = count(call.tool(), arguments);
    if (!isRecording) return recorded(call.tool(), arguments, number);
    var result = next.call(call);
    record(call.tool(), arguments, number, result);
    return result;
  }

  /// Returns the calls that are not in the file.
  synchronized List<String> misses() {
    return List.copyOf(misses);
  }

  private synchronized int count(String tool, String arguments) {
    return made.merge(tool + " " + arguments, 1, Integer::sum);
  }

  private synchronized ToolResult recorded(String tool, String arguments, int number) {
    var entry = entries.get(key(tool, arguments, number));
    if (entry != null) {
      return new ToolResult(
          entry.content(), entry.error(), entry.artifact(), Optional.empty(), entry.isFinal());
    }
    var miss =
        "Cassette %s has no result of call %d of `%s` with %s. Record it again."
            .formatted(file, number, tool, arguments);
    misses.add(miss);
    throw new CassetteMiss(miss);
  }

  private void record(String tool, String arguments, int number, ToolResult result) {
    if (result.patch().isPresent()) {
      throw new IllegalArgumentException(
          "Cassette %s cannot keep a result of `%s` that writes to the state. Leave the tool out."
              .formatted(file, tool));
    }
    var entry =
        new Entry(
            tool,
            arguments,
            number,
            result.content(),
            result.error(),
            result.artifact(),
            result.isFinal());
    synchronized (this) {
      entries.put(entry.key(), entry);
      write();
    }
  }

  private void read() {
    try {
      for (var line : Files.readAllLines(file)) {
        var entry = ENTRIES.decode(Json.parse(line));
        entries.put(entry.key(), entry);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cassette " + file + " cannot be read.", e);
    }
  }

  private void write() {
    var text = new StringBuilder();
    for (var entry : entries.values()) text.append(ENTRIES.encode(entry).text()).append('\n');
    try {
      var folder = file.toAbsolutePath().getParent();
      if (folder != null) PrivateFiles.createDirectories(folder);
      PrivateFiles.replace(file, text.toString());
    } catch (IOException e) {
      throw new UncheckedIOException("Cassette " + file + " cannot be written.", e);
    }
  }

  private static String key(String tool, String arguments, int number) {
    return tool + " " + arguments + " " + number;
  }

  private static String normal(String arguments) {
    try {
      return Json.parse(arguments).text();
    } catch (MalformedJson _) {
      return arguments;
    }
  }
}
