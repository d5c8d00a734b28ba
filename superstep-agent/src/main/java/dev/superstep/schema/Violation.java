package dev.superstep.schema;

/// A violation of a schema by a JSON value.
///
/// @param path where, as a JSON pointer; empty for the whole value
/// @param sentence what is wrong and what would be right, with the path, for people and models
public record Violation(String path, String sentence) {
  @Override
  public String toString() {
    return sentence;
  }
}
