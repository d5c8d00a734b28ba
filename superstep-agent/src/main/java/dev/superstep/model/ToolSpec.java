package dev.superstep.model;

import dev.superstep.json.Json;

/// The description of a tool for a model.
///
/// @param parameters a JSON Schema of type object
public record ToolSpec(String name, String description, Json parameters) {}
