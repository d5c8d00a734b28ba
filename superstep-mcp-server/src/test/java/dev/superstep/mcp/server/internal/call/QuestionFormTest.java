package dev.superstep.mcp.server.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.json.Json;
import dev.superstep.mcp.server.options.TaskUse;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The forms in which people are asked.
final class QuestionFormTest {
  record Nothing() {}

  private static QuestionForm review(Review.Action... actions) {
    var question = Review.QUESTION;
    var payload =
        question.payload().encode(new Review(List.of(actions), List.of(), Optional.empty()));
    var type = question.answer().type();
    var asked = new Interrupt("a", "t", "n", 0, "", question.name(), type, payload);
    var tool =
        ServedTool.of(
            Tool.of("work", "Works.", Nothing.class, (_, _) -> "done").withQuestions(question),
            ToolGate.open(),
            Duration.ofSeconds(1),
            Optional.empty(),
            Optional.of(TaskUse.NEVER));
    return QuestionForm.all(List.of(asked), tool).getFirst();
  }

  @Test
  void a_long_call_hides_neither_its_end_nor_the_next_call() {
    var note = "x".repeat(100_000) + " and all else";
    var form =
        review(
            new Review.Action("note", Json.of(Map.of("text", note)), Optional.empty()),
            new Review.Action("pay", Json.of(Map.of("euros", 1_000)), Optional.empty()));
    assertThat(form.message())
        .hasSizeLessThan(9_000)
        .contains("characters are not shown")
        .contains(" and all else")
        .endsWith("The agent calls pay {\"euros\":1000}");
  }
}
