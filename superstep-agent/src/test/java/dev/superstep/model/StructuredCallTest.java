package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.schema.Limits;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StructuredCallTest {
  enum Priority {
    LOW,
    HIGH
  }

  record Mail(@Limits(maxLength = 40) String summary, Priority priority) {
    Mail {
      if (summary.isBlank()) throw new IllegalArgumentException("summary must not be blank");
    }
  }

  private static final String GOOD = "{\"summary\":\"Printer burns\",\"priority\":\"HIGH\"}";
  private static final String BAD = "{\"summary\":\"Printer burns\",\"priority\":\"URGENT\"}";

  @Test
  void a_valid_answer_is_a_value_after_one_turn() throws InterruptedException {
    var model = ScriptedModel.replying(reply(GOOD, 10, 5, ChatReply.Finish.STOP));
    var reply = StructuredCall.of(model, Mail.class).ask("Classify: the printer burns!");
    assertThat(reply.value()).isEqualTo(new Mail("Printer burns", Priority.HIGH));
    assertThat(reply.turns()).isEqualTo(1);
    assertThat(reply.usage()).isEqualTo(new Usage(10, 0, 5, 0));
    assertThat(reply.source()).isEqualTo(ChatReply.Source.SCRIPTED);
    assertThat(reply.model()).isEqualTo(model.ref());
  }

  @Test
  void the_model_is_given_the_schema_and_the_customised_request() throws InterruptedException {
    var model = ScriptedModel.saying(GOOD);
    var call =
        StructuredCall.of(model, Mail.class)
            .withRequest(r -> r.withTemperature(0).withMaxTokens(99));
    call.ask(List.of(Message.system("Be terse."), Message.user("Hi")));
    var request = model.requests().getFirst();
    assertThat(request.format())
        .isEqualTo(new ResponseFormat.JsonSchema("Mail", call.schema().json()));
    assertThat(request.temperature()).contains(0.0);
    assertThat(request.maxTokens()).contains(99);
    assertThat(request.messages()).hasSize(2);
  }

  @Test
  void an_invalid_answer_is_sent_back_with_its_violations() throws InterruptedException {
    var model =
        ScriptedModel.replying(
            reply(BAD, 10, 5, ChatReply.Finish.STOP), reply(GOOD, 30, 6, ChatReply.Finish.STOP));
    var reply = StructuredCall.of(model, Mail.class).ask("Classify");
    assertThat(reply.turns()).isEqualTo(2);
    assertThat(reply.usage()).isEqualTo(new Usage(40, 0, 11, 0));
    var again = model.requests().get(1).messages();
    assertThat(again).hasSize(3);
    assertThat(again.get(1)).isEqualTo(Message.assistant(BAD));
    assertThat(again.get(2).text())
        .contains("`/priority` must be one of \"LOW\", \"HIGH\"; it is \"URGENT\".");
  }

  @Test
  void an_answer_that_stays_invalid_is_an_error_with_violations_and_an_excerpt() {
    var model = ScriptedModel.saying(BAD, BAD.replace("Printer", "x".repeat(5000)));
    var error = failure(StructuredCall.of(model, Mail.class));
    assertThat(error.kind()).isEqualTo(ModelException.Kind.MALFORMED);
    assertThat(error.code()).isEqualTo("model.malformed");
    assertThat(error).hasMessageContaining("in 2 turns").hasMessageContaining("/priority");
    assertThat(error.getMessage()).contains("It said: {\"summary\":\"xxx").hasSizeLessThan(900);
  }

  @Test
  void without_repair_turns_the_first_invalid_answer_fails() {
    var model = ScriptedModel.saying(BAD, GOOD);
    assertThat(failure(StructuredCall.of(model, Mail.class).withRepairTurns(0)))
        .hasMessageContaining("in 1 turn.");
    assertThat(model.calls()).isEqualTo(1);
  }

  @Test
  void a_value_that_its_own_constructor_refuses_is_repaired() throws InterruptedException {
    var model = ScriptedModel.saying(GOOD.replace("Printer burns", " "), GOOD);
    assertThat(StructuredCall.of(model, Mail.class).ask("Classify").turns()).isEqualTo(2);
    assertThat(model.requests().get(1).messages().getLast().text())
        .contains("summary must not be blank");
  }

  @Test
  void a_truncated_answer_is_an_error_that_names_the_cause() {
    var model = ScriptedModel.replying(reply("{\"summary\":\"Pri", 9, 7, ChatReply.Finish.LENGTH));
    assertThat(failure(StructuredCall.of(model, Mail.class)))
        .hasMessageContaining("cut off at its token limit after 7 tokens")
        .hasMessageContaining("maxTokens");
    assertThat(model.calls()).isEqualTo(1);
  }

  @Test
  void a_complete_answer_that_met_the_limit_exactly_counts() throws InterruptedException {
    var model = ScriptedModel.replying(reply(GOOD + "\n", 9, 7, ChatReply.Finish.LENGTH));
    assertThat(StructuredCall.of(model, Mail.class).ask("Classify").turns()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n ", "```json\n```"})
  void an_empty_answer_is_asked_for_again_and_never_repeated_to_the_model(String nothing) {
    var model = ScriptedModel.saying(nothing, nothing);
    assertThat(failure(StructuredCall.of(model, Mail.class)))
        .hasMessageContaining("The answer was empty.");
    assertThat(model.requests().get(1).messages())
        .noneMatch(m -> m instanceof AssistantMessage && m.text().isBlank());
  }

  @Test
  void a_filtered_answer_is_refused_without_repair() {
    var model = ScriptedModel.replying(reply("", 1, 0, ChatReply.Finish.FILTERED));
    assertThat(failure(StructuredCall.of(model, Mail.class)).kind())
        .isEqualTo(ModelException.Kind.REFUSED);
  }

  @Test
  void a_fence_around_the_whole_answer_is_removed() throws InterruptedException {
    var model = ScriptedModel.saying("\n```json\n" + GOOD + "\n```\n", "```\n" + GOOD + "```");
    assertThat(StructuredCall.of(model, Mail.class).ask("1").turns()).isEqualTo(1);
    assertThat(StructuredCall.of(model, Mail.class).ask("2").turns()).isEqualTo(1);
  }

  @Test
  void text_outside_a_fence_is_not_removed() {
    assertThat(Fences.strip("Here:\n```json\n{}\n```")).isEqualTo("Here:\n```json\n{}\n```");
    assertThat(Fences.strip("```\n{}\n```\n```\n{}\n```")).startsWith("```");
  }

  @Test
  void only_types_that_are_objects_may_be_asked_for() {
    var model = ScriptedModel.saying();
    assertThatThrownBy(() -> StructuredCall.of(model, Priority.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("wrap it in a record");
  }

  private static ModelException failure(StructuredCall<Mail> call) {
    return catchThrowableOfType(ModelException.class, () -> call.ask("Classify"));
  }

  private static ChatReply reply(String text, int input, int output, ChatReply.Finish finish) {
    var message = new AssistantMessage("", text, List.of());
    return ScriptedModel.reply(message, new Usage(input, 0, output, 0), finish);
  }
}
