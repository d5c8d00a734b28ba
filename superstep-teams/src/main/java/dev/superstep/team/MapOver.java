package dev.superstep.team;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodePolicy;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Runs one agent over many items in parallel. Each item has its own task and conversation; the
/// answers have the order of the items.
///
/// ```java
/// var summaries = MapOver.of("summaries", summarizer, Page.class, Page::text, Summary.class);
/// summaries.graph().invoke(Input.of(summaries.items(), pages), options);
/// ```
///
/// The result is an ordinary graph. Immutable.
///
/// @param <T> the type of the items
/// @param <A> the type of the agent's answers
public final class MapOver<T, A> {
  private static final int AT_ONCE = 8;

  private final String name;
  private final Agent<A> agent;
  private final Function<T, String> task;
  private final Target<T> target;
  private final Channel<List<T>, T> items;
  private final Channel<List<A>, A> answers;
  private final int concurrency;

  private MapOver(
      String name,
      Agent<A> agent,
      Function<T, String> task,
      Class<T> item,
      Class<A> answer,
      int atOnce) {
    this.name = name;
    this.agent = agent;
    this.task = task;
    this.target = Target.of("each", item);
    this.items = Channel.append("items", item);
    this.answers = Channel.append("answers", answer);
    this.concurrency = atOnce;
  }

  private MapOver(MapOver<T, A> from, int atOnce) {
    this.name = from.name;
    this.agent = from.agent;
    this.task = from.task;
    this.target = from.target;
    this.items = from.items;
    this.answers = from.answers;
    this.concurrency = atOnce;
  }

  /// Runs the agent over items, at most eight at once.
  ///
  /// @param item a closed type
  /// @param task makes the agent's task from an item
  public static <T, A> MapOver<T, A> of(
      String name, Agent<A> agent, Class<T> item, Function<T, String> task, Class<A> answer) {
    return new MapOver<>(name, agent, task, item, answer, AT_ONCE);
  }

  /// Sets how many items are processed at once.
  public MapOver<T, A> concurrency(int most) {
    if (most < 1) throw new IllegalArgumentException("concurrency must be at least 1, was " + most);
    return new MapOver<>(this, most);
  }

  /// The things.
  public Channel<List<T>, T> items() {
    return items;
  }

  /// The answers, in the order of the things.
  public Channel<List<A>, A> answers() {
    return answers;
  }

  /// The graph.
  public Graph graph() {
    return Graph.named(name)
        .channels(items, answers)
        .node(
            target,
            agent.sent(task, answer -> Update.of(answers, answer)),
            NodePolicy.defaults().concurrency(concurrency))
        .fanOut(
            START,
            state -> {
              var sends = new ArrayList<Send<?>>();
              for (var item : state.get(items)) sends.add(Send.to(target, item));
              return sends;
            },
            target)
        .edge(target.name(), END)
        .compile();
  }

  @Override
  public String toString() {
    return "MapOver[" + name + ", " + agent.name() + ", " + concurrency + " at once]";
  }
}
