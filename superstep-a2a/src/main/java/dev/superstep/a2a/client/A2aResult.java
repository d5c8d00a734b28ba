package dev.superstep.a2a.client;

import dev.superstep.json.Json;
import java.util.List;

/// The end of a task of an agent elsewhere. Immutable.
///
/// @param task its id there, or empty if the agent answered without a task
/// @param text the texts of its artifacts, one line after the other; of an agent that gave none,
///   the text of its last message
/// @param data the data of its artifacts
public record A2aResult(String task, String text, List<Json> data) {
  public A2aResult {
    data = List.copyOf(data);
  }
}
