package dev.superstep.eval;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.ForkOrigin;
import dev.superstep.eval.check.CalledTool;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.ExpectedCall;
import dev.superstep.eval.internal.AgentReader;
import dev.superstep.eval.internal.ChannelValues;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.run.Outcome;
import dev.superstep.run.ThreadState;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Makes cases of recorded threads: a run that went well, or badly, becomes a case that later
/// versions are measured by. Reads threads and changes nothing. Safe for many threads.
///
/// ```java
/// var item = RecordedCases.in(store).of(agent, "ticket-17").withTags("refund");
/// Dataset.append(Path.of("eval/refunds.jsonl"), item);
/// ```
///
/// Look at a case before you keep it: what the run answered is taken as what is expected, and its
/// texts may hold what should not be in a file. Answers that people gave are not taken along.
public final class RecordedCases {
  private static final int CHECKPOINTS_MAX = 100_000;
  private static final int PAGE = 1_000;
  private static final String THREAD = "thread";

  private final Checkpointer store;

  private RecordedCases(Checkpointer store) {
    this.store = store;
  }

  /// The threads of a store.
  public static RecordedCases in(Checkpointer store) {
    return new RecordedCases(store);
  }

  /// The last turn of an agent's conversation as a case: what was said up to the person's last
  /// message is the input, the answer is what is expected, and so are the tool calls since then.
  ///
  /// @param thread also the id of the case
  /// @throws NothingRecorded if nothing of the thread is stored, or no person speaks in it
  public Case of(Agent<?> agent, String thread) {
    var state =
        agent
            .graph()
            .state(RunOptions.defaults().on(thread, store))
            .orElseThrow(() -> new NothingRecorded(thread, "the store has nothing of it"));
    var all = state.state().get(agent.messages());
    int at = all.size() - 1;
    while (at >= 0 && !(all.get(at) instanceof UserMessage)) at--;
    if (at < 0) throw new NothingRecorded(thread, "no person speaks in it");
    var item = Case.of(thread, input(all.subList(0, at + 1))).withMetadata(THREAD, thread);
    var since = all.subList(at + 1, all.size());
    var calls = calls(since, state.next().isEmpty() ? answerTool(agent, state.state()) : "");
    item = item.withTools(calls.toArray(ExpectedCall[]::new));
    return state.next().isEmpty() ? item.withExpected(answer(agent, state.state())) : item;
  }

  private static String answerTool(Agent<?> agent, State state) {
    return agent.result(new Outcome.Completed(state)).report().answerTool().orElse("");
  }

  private static Json answer(Agent<?> agent, State state) {
    var result = agent.result(new Outcome.Completed(state));
    return result instanceof AgentResult.Answered<?>(var answer, _)
        ? Json.of(answer)
        : Json.string(result.report().text());
  }

  private static List<ExpectedCall> calls(List<Message> since, String answerTool) {
    return AgentReader.calls(since, Optional.of(answerTool)).stream()
        .map(call -> expected(call))
        .toList();
  }

  private static ExpectedCall expected(CalledTool call) {
    var isObject = call.arguments().filter(json -> json.text().startsWith("{")).isPresent();
    return new ExpectedCall(call.tool(), isObject ? call.arguments() : Optional.empty());
  }

  /// The text of the only message, or the conversation without its tool calls.
  private static Json input(List<Message> said) {
    var spoken = said.stream().filter(one -> !one.text().isBlank()).toList();
    if (spoken.size() == 1) return Json.string(spoken.getFirst().text());
    var messages = new ArrayList<Map<String, String>>();
    for (var message : spoken) {
      var role =
          switch (message) {
            case UserMessage _ -> "user";
            case AssistantMessage _ -> "assistant";
            case SystemMessage _ -> "system";
            case ToolMessage _ -> "";
          };
      if (role.isEmpty()) continue;
      var one = new LinkedHashMap<String, String>();
      one.put("role", role);
      one.put("content", message.text());
      messages.add(one);
    }
    return Json.of(Map.of("messages", messages));
  }

  /// The last run of a graph as a case of [Subject#graph(Graph)]: the values of the channels when
  /// the run began are the input, and those at its end are what is expected.
  ///
  /// @param thread also the id of the case
  /// @throws NothingRecorded if nothing of the thread is stored
  public Case of(Graph graph, String thread) {
    var channels = new ChannelValues(graph);
    return of(graph, thread, channels::json, channels::json);
  }

  /// The last run of a graph as a case, from the last input of the thread to its end. For a typed
  /// flow, these are `flow::encodeInput` and `flow::encodeOutput`.
  ///
  /// @param thread also the id of the case
  /// @param input reads the input from the state that the run began with
  /// @param output reads the output from the last state
  /// @throws NothingRecorded if nothing of the thread is stored
  public Case of(
      Graph graph, String thread, Function<State, Json> input, Function<State, Json> output) {
    var options = RunOptions.defaults().on(thread, store);
    var last =
        graph
            .state(options)
            .orElseThrow(() -> new NothingRecorded(thread, "the store has nothing of it"));
    var first = graph.state(beginning(graph, last, options), options).orElse(last);
    var item = Case.of(thread, input.apply(first.state())).withMetadata(THREAD, thread);
    return last.next().isEmpty() ? item.withExpected(output.apply(last.state())) : item;
  }

  /// The checkpoint of the last input before a state. A rewound thread has checkpoints that the
  /// state does not come from.
  private static String beginning(Graph graph, ThreadState last, RunOptions options) {
    var at = last.checkpoint();
    Optional<String> wanted = Optional.of(at);
    Optional<String> before = Optional.empty();
    for (int seen = 0; seen < CHECKPOINTS_MAX; seen += PAGE) {
      var page = graph.history(before, PAGE, options);
      for (var one : page) {
        if (!wanted.equals(Optional.of(one.id()))) continue;
        at = one.id();
        wanted = previous(one);
        if (wanted.isEmpty()) return at;
      }
      if (page.size() < PAGE) return at;
      before = Optional.of(page.getLast().id());
    }
    return at;
  }

  /// The checkpoint of the same thread that one comes from; empty for that of an input.
  private static Optional<String> previous(Checkpoint one) {
    if (one.source() == Checkpoint.Source.INPUT) return Optional.empty();
    if (one.origin().isEmpty()) return one.parent();
    return one.origin()
        .filter(origin -> origin.kind() == ForkOrigin.Kind.REWIND)
        .map(ForkOrigin::checkpoint);
  }

  @Override
  public String toString() {
    return "RecordedCases[" + store + "]";
  }
}
