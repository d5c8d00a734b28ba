package dev.superstep.eval.internal;

import dev.superstep.graph.Graph;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Converts the stored channels of a graph to a JSON object, and such an object to an input that
/// sets them. Immutable.
public record ChannelValues(List<Channel<?, ?>> channels) {
  public ChannelValues(Graph graph) {
    this(graph.parts().channels().stream().filter(Channel::isTracked).toList());
  }

  /// The values that a state has, without initial ones.
  public Json json(State state) {
    var values = new TreeMap<String, Json>();
    for (var channel : channels) {
      value(state, channel).ifPresent(value -> values.put(channel.name(), value));
    }
    return Json.of(values);
  }

  private static <V> Optional<Json> value(State state, Channel<V, ?> channel) {
    if (state.version(channel) == 0) return Optional.empty();
    return state.find(channel).map(channel.values()::encode);
  }

  /// The input that sets these values.
  ///
  /// @throws IllegalArgumentException if a name is not that of a stored channel
  /// @throws dev.superstep.json.MalformedJson if it is no object, or a value is of another type
  public Input input(Json given) {
    var writes = new ArrayList<Write>();
    Codec.mapOf(Json.class)
        .decode(given)
        .forEach((name, value) -> writes.addAll(write(channel(name), value)));
    return Input.none().with(writes);
  }

  private static <V> List<Write> write(Channel<V, ?> channel, Json value) {
    return Update.overwrite(channel, channel.values().decode(value)).writes();
  }

  private Channel<?, ?> channel(String name) {
    for (var channel : channels) if (channel.name().equals(name)) return channel;
    var names = channels.stream().map(Channel::name).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        "the input names channel `" + name + "`, and the stored channels are " + names);
  }
}
