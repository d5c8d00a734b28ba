package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.budget.Budget;
import dev.superstep.terminal.approval.Decision;
import dev.superstep.terminal.risk.Fact;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two sources say what a command does, and stand apart: facts that are read from it, and words of
/// the model, which cost and which nobody needs.
@Tag("C13")
final class CommandExplanationTest {
  private static final String WORDS = "{\"explanation\":\"It removes a log.\"}";

  @TempDir Path folder;

  private ConversationView until(Scene scene, TerminalConversation conversation) throws Exception {
    scene.limits = scene.limits.automatic();
    conversation.advance();
    return conversation.decide(new PlanDecision.Accept());
  }

  @Test
  void facts_are_there_unasked_and_words_beside_them_when_they_are_asked_for_once()
      throws Exception {
    var scene = Scene.in(folder, Scene.plan("Remove the log"), Scene.last("rm build.log"), WORDS);
    var conversation = scene.session().ask("Remove it");
    var before = Scene.request(until(scene, conversation));
    assertThat(before.prose()).isEmpty();
    assertThat(before.facts())
        .extracting(Fact::kind, Fact::value)
        .contains(org.assertj.core.groups.Tuple.tuple(Fact.Kind.DELETES, "build.log"));
    int calls = scene.model.requests().size();
    for (int i = 0; i < 3; i++) {
      var after = Scene.request(conversation.decide(new Decision.Explain()));
      assertThat(after.prose()).contains("It removes a log.");
      assertThat(after.explanation()).isEqualTo("because");
      assertThat(after.facts()).isEqualTo(before.facts());
      assertThat(after.level()).isEqualTo(before.level());
      assertThat(after.digest()).isEqualTo(before.digest());
    }
    assertThat(scene.model.requests()).hasSize(calls + 1);
  }

  @Test
  void words_that_the_budget_has_no_room_for_are_missed_and_the_command_still_waits()
      throws Exception {
    var scene = Scene.in(folder, Scene.plan("Remove the log"), Scene.last("rm build.log"), WORDS);
    scene.limits = scene.limits.budget(Budget.unlimited().calls(2));
    var conversation = scene.session().ask("Remove it");
    var before = Scene.request(until(scene, conversation));
    var after = Scene.request(conversation.decide(new Decision.Explain()));
    assertThat(after.prose()).isEmpty();
    assertThat(after.reasons()).anyMatch(text -> text.startsWith("The model gave no explanation"));
    assertThat(after.digest()).isEqualTo(before.digest());
    assertThat(scene.model.requests()).hasSize(2);
    assertThat(scene.runner.started).isEmpty();
  }
}
