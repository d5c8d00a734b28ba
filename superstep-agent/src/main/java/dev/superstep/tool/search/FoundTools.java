package dev.superstep.tool.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.Message;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ToolSpec;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The tools that the model of a thread has found, each with a digest of what it was shown, so that
/// a tool that has changed since is looked up again. Immutable.
///
/// @param digests by the names of the tools
record FoundTools(Map<String, String> digests) {
  private static final int DIGEST_LENGTH = 16;

  /// The finds of a search, for the program; a conversation that is continued elsewhere, such as
  /// that of an agent that remembers, has them with it.
  record Finds(Map<String, String> found) {}

  /// Those of the state and of the conversation.
  static FoundTools of(Map<String, String> state, List<Message> conversation) {
    var all = new LinkedHashMap<String, String>();
    for (var message : conversation) {
      if (!(message instanceof ToolMessage told) || !told.tool().equals(ToolSearch.SEARCH))
        continue;
      told.artifact().map(FoundTools::read).ifPresent(all::putAll);
    }
    all.putAll(state);
    return new FoundTools(all);
  }

  private static Map<String, String> read(Json artifact) {
    try {
      return artifact.as(Finds.class).found();
    } catch (SuperstepException _) {
      return Map.of(); // of another tool of that name, in a conversation from elsewhere
    }
  }

  /// Returns true if the model was once shown a tool of this name.
  boolean has(String name) {
    return digests.containsKey(name);
  }

  /// Returns true if the model was shown the tool as it is now.
  boolean has(ToolSpec tool) {
    return digest(tool).equals(digests.get(tool.name()));
  }

  static String digest(ToolSpec tool) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      for (var text : List.of(tool.name(), tool.description(), tool.parameters().text())) {
        sha.update(text.getBytes(UTF_8));
        sha.update((byte) 0);
      }
      return HexFormat.of().formatHex(sha.digest()).substring(0, DIGEST_LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
