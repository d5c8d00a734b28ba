package dev.superstep.team;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.graph.Graph;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Agents that share one conversation and hand it to each other: the one that has it answers, or
/// gives it on by a tool named after the other, such as `transfer_to_sales`. The next message of
/// the thread goes to the one that had it last.
///
/// ```java
/// Graph desk =
///     Swarm.named("desk")
///         .member(Agent.named("sales").model(model), "Sells.")
///         .member(Agent.named("support").model(model), "Helps with what does not work.")
///         .graph();
/// desk.invoke(Input.of(Swarm.MESSAGES, Message.user("It is broken.")), options);
/// ```
///
/// An ordinary graph comes of it, with a node for each agent. One thread at a time.
public final class Swarm {
  /// The conversation.
  public static final Channel<List<Message>, Message> MESSAGES = Messages.channel("messages");

  /// The name of the agent that has the conversation.
  public static final Channel<String, String> ACTIVE = Channel.latest("active-agent", String.class);

  private static final int HANDOFFS = 20;

  private final String name;
  private final Map<String, Member> members = new LinkedHashMap<>();
  private int handoffs = HANDOFFS;

  private record Member(String name, AgentBuilder builder, String description) {}

  private Swarm(String name) {
    this.name = name;
  }

  /// A swarm without members.
  public static Swarm named(String name) {
    return new Swarm(name);
  }

  /// Adds an agent. The first one receives the first message.
  ///
  /// @param builder its settings; the hand-off tools are added to them
  /// @param description tells the others what it is for
  public Swarm member(AgentBuilder builder, String description) {
    var member = new Member(builder.name(), builder, description);
    if (members.putIfAbsent(member.name(), member) != null) {
      throw new IllegalArgumentException("two members are named `" + member.name() + "`");
    }
    return this;
  }

  /// Limits the hand-offs of one run; 20 unless set.
  public Swarm handoffs(int most) {
    if (most < 1) throw new IllegalArgumentException("handoffs must be at least 1, was " + most);
    handoffs = most;
    return this;
  }

  /// The graph.
  ///
  /// @throws IllegalStateException if it has fewer than two members
  public Graph graph() {
    if (members.size() < 2) {
      throw new IllegalStateException("Swarm `" + name + "` needs two members at least.");
    }
    var graph = Graph.named(name).channels(MESSAGES, ACTIVE);
    var names = members.keySet().toArray(String[]::new);
    for (var member : members.values()) {
      graph.node(member.name(), agent(member).on(MESSAGES));
      graph.route(member.name(), state -> next(member.name(), state), withEnd(names));
    }
    var first = names[0];
    return graph
        .route(START, state -> state.find(ACTIVE).orElse(first), names)
        .stepLimit(handoffs + 1)
        .compile();
  }

  private static String next(String from, State state) {
    var active = state.find(ACTIVE).orElse(from);
    return active.equals(from) ? END : active;
  }

  private static String[] withEnd(String[] names) {
    var all = new ArrayList<>(List.of(names));
    all.add(END);
    return all.toArray(String[]::new);
  }

  private Agent<String> agent(Member member) {
    var others = new ArrayList<Handoff.Other>();
    for (var other : members.values()) {
      if (!other.equals(member)) others.add(new Handoff.Other(other.name(), other.description()));
    }
    return member.builder().copy().middleware(new Handoff(member.name(), others)).build();
  }

  /// Returns the input of a swarm's graph for a user message.
  public static Input input(String text) {
    return Input.of(MESSAGES, (Message) Message.user(text));
  }

  @Override
  public String toString() {
    return "Swarm[" + name + ", " + members.keySet() + "]";
  }
}
