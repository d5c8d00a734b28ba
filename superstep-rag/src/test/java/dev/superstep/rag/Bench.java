package dev.superstep.rag;

import dev.superstep.graph.RunOptions;
import dev.superstep.language.Source;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Node;
import dev.superstep.node.Router;
import dev.superstep.node.SendNode;
import dev.superstep.node.Update;
import dev.superstep.rag.component.Mapping;
import dev.superstep.rag.component.RagKind;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/// A registry for the tests of one class, and what they do with it: compile a text, run it, look at
/// the state.
final class Bench {
  /// A list that functions write to, so that tests see in which order they ran.
  static final Channel<List<String>, String> TRACE = Channel.append("trace", String.class);

  final Registry registry = Registry.named("bench");

  /// The names of the functions that ran, in the order of their beginnings.
  final List<String> ran = new CopyOnWriteArrayList<>();

  Bench() {
    registry.register(Component.of(RagKind.CHANNEL, "trace", TRACE));
  }

  Bench function(String name, Node node) {
    registry.register(Component.of(RagKind.FUNCTION, name, node));
    return this;
  }

  Bench sent(String name, SendNode<?> node) {
    registry.register(Component.of(RagKind.SEND_FUNCTION, name, node));
    return this;
  }

  /// Functions that note that they ran.
  Bench steps(String... names) {
    for (var name : names) {
      function(
          name,
          (_, _) -> {
            ran.add(name);
            return Update.of(TRACE, name);
          });
    }
    return this;
  }

  Bench router(String name, Router<?> router) {
    registry.register(Component.of(Kind.ROUTER, name, router));
    return this;
  }

  Bench mapping(String name, Mapping mapping) {
    registry.register(Component.of(RagKind.MAPPING, name, mapping));
    return this;
  }

  Bench channel(Channel<?, ?> channel) {
    registry.register(Component.of(RagKind.CHANNEL, channel.name().toLowerCase(), channel));
    return this;
  }

  Bench type(String name, Class<?> type) {
    registry.register(Component.of(RagKind.TYPE, name, type));
    return this;
  }

  Bench model(String name, ChatModel model) {
    registry.register(Component.of(Kind.MODEL, name, model));
    return this;
  }

  ScriptedModel saying(String name, String... texts) {
    var model = ScriptedModel.saying(texts);
    model(name, model);
    return model;
  }

  ScriptedModel replying(String name, ChatReply... replies) {
    var model = ScriptedModel.replying(replies);
    model(name, model);
    return model;
  }

  RagProgram program(String text) {
    return Rag.compile(Source.of("desk.rag", text), registry, CheckPolicy.file("desk.rag"));
  }

  RagGraph graph(String text) {
    var program = program(text);
    if (!program.isValid()) throw new AssertionError(program.text());
    return program.graph();
  }

  State run(String text) throws InterruptedException {
    return run(text, Map.of());
  }

  State run(String text, Map<String, ?> input) throws InterruptedException {
    return run(graph(text), input, RunOptions.defaults());
  }

  static State run(RagGraph graph, Map<String, ?> input, RunOptions options)
      throws InterruptedException {
    return end(graph.run(graph.input(input), options));
  }

  static State end(Outcome outcome) {
    if (outcome instanceof Outcome.Completed(var state)) return state;
    throw new AssertionError("not completed: " + outcome);
  }

  /// The value of a channel at the end of a run, or null.
  Object value(String text, String channel) throws InterruptedException {
    return value(text, channel, Map.of());
  }

  Object value(String text, String channel, Map<String, ?> input) throws InterruptedException {
    var graph = graph(text);
    return graph.value(run(graph, input, RunOptions.defaults()), channel).orElse(null);
  }
}
