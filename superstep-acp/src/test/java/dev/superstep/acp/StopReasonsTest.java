package dev.superstep.acp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.run.OnLimit;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The ends of turns.
@Timeout(120)
final class StopReasonsTest {
  @TempDir Path folder;
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();

  private String ended(AgentBuilder builder) throws Exception {
    return ended(AcpAgent.of(builder.build(), store));
  }

  private String ended(AcpAgent agent) throws Exception {
    try (var piped = Piped.to(agent)) {
      var editor = piped.editor().greet(false);
      return editor.prompt(editor.open(folder), "go") + "|" + editor.said();
    }
  }

  private AgentBuilder replying(ChatReply reply) {
    return new Coder(folder).builder().model(ScriptedModel.by(_ -> reply));
  }

  private static ChatReply reply(String text, ChatReply.Finish finish) {
    return ScriptedModel.reply(new AssistantMessage("", text, List.of()), Usage.NONE, finish);
  }

  @Test
  void an_answer_that_was_cut_off_is_one_of_too_many_tokens() throws Exception {
    assertThat(ended(replying(reply("Once", ChatReply.Finish.LENGTH))))
        .isEqualTo("max_tokens|Once");
  }

  @Test
  void an_answer_that_the_vendor_filtered_is_a_refusal() throws Exception {
    assertThat(ended(replying(reply("I cannot", ChatReply.Finish.FILTERED))))
        .startsWith("refusal|");
  }

  @Test
  void too_many_turns_of_the_model_are_told() throws Exception {
    var endless = ScriptedModel.calls(new ToolCall("c", "glob", "{\"pattern\":\"*\"}"));
    assertThat(ended(replying(endless).modelCalls(2)))
        .startsWith("max_turn_requests|(Agent `coder` reached its model call limit");
    assertThat(ended(replying(endless).modelCalls(2).onLimit(OnLimit.RETURN_PARTIAL)))
        .startsWith("max_turn_requests|");
  }

  @Test
  void a_spent_budget_of_tokens_is_told_and_the_session_goes_on() throws Exception {
    var builder = new Coder(folder).builder().budget(Budget.unlimited().totalTokens(1));
    assertThat(ended(builder)).startsWith("max_tokens|(");
    try (var piped = Piped.to(AcpAgent.of(builder.build(), store))) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      assertThat(editor.prompt(session, "one")).isEqualTo("max_tokens");
      assertThat(editor.prompt(session, "two")).isEqualTo("max_tokens");
    }
  }

  @Test
  void a_model_that_fails_is_an_error_and_the_next_prompt_begins_anew() throws Exception {
    var model =
        ScriptedModel.by(request -> {
          if (request.messages().getLast().text().equals("go")) {
            throw new ModelException(ModelException.Kind.AUTH, "the model is away");
          }
          return ScriptedModel.text("back");
        });
    try (var piped =
        Piped.to(AcpAgent.of(new Coder(folder).builder().model(model).build(), store))) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      assertThat(editor.prompt(session, "go")).contains("the model is away", "-32603");
      assertThat(editor.prompt(session, "again")).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("back");
    }
  }

  @Test
  void a_turn_that_takes_too_long_is_stopped() throws Exception {
    var model = ScriptedModel.calls(new ToolCall("c", "wait", "{}"));
    var agent =
        AcpAgent.of(replying(model).build(), store)
            .running(options -> options.deadline(Duration.ofMillis(300)));
    assertThat(ended(agent)).startsWith("max_turn_requests|(The turn took longer");
  }

  @Test
  void thoughts_come_as_thoughts() throws Exception {
    var message =
        new AssistantMessage(
            "",
            List.of(new Content.Thinking("hm", Optional.empty()), new Content.Text("yes")),
            List.of());
    var thinking = ScriptedModel.reply(message, Usage.NONE, ChatReply.Finish.STOP);
    try (var piped = Piped.to(AcpAgent.of(replying(thinking).build(), store))) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      assertThat(editor.prompt(session, "go")).isEqualTo("end_turn");
      assertThat(editor.text("agent_thought_chunk")).isEqualTo("hm");
      assertThat(editor.said()).isEqualTo("yes");
      editor.forget();
      editor.load(session, folder);
      assertThat(editor.text("agent_thought_chunk")).isEqualTo("hm");
      assertThat(editor.text("user_message_chunk")).isEqualTo("go");
    }
  }
}
