package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.OnLimit;
import dev.superstep.agent.run.StopReason;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.StructuredCall;
import dev.superstep.model.Usage;
import dev.superstep.run.Answers;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A model that paused its work with tools of its vendor is asked to go on.
class PausedReplyTest {
  private static final AssistantMessage SEARCHING =
      new AssistantMessage(
          "",
          List.of(new Content.Extension(new Content.Seal("anthropic", Json.parse("{\"a\":1}")))),
          List.of());

  private final RunOptions options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());

  record City(String name) {}

  private static ChatReply paused() {
    return ScriptedModel.reply(SEARCHING, new Usage(10, 0, 5, 0), ChatReply.Finish.PAUSED);
  }

  @Test
  void an_agent_goes_on_with_the_paused_message_at_the_end_and_counts_each_call()
      throws InterruptedException {
    var model = ScriptedModel.replying(paused(), paused(), ScriptedModel.text("Oslo."));
    var result = Agent.named("desk").model(model).build().run("Where?", options);
    assertThat(result.answer()).isEqualTo("Oslo.");
    assertThat(result.report().modelCalls()).isEqualTo(3);
    assertThat(result.report().usage().input()).isEqualTo(20);
    assertThat(model.requests().getLast().messages())
        .extracting(Message::content)
        .containsExactly(
            Message.user("Where?").content(), SEARCHING.content(), SEARCHING.content());
  }

  @Test
  void a_pause_is_kept_so_that_a_resumed_run_goes_on_from_it() throws InterruptedException {
    var failing =
        ScriptedModel.by(request -> {
          if (request.messages().size() == 1) return paused();
          throw new ModelException(ModelException.Kind.OVERLOADED, "It is overloaded.");
        });
    assertThatThrownBy(() -> Agent.named("desk").model(failing).build().run("Where?", options))
        .isInstanceOf(ModelException.class);
    var model = ScriptedModel.saying("Oslo.");
    var result = Agent.named("desk").model(model).build().resume(Answers.none(), options);
    assertThat(result.answer()).isEqualTo("Oslo.");
    assertThat(model.requests().getFirst().messages()).hasSize(2);
  }

  @Test
  void the_limit_on_model_calls_ends_a_model_that_pauses_for_ever() throws InterruptedException {
    var model = ScriptedModel.by(_ -> paused());
    var agent =
        Agent.named("desk").model(model).modelCalls(4).onLimit(OnLimit.RETURN_PARTIAL).build();
    var result = agent.run("Where?", options);
    assertThat(result.report().reason()).isEqualTo(StopReason.MODEL_CALL_LIMIT);
    assertThat(result.report().modelCalls()).isEqualTo(4);
  }

  @Test
  void a_structured_call_goes_on_too_and_a_pause_is_no_repair() throws InterruptedException {
    var model =
        ScriptedModel.replying(paused(), paused(), ScriptedModel.text("{\"name\":\"Oslo\"}"));
    var reply = StructuredCall.of(model, City.class).withRepairTurns(0).ask("Where?");
    assertThat(reply.value()).isEqualTo(new City("Oslo"));
    assertThat(model.requests().getLast().messages()).hasSize(3);
  }
}
