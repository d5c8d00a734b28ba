package dev.superstep.middleware.hosted;

import dev.superstep.json.Json;
import dev.superstep.message.Citation;
import dev.superstep.message.Content;
import dev.superstep.model.ChatReply;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/// The calls of tools at the vendor in a turn. Immutable.
///
/// @param agent whose turn it was
/// @param model the URL of the model
/// @param calls how often each tool was called, by the vendor's name of it, such as `web_search`
/// @param citations the number of sources that the reply names
public record HostedUse(String agent, String model, Map<String, Integer> calls, int citations) {
  private static final String CALL = "_call";

  public HostedUse {
    calls = java.util.Collections.unmodifiableMap(new TreeMap<>(calls));
  }

  /// The use of a turn, by its reply.
  public static HostedUse of(String agent, ChatReply reply) {
    var calls = new TreeMap<String, Integer>();
    for (var part : reply.message().content()) {
      if (!(part instanceof Content.Extension(var seal))) continue;
      tool(seal.data()).ifPresent(tool -> calls.merge(tool, 1, Integer::sum));
    }
    var citations = Citation.of(reply.message()).size();
    return new HostedUse(agent, reply.model().url(), calls, citations);
  }

  /// The tool of a part that is a call; Anthropic's and OpenAI's parts have a type.
  private static Optional<String> tool(Json data) {
    var part = JsonMapper.shared().readTree(data.text());
    if (part.has("executableCode")) return Optional.of("code_execution");
    var type = part.path("type").asString("");
    if (type.equals("server_tool_use") || type.equals("mcp_tool_use")) {
      return Optional.of(part.path("name").asString("unknown"));
    }
    return type.endsWith(CALL)
        ? Optional.of(type.substring(0, type.length() - CALL.length()))
        : Optional.empty();
  }
}
