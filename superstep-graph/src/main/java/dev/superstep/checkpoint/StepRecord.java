package dev.superstep.checkpoint;

import dev.superstep.json.Json;

/// The result of a side effect inside a node, saved as soon as the effect was over. When the node
/// runs again, the effect does not.
///
/// @param task the task whose node it was
/// @param key names the effect within its task
public record StepRecord(String task, String key, Json result) {}
