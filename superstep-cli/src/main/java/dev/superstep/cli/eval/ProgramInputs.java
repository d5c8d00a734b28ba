package dev.superstep.cli.eval;

import static java.util.Objects.requireNonNull;

import dev.superstep.graph.Graph;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.program.Program;
import dev.superstep.program.UnusableInput;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Converts the inputs of cases to those of a program, and back where a thread is recorded.
record ProgramInputs(Program program) {
  /// The input of a program: from JSON, or, where it takes none, from a text.
  Input input(Json given) {
    try {
      return program.input(given);
    } catch (UnusableInput e) {
      if (!given.text().startsWith("\"")) throw e;
      return program.input(given.as(String.class));
    }
  }

  /// The value that the program was given, from the state that a run began with. If the program
  /// does not say, it is looked for, and only a value counts that makes the same input again.
  ///
  /// @throws UnusableInput if there is none
  Json recorded(Graph graph, State first) {
    var said = program.recordedInput(first);
    if (said.isPresent()) return said.get();
    var values = values(graph, first);
    for (var candidate : candidates(values)) {
      if (values.equals(valuesOf(candidate))) return candidate;
    }
    throw new UnusableInput(
        "The program does not say which JSON value it was given (the input wrote "
            + values.keySet()
            + "). Override input(Json), and recordedInput(State) if that takes another value than"
            + " the one of the channel.");
  }

  /// The value of the only channel, the only field of that value, and all channels as one object.
  private static List<Json> candidates(Map<String, Json> values) {
    var all = new ArrayList<Json>();
    if (values.size() == 1) {
      var only = values.values().iterator().next();
      all.add(only);
      onlyField(only).ifPresent(all::add);
    }
    all.add(Json.of(values));
    return all;
  }

  private static Optional<Json> onlyField(Json value) {
    if (!value.text().startsWith("{")) return Optional.empty();
    var fields = Codec.mapOf(Json.class).decode(value);
    return fields.size() == 1 ? Optional.of(fields.values().iterator().next()) : Optional.empty();
  }

  private static Map<String, Json> values(Graph graph, State first) {
    var values = new TreeMap<String, Json>();
    for (var channel : graph.parts().channels()) {
      if (!channel.isTracked() || first.version(channel) == 0) continue;
      value(first, channel).ifPresent(value -> values.put(channel.name(), value.canonical()));
    }
    return values;
  }

  private static <V> Optional<Json> value(State state, Channel<V, ?> channel) {
    return state.find(channel).map(channel.values()::encode);
  }

  /// The values that the program's input for a candidate gives to empty channels; empty if it does
  /// not take the candidate.
  private Map<String, Json> valuesOf(Json candidate) {
    try {
      var input = input(candidate);
      return input.isSeeded() ? Map.of() : values(input);
    } catch (UnusableInput | MalformedJson | IllegalArgumentException _) {
      return Map.of();
    }
  }

  private static Map<String, Json> values(Input input) {
    var writes = new LinkedHashMap<Channel<?, ?>, List<Json>>();
    for (var write : input.writes()) {
      writes.computeIfAbsent(write.channel(), _ -> new ArrayList<>()).addAll(written(write));
    }
    var values = new TreeMap<String, Json>();
    writes.forEach((channel, all) -> values.put(channel.name(), folded(channel, all)));
    return values;
  }

  private static List<Json> written(Write write) {
    return switch (write) {
      case Write.Put<?> put -> List.of(put(put));
      case Write.PutAll<?> all -> putAll(all);
      case Write.Overwrite<?> _, Write.Remove _ -> List.of();
    };
  }

  private static <W> Json put(Write.Put<W> put) {
    return put.channel().writes().encode(put.value());
  }

  private static <W> List<Json> putAll(Write.PutAll<W> all) {
    return all.values().stream().map(all.channel().writes()::encode).toList();
  }

  private static <V, W> Json folded(Channel<V, W> channel, List<Json> writes) {
    var reducer = channel.reducer();
    var all = writes.stream().map(channel.writes()::decode).toList();
    var value = requireNonNull(reducer.fold(reducer.initial(), all).value());
    return channel.values().encode(value).canonical();
  }
}
