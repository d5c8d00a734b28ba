package dev.superstep.flow;

import dev.superstep.json.Codec;
import dev.superstep.json.UnsupportedType;
import dev.superstep.schema.JsonSchema;
import dev.superstep.state.Channel;
import java.util.regex.Pattern;

/// A state of a flow: a type, and the key that it has there. Immutable.
///
/// @param key the schema name; inside of a nested flow, that with the flow's prefix
record StateType<T>(String key, Class<T> type) {
  /// Between the entry of a nested flow and what is inside.
  static final String INSIDE = "::";

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

  /// @param flow the name of the flow, for the error
  /// @throws FlowError.BuildError if values of the type cannot be stored, or described by a schema
  static <T> StateType<T> of(String flow, Class<T> type) {
    var given = type.getAnnotation(SchemaName.class);
    var key = given == null ? type.getSimpleName() : given.value();
    if (!NAME.matcher(key).matches()) {
      throw new FlowError.BuildError(
          flow, type.getName(), "its name `" + key + "` is no schema name; give it a @SchemaName");
    }
    try {
      Codec.of(type);
      JsonSchema.of(type);
    } catch (UnsupportedType | IllegalArgumentException e) {
      throw new FlowError.BuildError(flow, type.getName(), String.valueOf(e.getMessage()));
    }
    return new StateType<>(key, type);
  }

  Codec<T> codec() {
    return Codec.of(type);
  }

  /// Holds the state until the step that takes it has run.
  Channel<T, T> channel() {
    return Channel.token(key, codec());
  }

  /// Returns the state with its key in a flow that contains this one.
  StateType<T> named(String other) {
    return new StateType<>(other, type);
  }

  @Override
  public String toString() {
    return key;
  }
}
