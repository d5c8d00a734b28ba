package dev.superstep.mcp.server;

import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.run.Input;
import dev.superstep.schema.JsonSchema;
import dev.superstep.state.State;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// The form in which a graph is called: how arguments become its input, and its end a result.
/// Immutable.
///
/// @param arguments an object
/// @param start makes the input of arguments that fit
/// @param end makes the result; an object where there is a schema of it
/// @param result the schema of the result, if clients are told one
/// @param options what the program adds to the options of its runs
public record GraphForm(
    JsonSchema arguments,
    Function<Json, Input> start,
    Function<State, Json> end,
    Optional<JsonSchema> result,
    UnaryOperator<RunOptions> options) {
  /// A form without options.
  public GraphForm(
      JsonSchema arguments,
      Function<Json, Input> start,
      Function<State, Json> end,
      Optional<JsonSchema> result) {
    this(arguments, start, end, result, UnaryOperator.identity());
  }

  /// A form whose arguments and result are records.
  public static <A extends Record, R extends Record> GraphForm of(
      Class<A> arguments, Function<A, Input> start, Class<R> result, Function<State, R> end) {
    return new GraphForm(
        JsonSchema.of(arguments),
        json -> start.apply(json.as(arguments)),
        state -> Json.of(end.apply(state)),
        Optional.of(JsonSchema.of(result)));
  }

  /// Returns a copy with more options for its runs.
  public GraphForm with(UnaryOperator<RunOptions> more) {
    return new GraphForm(arguments, start, end, result, more);
  }
}
