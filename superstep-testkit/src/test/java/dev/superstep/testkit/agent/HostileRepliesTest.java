package dev.superstep.testkit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.LimitReached;
import dev.superstep.agent.run.OnLimit;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Redaction;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.testkit.EventRecorder;
import dev.superstep.testkit.Property;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whatever a model says, an agent ends with an answer, a typed error or at a limit, and never
/// sends a conversation that a vendor would refuse.
@Tag("W33")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HostileRepliesTest {
  private static final int CASES = 600;

  record None() {}

  record Said(String text) {}

  record Verdict(String answer) {}

  private static final Tool LOOK = Tool.of("look", "Looks.", None.class, (_, _) -> "seen");
  private static final Tool ECHO = Tool.of("echo", "Echoes.", Said.class, (said, _) -> said.text());
  private static final Tool EMPTY =
      Tool.of("empty", "Has nothing.", None.class, (_, _) -> ToolResult.of(List.of()));
  private static final Tool FAIL =
      Tool.of(
          "fail",
          "Fails.",
          None.class,
          (_, _) -> {
            throw new IllegalStateException();
          });

  @Test
  void an_agent_survives_whatever_a_model_says() throws Exception {
    Property.check(
        1,
        CASES,
        HostileReply.replies(),
        replies -> ends(builder(new Hostile(replies), replies).build(), RunOptions.defaults()));
  }

  @Test
  void an_agent_on_a_saved_thread_with_a_listener_survives_whatever_a_model_says()
      throws Exception {
    Property.check(
        50_000,
        CASES / 2,
        HostileReply.replies(),
        replies -> {
          var options =
              RunOptions.thread("t")
                  .checkpoints(new InMemoryCheckpointer())
                  .journal(Redaction.none())
                  .listener(new EventRecorder());
          var agent = builder(new Hostile(replies), replies).build();
          ends(agent, options);
          // What failed on a thread is still to be done, and everybody may try again.
          goesOn(agent, options);
        });
  }

  @Test
  void an_agent_with_a_typed_answer_survives_whatever_a_model_says() throws Exception {
    Property.check(
        90_000,
        CASES / 2,
        HostileReply.replies(),
        replies ->
            ends(
                builder(new Hostile(replies), replies).answering(Verdict.class),
                RunOptions.defaults()));
  }

  private static AgentBuilder builder(ChatModel model, List<HostileReply> replies) {
    var builder =
        Agent.named("a")
            .model(model)
            .modelCalls(6)
            .toolCalls(10)
            .onLimit(replies.size() % 2 == 0 ? OnLimit.FAIL : OnLimit.RETURN_PARTIAL);
    var helper = Agent.named("helper").model(ScriptedModel.by(_ -> ScriptedModel.text("")));
    // An agent without any tools is a case of its own.
    return replies.size() % 5 == 4
        ? builder
        : builder.tools(LOOK, ECHO, EMPTY, FAIL).agent(helper.build(), "Helps.");
  }

  private static void ends(Agent<?> agent, RunOptions options) throws InterruptedException {
    ends(() -> agent.run("go", options));
  }

  private static void goesOn(Agent<?> agent, RunOptions options) throws InterruptedException {
    boolean isOver = agent.graph().state(options).orElseThrow().next().isEmpty();
    if (isOver) ends(agent, options);
    else ends(() -> agent.resume(Answers.none(), options));
  }

  private interface Run {
    AgentResult<?> ended() throws InterruptedException;
  }

  private static void ends(Run run) throws InterruptedException {
    try {
      var result = run.ended();
      assertThat(result).isInstanceOfAny(AgentResult.Answered.class, AgentResult.Partial.class);
      wellFormed(result.report().conversation());
    } catch (SuperstepException e) {
      assertThat(e).isInstanceOfAny(ModelException.class, LimitReached.class);
    }
  }

  /// Each call is answered once, next to it, and no two of a message have the same id; there is no
  /// other answer.
  static void wellFormed(List<Message> messages) {
    for (int i = 0; i < messages.size(); i++) {
      if (messages.get(i) instanceof ToolMessage answer) {
        throw new AssertionError("an answer without a call: " + answer);
      }
      if (!(messages.get(i) instanceof AssistantMessage reply)) continue;
      var ids = new HashSet<String>();
      for (var call : reply.calls()) {
        assertThat(call.id()).as("id of a call").isNotBlank();
        assertThat(ids.add(call.id())).as("%s is the only call of its id", call).isTrue();
      }
      var answered = new ArrayList<String>();
      while (i + 1 < messages.size() && messages.get(i + 1) instanceof ToolMessage answer) {
        answered.add(answer.callId());
        i++;
      }
      assertThat(answered)
          .containsExactlyInAnyOrderElementsOf(reply.calls().stream().map(c -> c.id()).toList());
    }
  }

  /// Gives the replies in order, then "done".
  private static final class Hostile implements ChatModel {
    private final Deque<HostileReply> replies;

    Hostile(List<HostileReply> replies) {
      this.replies = new ArrayDeque<>(replies);
    }

    @Override
    public ModelRef ref() {
      return new ModelRef("scripted", "test");
    }

    @Override
    public ChatReply call(ChatRequest request) {
      wellFormed(request.messages());
      assertThat(request.messages()).hasAtLeastOneElementOfType(UserMessage.class);
      var next = replies.poll();
      return next == null ? ScriptedModel.text("done") : next.reply();
    }

    @Override
    public ChatReply stream(ChatRequest request, DeltaListener listener) {
      var pieces = replies.isEmpty() ? List.<String>of() : replies.peek().pieces();
      for (var piece : pieces) {
        listener.onText(piece);
        listener.onThinking(piece);
        listener.onToolCall(new ToolCallPiece(0, "", "", piece));
      }
      return call(request);
    }
  }
}
