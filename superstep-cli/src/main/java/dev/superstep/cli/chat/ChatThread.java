package dev.superstep.cli.chat;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ShellText;
import dev.superstep.event.Detail;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.run.Outcome;
import dev.superstep.run.ThreadState;
import java.util.List;
import java.util.Optional;

/// The thread of a conversation: its agent, what is stored of it, and what its turns cost. One
/// thread at a time.
final class ChatThread {
  private final Host host;
  private final ChatRequest request;
  private final ChatPartner partner;
  private final Checkpointer store;
  private final String name;
  private final Agent<?> agent;
  private ChatCosts costs = ChatCosts.NONE;
  private Optional<String> head = Optional.empty();

  ChatThread(Host host, ChatRequest request, ChatPartner partner, Checkpointer store, String name) {
    this.host = host;
    this.request = request;
    this.partner = partner;
    this.store = store;
    this.name = name;
    this.agent = partner.agent(name);
  }

  String name() {
    return name;
  }

  Agent<?> agent() {
    return agent;
  }

  ChatCosts costs() {
    return costs;
  }

  void spent(ChatCosts now) {
    costs = now;
  }

  /// Reads the stored state; empty for a new thread.
  Optional<ThreadState> state() {
    return agent.graph().state(options());
  }

  /// Takes what is stored as known: its end, and what was spent.
  Optional<ThreadState> open() {
    var state = state();
    state.ifPresent(known -> costs = spent(known));
    seen();
    return state;
  }

  /// A turn notes what was spent before it, and its own spending is in its result.
  private ChatCosts spent(ThreadState known) {
    var noted = known.metadata().get(ChatCosts.KEY);
    var before = noted == null ? ChatCosts.NONE : ChatCosts.parse(noted);
    if (!known.next().isEmpty() || !known.questions().isEmpty()) return before;
    return before.plus(agent.result(new Outcome.Completed(known.state())).report().spent());
  }

  /// The messages so far.
  List<Message> messages() {
    return state().map(known -> known.state().get(agent.messages())).orElse(List.of());
  }

  /// The options of the next run.
  RunOptions options() {
    var options =
        RunOptions.thread(name)
            .checkpoints(store)
            .journal(request.looks().events().redaction())
            .recorded()
            .details(Detail.TASKS)
            .clock(host.clock())
            .metadata(ChatCosts.KEY, costs.noted());
    return partner.addTo(options, name);
  }

  /// Notes that everything that is stored now has been shown.
  void seen() {
    head = latest();
  }

  /// Returns whether another process has written since.
  boolean hasMoved() {
    return !head.equals(latest());
  }

  private Optional<String> latest() {
    return store.latest(Lineage.of(name)).map(saved -> saved.checkpoint().id());
  }

  /// The command that goes on with the conversation.
  String command() {
    var words = new StringBuilder(host.command()).append(" chat");
    for (var word : partner.arguments()) words.append(' ').append(ShellText.word(word));
    words.append(" --thread ").append(ShellText.word(name));
    request.store().ifPresent(file -> words.append(" --store ").append(ShellText.word(file)));
    return words.toString();
  }
}
