package dev.superstep.middleware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("T10")
class ContextPressureTest {
  private static final String RETRIEVED = "retrieved ".repeat(30);
  private static final String RESULT = "result ".repeat(100);

  /// Adds text that nobody needs.
  private record Retrieving() implements Middleware {
    @Override
    public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
      var messages = new ArrayList<>(request.messages());
      messages.add(messages.size() - 1, RetrievedText.message("test", RETRIEVED));
      return request.withMessages(messages);
    }
  }

  private final ScriptedModel writer = ScriptedModel.by(_ -> ScriptedModel.text("They talked."));

  /// Twelve lines of talk, a tool call with a long result, and a question.
  private static List<Message> talk() {
    var said = new ArrayList<Message>();
    for (int i = 0; i < 12; i++) said.add(Message.assistant("something to say, number " + i));
    var call = new ToolCall("c1", "look", "{\"name\":\"Oslo\"}");
    said.add(new AssistantMessage("", "", List.of(call)));
    said.add(new ToolMessage("", "c1", "look", RESULT, false));
    said.add(Message.user("Weather?"));
    return said;
  }

  @Test
  @Tag("T46")
  void only_the_necessary_steps_run_in_a_fixed_order() throws Exception {
    var all = List.of("dropping retrieved text", "trimming", "summary", "compacting tool results");
    var seen = new ArrayList<Integer>();
    for (int most = 800; most > 0; most -= 10) {
      var events = new ArrayList<AgentEvent>();
      var model = ScriptedModel.saying("Sun.");
      int limit = most;
      try {
        agent(model, pressure(limit)).run(talk(), Talks.noting(RunOptions.defaults(), events));
        var request = model.requests().getFirst();
        var size = dev.superstep.model.TokenCounter.approximate().count(request);
        assertThat(size).isLessThanOrEqualTo(limit);
      } catch (ModelException e) {
        assertThat(e.kind()).isEqualTo(ModelException.Kind.CONTEXT_LENGTH);
        assertThat(model.calls()).isZero();
        seen.add(5);
      }
      var told = Talks.only(events, AgentEvent.ContextCompressed.class);
      for (int i = 0; i < told.size(); i++) {
        assertThat(told.get(i).by()).startsWith(all.get(i));
        assertThat(told.get(i).before()).isGreaterThan(told.get(i).after());
        assertThat(told.get(i).sources()).isNotEmpty();
        assertThat(told.get(i).keepsPrefix()).isTrue();
      }
      seen.add(told.size());
    }
    // Each stage was enough for some limit, and for some nothing was.
    assertThat(seen).contains(0, 1, 2, 3, 4, 5);
  }

  @Test
  void a_prompt_that_cannot_fit_is_refused_before_the_model_is_asked() {
    var model = ScriptedModel.saying("never");
    var agent = agent(model, ContextPressure.within(20));
    assertThatThrownBy(() -> agent.run(talk(), RunOptions.defaults()))
        .isInstanceOfSatisfying(
            ModelException.class,
            e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.CONTEXT_LENGTH))
        .hasMessageContaining("and 20 are allowed");
    assertThat(model.calls()).isZero();
  }

  @Test
  void a_share_of_an_unknown_window_is_no_limit() throws Exception {
    var model = ScriptedModel.saying("Sun.");
    agent(model, ContextPressure.withinShare(0.1)).run(talk(), RunOptions.defaults());
    assertThat(model.requests().getFirst().messages()).hasSize(17);
  }

  private ContextPressure pressure(long most) {
    return ContextPressure.within(most)
        .withTrimming(ConversationTail.messages(12))
        .withSummarization(Summarization.by(writer).withTail(ConversationTail.messages(3)))
        .withResults(100);
  }

  private static dev.superstep.agent.Agent<String> agent(
      ScriptedModel model, ContextPressure pressure) {
    return Talks.agent(model).middleware(new Retrieving(), pressure).build();
  }
}
