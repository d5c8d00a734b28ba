package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.InMemoryStore;
import dev.superstep.terminal.backend.ModelBackend;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("C38")
final class ReplayedConversationTest {
  private static final String[] REPLIES = {
    Scene.plan("Show a missing file", "Print the second word"),
    Scene.last("cat missing.txt"),
    Scene.last("echo found"),
    Scene.more("echo two"),
    Scene.done(),
  };

  @TempDir Path folder;

  @Test
  void recorded_replies_and_results_lead_to_the_same_statuses() throws Exception {
    var scene = Scene.in(folder, REPLIES);
    var lines = new ArrayList<String>();
    var first = converse(scene.session().ask("Show two things"), lines);

    var results = new ArrayDeque<CommandResult>();
    first.attempts().forEach(attempt -> attempt.result().ifPresent(results::add));
    CommandRunner recorded = _ -> results.remove();
    var parts =
        TerminalParts.of(
                ModelBackend.of("scripted", ScriptedModel.saying(REPLIES)),
                scene.rules,
                recorded,
                scene.redact)
            .clock(scene.clock)
            .limits(scene.limits);
    var again = new ArrayList<String>();
    var session =
        Terminal.of(parts, new InMemoryCheckpointer(), InMemoryStore.open())
            .open(folder, scene.environment);
    var second = converse(session.ask("Show two things"), again);
    assertThat(again).isEqualTo(lines).isNotEmpty();
    assertThat(second.progress()).isEqualTo(first.progress());
    assertThat(results).isEmpty();
    assertThat(scene.runner.started).hasSize(3);
  }

  private static ConversationView converse(TerminalConversation talk, List<String> lines)
      throws InterruptedException {
    talk.listening(lines::add);
    talk.advance();
    talk.decide(new PlanDecision.Accept());
    Scene.approve(talk);
    talk.recover(Recovery.RETRY);
    Scene.approve(talk);
    return Scene.approve(talk);
  }
}
