package dev.superstep.mcp;

import dev.superstep.json.Json;
import java.util.Optional;

/// Something that a server asks a person in the middle of a call: values for a form, or to visit a
/// page. Its text comes from the server, which may be hostile: show whose it is.
///
/// @param server the name of the server
/// @param message for the person
/// @param schema of the values, for a form: an object with flat properties
/// @param url of the page, if it is one
public record McpElicitation(
    String server, String message, Optional<Json> schema, Optional<String> url) {}
