package dev.superstep.a2a.client;

import dev.superstep.json.Json;
import java.util.Optional;

/// The answer for an agent elsewhere. Immutable.
///
/// @param text what it is told
/// @param data what it is sent as data, if it needs that
public record A2aAnswer(String text, Optional<Json> data) {
  /// An answer in words.
  public static A2aAnswer of(String text) {
    return new A2aAnswer(text, Optional.empty());
  }
}
