package dev.superstep.acp;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Codec;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.UserMessage;
import dev.superstep.middleware.TodoList;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.state.UndeclaredChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The graph that sessions are with, and how prompts become its input. Immutable.
///
/// @param conversation the channel with the messages, if it has one
/// @param input makes the input of the text of a prompt, where there is no such channel
/// @param ending the text that the end of a run is told by, where there is no such channel
/// @param wording the words of a question, if the program has some
record Source(
    Graph graph,
    Optional<Channel<List<Message>, Message>> conversation,
    Function<String, Input> input,
    Function<State, String> ending,
    Optional<Function<Interrupt, String>> wording) {
  /// The channel by which the graph of an agent is known.
  private static final String PROGRESS = "agent-progress";

  private static final String MESSAGE = Codec.of(Message.class).type();

  static Source of(Graph graph) {
    var conversation =
        conversation(graph)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    ("graph `%s` has no channel of messages; give a function that makes its input"
                            + " from a prompt, and one that makes the answer from its end")
                        .formatted(graph.name())));
    return new Source(
        graph, Optional.of(conversation), _ -> Input.none(), _ -> "", Optional.empty());
  }

  @SuppressWarnings("unchecked") // The names of the types were compared.
  private static Optional<Channel<List<Message>, Message>> conversation(Graph graph) {
    for (var channel : graph.parts().channels()) {
      if (isConversation(channel)) return Optional.of((Channel<List<Message>, Message>) channel);
    }
    return Optional.empty();
  }

  private static boolean isConversation(Channel<?, ?> channel) {
    return channel.writes().type().equals(MESSAGE)
        && channel.values().type().equals("list<" + MESSAGE + ">");
  }

  /// Returns whether the graph is that of an agent.
  boolean isAgent() {
    return graph.parts().channels().stream().anyMatch(one -> one.name().equals(PROGRESS));
  }

  Input input(List<Content> prompt) {
    return conversation
        .map(channel -> Input.of(channel, new UserMessage("", prompt)))
        .orElseGet(() -> input.apply(Content.text(prompt)));
  }

  /// Returns whether what is said in a graph inside is part of this conversation.
  ///
  /// @param path the nodes that lead to it
  boolean isSpoken(List<String> path) {
    var at = graph;
    for (var name : path) {
      var inside = conversation.isEmpty() ? Optional.<Graph>empty() : sharing(at, name);
      if (inside.isEmpty()) return false;
      at = inside.get();
    }
    return true;
  }

  /// The conversations in the state of a graph inside.
  List<List<Message>> inside(State state) {
    var all = new ArrayList<List<Message>>();
    for (var channel : conversations()) {
      try {
        state.find(channel).ifPresent(all::add);
      } catch (UndeclaredChannel _) {
        // It is one of another graph.
      }
    }
    return all;
  }

  /// The list of things to do, if there is one.
  Optional<List<TodoList.Todo>> todos(State state) {
    try {
      return state.find(TodoList.TODOS);
    } catch (UndeclaredChannel _) {
      return Optional.empty();
    }
  }

  /// The channels with the messages of this graph and of all inside it.
  private Set<Channel<List<Message>, Message>> conversations() {
    var found = new LinkedHashSet<Channel<List<Message>, Message>>();
    var seen = new HashSet<Graph>();
    var next = new ArrayDeque<>(List.of(graph));
    while (!next.isEmpty()) {
      var one = next.remove();
      if (!seen.add(one)) continue;
      conversation(one).ifPresent(found::add);
      for (var node : one.parts().nodes()) {
        if (node.code() instanceof Subgraph<?> inner) next.add(inner.graph());
      }
    }
    return found;
  }

  private Optional<Graph> sharing(Graph outer, String place) {
    int mark = place.indexOf('#');
    var name = mark < 0 ? place : place.substring(0, mark);
    var channel = conversation.orElseThrow().name();
    for (var node : outer.parts().nodes()) {
      if (!node.name().equals(name) || !(node.code() instanceof Subgraph<?> inner)) continue;
      boolean isPart =
          inner.isShared()
              && inner.graph().parts().channels().stream()
                  .anyMatch(one -> one.name().equals(channel));
      return isPart ? Optional.of(inner.graph()) : Optional.empty();
    }
    return Optional.empty();
  }
}
