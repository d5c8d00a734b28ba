package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.countingIds;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;

import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.json.Codec;
import dev.superstep.node.Approval;
import dev.superstep.node.Command;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The whole log of a run, event for event, in the form in which it is stored and sent.
@Tag("G20")
class EventLogTest {
  static final Channel<List<String>, String> DONE = Channel.append("done", String.class);
  static final Channel<String, String> REPORT = Channel.latest("report", String.class);
  static final Target<Integer> WORK = Target.of("work", Integer.class);
  static final Question<String, Approval> SURE = Question.of("sure", String.class, Approval.class);

  static Graph graph(AtomicInteger broken) {
    return Graph.named("release")
        .channels(DONE, REPORT)
        .questions(SURE)
        .node("plan", (_, _) -> NodeResult.nothing())
        .node(
            WORK,
            (n, _, context) -> {
              context.emit("progress", n);
              if (n == 1 && broken.getAndDecrement() > 0) throw new IllegalStateException("flaky");
              return Update.of(DONE, "r" + n);
            })
        .node(
            "approve",
            (_, context) ->
                context.interrupt(SURE, "ship it?").approved()
                    ? Command.to("report")
                    : Command.to(END))
        .node("report", (state, _) -> Update.of(REPORT, String.join("+", state.get(DONE))))
        .edge(START, "plan")
        .fanOut("plan", _ -> List.of(Send.to(WORK, 0), Send.to(WORK, 1)), WORK)
        .edge("work", "approve")
        .destinations("approve", "report", END)
        .edge("report", END)
        .compile();
  }

  @Test
  void a_run_that_fails_is_resumed_asks_and_is_answered_leaves_this_log() throws Exception {
    var events = new ArrayList<Event>();
    var graph = graph(new AtomicInteger(1));
    var options =
        kept()
            .ids(countingIds())
            .clock(InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z")))
            .concurrency(1)
            .label("tenant", "t-1")
            .label("channel", "web")
            .listener(events::add);
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    var open = asked(graph.resume(Answers.none(), options)).getFirst();
    completed(graph.resume(Answers.of(open.id(), Approval.yes()), options));
    var log = new StringBuilder();
    for (var event : events) {
      log.append(event.json().text().replaceAll("\"took\":\"PT[^\"]*\"", "\"took\":\"PT0S\""));
      log.append('\n');
    }
    GoldenText.check("event-log.jsonl", log.toString());
    var codec = Codec.of(Event.class);
    for (var event : events) Assertions.assertThat(codec.decode(event.json())).isEqualTo(event);
  }
}
