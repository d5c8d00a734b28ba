package dev.superstep.model;

import dev.superstep.json.Json;

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
public record HostedTool(String vendor, Json definition) {}
