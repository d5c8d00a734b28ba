package dev.superstep.repl.kill;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.host.TextSource;
import dev.superstep.run.Answers;
import dev.superstep.test.kills.Notes;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import java.util.List;
import java.util.Locale;

/// The work of a session that is killed: calls of models and tools, batches of both, an error that
/// is caught, and a tool that needs an approval, over five cells. Each call is noted when it is
/// made.
final class CellStory {
  static final String ANSWER =
      "[\"A\",\"done b\",[\"C1\",\"C2\",\"C3\",\"C4\",\"C5\"],\"provider-error\","
          + "[\"done d1\",\"done d2\",\"done d3\"],\"sent 3\",\"E\"]";

  /// The calls in the order of the session; those of a batch in one line.
  static final List<List<String>> CALLS =
      List.of(
          List.of("turn 1"),
          List.of("a"),
          List.of("b"),
          List.of("turn 2"),
          List.of("c1", "c2", "c3", "c4", "c5"),
          List.of("turn 3"),
          List.of("bad"),
          List.of("d1", "d2", "d3"),
          List.of("turn 4"),
          List.of("send"),
          List.of("e"),
          List.of("turn 5"));

  private static final List<String> CELLS =
      List.of(
          "a = llm_query('a')\nb = tool('mark', name='b')",
          "c = llm_batch(['c' + str(i + 1) for i in range(5)])\nprint([r.value for r in c])",
          """
          try:
              llm_query('bad')
          except HostError as e:
              bad = e.code
          d = tool_call_batched([{'tool': 'mark', 'arguments': {'name': 'd' + str(i)}}
                                 for i in [1, 2, 3]])
          """,
          "sent = tool('send', name=str(len(d)))\ne = llm_query('e')",
          "answer([a, b, [r.value for r in c], bad, [r.value for r in d], sent, e])");

  private final Notes notes;

  CellStory(Notes notes) {
    this.notes = notes;
  }

  record Mark(String name) {}

  /// Begins, goes on, or answers the question that waits. A process that has answered does nothing
  /// else: another one goes on with it.
  String tell(RunOptions options) throws InterruptedException {
    var agent = agent();
    if (agent.graph().state(options).isEmpty()) return told(agent.run("Go.", options));
    return told(agent.resume(Answers.none(), options));
  }

  /// Answers the question that waits.
  String approve(String question, RunOptions options) throws InterruptedException {
    var yes = new Review.Decisions(List.of(new Review.Decision.Approve()));
    return told(agent().resume(Answers.of(question, Review.QUESTION, yes), options));
  }

  private static String told(AgentResult<String> result) {
    return switch (result) {
      case AgentResult.Answered<String>(var answer, var report) ->
          "answered " + report.spent().calls() + " " + answer;
      case AgentResult.Waiting<String> waiting -> "waiting " + waiting.questions().getFirst().id();
      case AgentResult.Partial<String> partial -> "partial " + partial;
      case AgentResult.Stopped<String> stopped -> "stopped " + stopped;
    };
  }

  private Agent<String> agent() {
    var mark = Tool.of("mark", "Marks.", Mark.class, (given, _) -> "done " + note(given.name()));
    var send =
        Tool.of(
            "send",
            "Sends.",
            Mark.class,
            (given, _) -> {
              note("send");
              return "sent " + given.name();
            });
    return ReplAgent.named("reader")
        .model(ScriptedModel.by(this::next))
        .grants(
            Grants.none()
                .model("small", ScriptedModel.by(this::small))
                .middleware()
                .tools(mark, send))
        .gate(ToolGate.open().confirming("send"))
        .context(TextSource.of(""))
        .build();
  }

  private ChatReply next(ChatRequest request) {
    int cells = (request.messages().size() - 2) / 2;
    note("turn " + (cells + 1));
    return ScriptedModel.text("```\n" + CELLS.get(cells) + "\n```");
  }

  private ChatReply small(ChatRequest request) {
    var asked = note(request.messages().getLast().text());
    if (asked.equals("bad")) throw new ModelException(ModelException.Kind.BAD_REQUEST, "no");
    return ScriptedModel.text(asked.toUpperCase(Locale.ROOT));
  }

  private String note(String what) {
    notes.add("did " + what);
    return what;
  }
}
