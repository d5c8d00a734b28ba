package dev.superstep.message;

import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A call of a tool that runs at the vendor, as a message records it. Immutable.
///
/// @param vendor the scheme of the vendor's model URLs
/// @param kind what the tool does, by the same word for all vendors: `web_search`, `web_page`,
///   `file_search`, `code_execution`, `tool_search`, `mcp`; others have the vendor's word
/// @param tool the vendor's name of the tool; that of the tool of the server for `mcp`
/// @param failed whether the vendor says that the call failed
public record HostedCall(String vendor, String kind, String tool, boolean failed) {
  /// The vendor of the seal of calls that the vendor reports outside of the message. No vendor has
  /// this name.
  private static final String SEAL = "hosted-call";

  private static final String CALL = "_call";
  private static final String EXECUTION = "code_execution";

  /// The calls of a message, in their order.
  public static List<HostedCall> of(Message message) {
    var blocks = new ArrayList<Block>();
    for (var part : message.content()) {
      if (!(part instanceof Content.Extension(var seal))) continue;
      if (seal.vendor().equals(SEAL)) {
        told(seal.data()).ifPresent(call -> blocks.add(new Block("", Optional.of(call))));
      } else {
        blocks.add(block(seal));
      }
    }
    var failed = new HashSet<String>();
    for (var block : blocks) if (block.call().isEmpty()) failed.add(block.id());
    return blocks.stream().flatMap(block -> block.call(failed).stream()).toList();
  }

  /// A part of a message: a call, or a result that says that the call of this id failed.
  private record Block(String id, Optional<HostedCall> call) {
    static final Block NOTHING = new Block("", Optional.empty());

    Optional<HostedCall> call(Set<String> failures) {
      return call.map(made -> !id.isEmpty() && failures.contains(id) ? made.asFailed() : made);
    }
  }

  private HostedCall asFailed() {
    return new HostedCall(vendor, kind, tool, true);
  }

  private static Optional<HostedCall> told(Json data) {
    try {
      return Optional.of(data.as(HostedCall.class));
    } catch (SuperstepException _) {
      return Optional.empty();
    }
  }

  /// Anthropic's and OpenAI's parts have a type.
  private static Block block(Content.Seal seal) {
    var part = JsonMapper.shared().readTree(seal.data().text());
    if (part.has("executableCode")) {
      return call("", new HostedCall(seal.vendor(), EXECUTION, EXECUTION, false));
    }
    var type = part.path("type").asString("");
    if (type.equals("server_tool_use")) {
      var tool = part.path("name").asString("unknown");
      return call(id(part, "id"), new HostedCall(seal.vendor(), kind(tool), tool, false));
    }
    if (type.equals("mcp_tool_use")) {
      var tool = part.path("name").asString("unknown");
      return call(id(part, "id"), new HostedCall(seal.vendor(), "mcp", tool, false));
    }
    if (type.endsWith("_tool_result")) {
      boolean isFailed =
          part.path("is_error").asBoolean(false)
              || part.path("content").path("type").asString("").endsWith("_error");
      return isFailed ? new Block(id(part, "tool_use_id"), Optional.empty()) : Block.NOTHING;
    }
    if (!type.endsWith(CALL)) return Block.NOTHING;
    var tool = type.substring(0, type.length() - CALL.length());
    boolean isFailed = part.path("status").asString("").equals("failed");
    return call("", new HostedCall(seal.vendor(), kindOf(tool, part), tool, isFailed));
  }

  private static Block call(String id, HostedCall call) {
    return new Block(id, Optional.of(call));
  }

  private static String id(JsonNode part, String field) {
    return part.path(field).asString("");
  }

  private static String kind(String tool) {
    if (tool.endsWith(EXECUTION)) return EXECUTION;
    if (tool.startsWith("tool_search")) return "tool_search";
    return tool.equals("web_fetch") ? "web_page" : tool;
  }

  // OpenAI's search also opens pages, which is another price.
  private static String kindOf(String tool, JsonNode part) {
    var action = part.path("action").path("type").asString("search");
    return switch (tool) {
      case "web_search" -> action.equals("search") ? tool : "web_page";
      case "code_interpreter" -> EXECUTION;
      default -> tool;
    };
  }

  /// The call as a part of a message, for vendors that report it outside of the message.
  public Content part() {
    return new Content.Extension(new Content.Seal(SEAL, Json.of(this)));
  }
}
