package dev.superstep.server.extension;

/// Runs that belong together: those whose metadata has a field with a value. Immutable.
///
/// @param field a name of metadata, such as `a2a_task`
/// @param value a text without control characters
public record RunTopic(String field, String value) {
  /// The topic under which its webhooks are kept.
  public String name() {
    return field + "/" + value;
  }
}
