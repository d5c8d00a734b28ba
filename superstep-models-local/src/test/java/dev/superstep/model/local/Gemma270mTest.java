package dev.superstep.model.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ResponseFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Real Gemma 3 weights, only if they are in the cache")
class Gemma270mTest {
  private static final ModelRef REF = ModelRef.parse("local://gemma3-270m");

  enum Mood {
    HAPPY,
    ANGRY
  }

  record Review(Mood mood) {}

  @Test
  @Timeout(180)
  void earlier_turns_become_examples_and_the_answer_follows_the_schema() throws Exception {
    var models = LocalModels.inDefaultCache();
    assumeTrue(models.find(REF.model()).isPresent(), "run `superstep models pull gemma3-270m`");
    try (var model = models.open(REF)) {
      var reply = model.call(request());

      assertThat(reply.finish()).isEqualTo(ChatReply.Finish.STOP);
      assertThat(Json.parse(reply.message().text()).as(Review.class).mood()).isEqualTo(Mood.ANGRY);
      assertThat(reply.usage().input()).isBetween(70L, 110L);
      assertThat(reply.usage().output()).isBetween(5L, 20L);
    }
  }

  private static ChatRequest request() {
    var schema =
        Json.parse(
            """
            {"type": "object", "properties": {"mood": {"enum": ["HAPPY", "ANGRY"]}},
             "required": ["mood"], "additionalProperties": false}
            """);
    return ChatRequest.of(
            Message.system("Reviews of a hotel, and the mood of the guest."),
            Message.user("Terrible noise, dirty sheets, never again!"),
            Message.assistant("{\"mood\": \"ANGRY\"}"),
            Message.user("Lovely staff and the best breakfast of our holiday."),
            Message.assistant("{\"mood\": \"HAPPY\"}"),
            Message.user("They lost our booking and were rude about it. Awful!"))
        .withFormat(new ResponseFormat.JsonSchema("review", schema));
  }
}
