package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.event.JsonLines;
import dev.superstep.event.Redaction;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.node.Question;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.io.StringWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A key is planted wherever programs and people can put a text.
class PayloadsTest {
  private static final String KEY = "sk-planted-0123456789abcdef";
  private static final Channel<List<String>, String> TEXTS = Channel.append("texts", String.class);
  private static final Question<String, String> ASK =
      Question.of("ask", String.class, String.class);

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();

  private static Graph graph() {
    var attempts = new java.util.concurrent.atomic.AtomicInteger();
    return Graph.named("planted")
        .channels(TEXTS)
        .questions(ASK)
        .node(
            "tell",
            (_, context) -> {
              context.emit("told", KEY);
              return Update.of(TEXTS, KEY);
            })
        .node(
            "retry",
            (_, _) -> {
              if (attempts.incrementAndGet() == 1) throw new IllegalStateException(KEY);
              return Update.of(TEXTS, KEY);
            },
            NodePolicy.defaults().retry(Retry.of(2)))
        .node("ask", (_, context) -> Update.of(TEXTS, context.interrupt(ASK, KEY)))
        .edge(START, "tell")
        .edge("tell", "retry")
        .edge("retry", "ask")
        .edge("ask", END)
        .compile();
  }

  private String told(RunOptions journaling, StringWriter lines, @Nullable Redaction redaction)
      throws InterruptedException {
    var graph = graph();
    var writing = redaction == null ? JsonLines.to(lines) : JsonLines.to(lines, redaction);
    var options = journaling.label("customer", KEY).listener(writing);
    var waiting = (Outcome.Interrupted) graph.invoke(Input.all(TEXTS, List.of(KEY)), options);
    var question = waiting.questions().getFirst();
    var _ = (Outcome.Completed) graph.resume(Answers.of(question.id(), KEY), options);
    var journal = new StringBuilder();
    for (var entry : ThreadJournal.of(store, "t")) journal.append(entry.event().text());
    assertThat(journal).contains("node.retried").contains("interrupt.answered");
    return journal.toString();
  }

  @Test
  void by_default_neither_a_journal_nor_json_lines_contain_payloads() throws Exception {
    var lines = new StringWriter();
    var options = RunOptions.thread("t").checkpoints(store).journal();
    assertThat(told(options, lines, null)).doesNotContain(KEY);
    assertThat(lines.toString()).contains("node.emitted").doesNotContain(KEY);
  }

  @Test
  void payloads_are_published_on_request() throws Exception {
    var lines = new StringWriter();
    var options = RunOptions.thread("t").checkpoints(store).journal(Redaction.none());
    assertThat(told(options, lines, Redaction.none())).contains(KEY);
    assertThat(lines.toString()).contains(KEY);
  }

  @Test
  void where_a_redaction_fails_no_payload_is_written() throws Exception {
    var lines = new StringWriter();
    Redaction broken =
        event -> {
          if (event instanceof Event.NodeEmitted) throw new IllegalStateException("broken");
          return Redaction.payloads().of(event);
        };
    var options = RunOptions.thread("t").checkpoints(store).journal(broken);
    assertThat(told(options, lines, broken)).doesNotContain(KEY);
    assertThat(lines.toString()).contains("node.emitted").doesNotContain(KEY);
  }
}
