package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Redaction;
import dev.superstep.graph.RunOptions;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.repl.host.TextSource;
import dev.superstep.repl.record.CellRecord;
import dev.superstep.repl.record.SessionEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The events of a session, as a listener and the journal of a thread have them.
@Tag("S25")
class SessionEventTest {
  private static final List<String> NAMES =
      List.of(
          "repl.cell.started",
          "repl.call.started",
          "repl.call.completed",
          "repl.cell.completed",
          "repl.cell.started",
          "repl.call.started",
          "repl.call.started",
          "repl.call.completed",
          "repl.call.completed",
          "repl.cell.completed",
          "repl.answered");

  private static ReplAgentBuilder settings() {
    var driver =
        ScriptedModel.saying(
            "```\nx = llm_query('a')\nprint(x)\n```",
            "```\nanswer(len(llm_batch(['b', 'bad'])))\n```");
    var small =
        ScriptedModel.by(request -> {
          if (request.messages().getLast().text().equals("bad")) {
            throw new ModelException(ModelException.Kind.BAD_REQUEST, "no");
          }
          return ScriptedModel.text("yes");
        });
    return ReplAgent.named("reader")
        .model(driver)
        .grants(Grants.none().model("small", small).middleware())
        .limits(ReplLimits.standard().withConcurrency(1))
        .context(TextSource.of(""));
  }

  @Test
  @Tag("S24")
  void cells_and_calls_begin_and_end_and_the_answer_is_told() throws Exception {
    var heard = new CopyOnWriteArrayList<SessionEvent>();
    var options =
        RunOptions.defaults().listener(event -> SessionEvent.of(event).ifPresent(heard::add));
    settings().build().run("?", options);
    assertThat(heard.stream().map(SessionEvent::type))
        .containsExactlyInAnyOrderElementsOf(NAMES)
        .startsWith(NAMES.subList(0, 6).toArray(String[]::new))
        .endsWith("repl.cell.completed", "repl.answered");
    assertThat(heard.get(3))
        .isInstanceOfSatisfying(
            SessionEvent.CellCompleted.class,
            done -> {
              assertThat(done.output()).isEqualTo("yes\n");
              assertThat(done.changed()).extracting(CellRecord.Changed::name).containsExactly("x");
            });
    assertThat(heard)
        .filteredOn(SessionEvent.CallCompleted.class::isInstance)
        .extracting(event -> ((SessionEvent.CallCompleted) event).code())
        .containsExactly("", "", "provider-error");
  }

  @Test
  void the_journal_of_the_thread_has_them_too() throws Exception {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store).journal(Redaction.none());
    settings().build().run("?", options);
    var entries = ThreadJournal.of(store, "t").entries(0, 10_000);
    assertThat(entries.stream().map(entry -> entry.event().text()))
        .anyMatch(text -> text.contains("repl.cell.completed"))
        .anyMatch(text -> text.contains("repl.answered"));
  }
}
