package dev.superstep.schema;

/// One way in which a JSON value breaks a schema.
///
/// @param path where, as a JSON pointer; empty for the whole value
/// @param sentence what is wrong and what would be right, with the path, for people and models
public record Violation(String path, String sentence) {
  @Override
  public String toString() {
    return sentence;
  }
}
