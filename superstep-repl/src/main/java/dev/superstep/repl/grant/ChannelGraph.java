package dev.superstep.repl.grant;

import dev.superstep.graph.Graph;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolGraph;
import dev.superstep.tool.ToolResult;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// A graph from Java as cells see it: a dict of channels goes in, and a dict of channels comes out.
/// Immutable.
record ChannelGraph(Graph graph) implements ToolGraph {
  private static final Codec<Map<String, Json>> OBJECT = Codec.mapOf(Json.class);

  /// Whoever grants a graph grants what its nodes do; the gate is for what cells call themselves.
  @Override
  public ToolGraph within(ToolGate gate) {
    return this;
  }

  @Override
  public Input input(Json arguments) {
    var input = Input.none();
    for (var field : fields(arguments).entrySet()) {
      input = and(input, channel(field.getKey()), field);
    }
    return input;
  }

  private static Map<String, Json> fields(Json arguments) {
    try {
      return OBJECT.decode(arguments);
    } catch (MalformedJson e) {
      throw new IllegalArgumentException("a graph is given a dict of its channels", e);
    }
  }

  private static <V, W> Input and(
      Input input, Channel<V, W> channel, Map.Entry<String, Json> field) {
    try {
      return input.and(channel, channel.writes().decode(field.getValue()));
    } catch (MalformedJson e) {
      throw new IllegalArgumentException(
          "`%s` takes %s".formatted(field.getKey(), channel.writes().type()), e);
    }
  }

  private Channel<?, ?> channel(String name) {
    var names = new TreeSet<String>();
    for (var channel : graph.parts().channels()) {
      if (channel.name().equals(name)) return channel;
      names.add(channel.name());
    }
    throw new IllegalArgumentException(
        "the graph has no channel `%s`; it has %s".formatted(name, String.join(", ", names)));
  }

  @Override
  public ToolResult result(State end) {
    var values = new TreeMap<String, Json>();
    for (var channel : graph.parts().channels()) {
      if (channel.isTracked()) put(values, channel, end);
    }
    return ToolResult.of(OBJECT.encode(values).text());
  }

  private static <V> void put(Map<String, Json> values, Channel<V, ?> channel, State end) {
    end.find(channel)
        .ifPresent(value -> values.put(channel.name(), channel.values().encode(value)));
  }
}
