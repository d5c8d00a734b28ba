package dev.superstep.model;

import dev.superstep.json.Json;
import java.util.List;
import java.util.Optional;

/// A tool that runs at the vendor, such as its web search. The vendor calls it by itself; what it
/// did comes back as [dev.superstep.message.Content.Extension] and is returned with the
/// conversation.
///
/// | vendor | example of a definition |
/// |---|---|
/// | `anthropic` | `{"type":"web_search_20250305","name":"web_search"}` |
/// | `openai`, by responses | `{"type":"web_search"}` |
/// | `gemini` | `{"googleSearch":{}}` |
///
/// @param vendor the scheme of the vendor's model URLs; models of others are not told
/// @param definition as the vendor documents it, an object
/// @param fields further fields of the request that the tool needs, an object of arrays, to which
///   other tools may add; such as `{"mcp_servers":[...]}`
/// @param betas the vendor's names of unfinished features that the tool needs
public record HostedTool(
    String vendor, Json definition, Optional<Json> fields, List<String> betas) {
  public HostedTool {
    betas = List.copyOf(betas);
  }

  /// A tool that needs nothing else.
  public HostedTool(String vendor, Json definition) {
    this(vendor, definition, Optional.empty(), List.of());
  }

  /// Returns a copy that needs these further fields of the request.
  public HostedTool withFields(Json object) {
    return new HostedTool(vendor, definition, Optional.of(object), betas);
  }

  /// Returns a copy that needs these unfinished features of the vendor.
  public HostedTool withBetas(String... names) {
    return new HostedTool(vendor, definition, fields, List.of(names));
  }
}
