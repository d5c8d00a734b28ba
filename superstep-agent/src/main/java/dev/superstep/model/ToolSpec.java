package dev.superstep.model;

import dev.superstep.json.Json;

/// What a model is told of a tool.
///
/// @param parameters a JSON Schema of type object
public record ToolSpec(String name, String description, Json parameters) {}
