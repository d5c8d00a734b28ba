package dev.superstep.server.graph;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.run.Input;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// A graph as a server offers it: under a name, with how it takes its input. Immutable.
///
/// ```java
/// ServedGraph.of(supportDesk).describedAs("Answers customers")
/// ```
///
/// @param id unique on its server; clients use it in place of an assistant
/// @param description for people, or empty
/// @param input turns the input of a client into that of the graph; where there is none, an object
///   whose fields are the graph's channels is taken
/// @param schema the JSON Schema of an input of another form, if it is known
/// @param options what the program adds to the options of its runs
/// @param outputs the channels that clients get as the values of a run; all if none is named. The
///   state of a thread is shown whole
public record ServedGraph(
    String id,
    String description,
    Graph graph,
    Optional<Function<Json, Input>> input,
    Optional<Json> schema,
    UnaryOperator<RunOptions> options,
    List<String> outputs) {
  public ServedGraph {
    outputs = List.copyOf(outputs);
  }

  /// A graph under its own name, whose input is an object with its channels as fields.
  public static ServedGraph of(Graph graph) {
    return new ServedGraph(
        graph.name(),
        "",
        graph,
        Optional.empty(),
        Optional.empty(),
        UnaryOperator.identity(),
        List.of());
  }

  /// Returns a copy under another name.
  public ServedGraph named(String name) {
    return new ServedGraph(name, description, graph, input, schema, options, outputs);
  }

  /// Returns a copy with a description.
  public ServedGraph describedAs(String text) {
    return new ServedGraph(id, text, graph, input, schema, options, outputs);
  }

  /// Returns a copy with an input of another form.
  public ServedGraph taking(Function<Json, Input> form) {
    return new ServedGraph(
        id, description, graph, Optional.of(form), Optional.empty(), options, outputs);
  }

  /// Returns a copy with an input of another form, which clients and forms are told.
  ///
  /// @param described the JSON Schema of what the form takes
  public ServedGraph taking(Json described, Function<Json, Input> form) {
    return new ServedGraph(
        id, description, graph, Optional.of(form), Optional.of(described), options, outputs);
  }

  /// Returns a copy with more options for its runs.
  public ServedGraph with(UnaryOperator<RunOptions> more) {
    return new ServedGraph(id, description, graph, input, schema, more, outputs);
  }

  /// Returns a copy whose runs give back the values of these channels alone, to clients that wait
  /// for them or stream them. What a thread holds is shown whole.
  public ServedGraph giving(List<String> channels) {
    return new ServedGraph(id, description, graph, input, schema, options, channels);
  }

  /// The channel that holds the conversation: the first one that is a list of messages.
  public Optional<String> conversation() {
    var message = Codec.of(Message.class).type();
    return graph.parts().channels().stream()
        .filter(channel -> channel.writes().type().equals(message))
        .filter(channel -> channel.values().type().equals("list<" + message + ">"))
        .map(channel -> channel.name())
        .findFirst();
  }
}
