package dev.superstep.a2a.client;

import dev.superstep.json.Json;
import java.util.List;

/// A question that an agent elsewhere asks before it goes on. Immutable.
///
/// @param text for a person
/// @param data the data that it sent with the text
/// @param needsAuthentication whether it waits for somebody to authenticate with it, by what the
///   text says; the answer then only tells that this was done
public record A2aQuestion(String text, List<Json> data, boolean needsAuthentication) {
  public A2aQuestion {
    data = List.copyOf(data);
  }
}
