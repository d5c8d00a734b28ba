package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.HostQueue.Lane;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.RunRefused;
import dev.superstep.graph.Drain;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
@Tag("T120")
class HostQueueTest {
  record Nothing() {}

  /// What the application queues; nothing here knows what is in it.
  record Mail(String from, String text) {}

  private final HostQueue<Mail> queue =
      HostQueue.of(mail -> Message.user(mail.from() + ": " + mail.text()));
  private final List<String> heard = new ArrayList<>();

  private static Mail ann(String text) {
    return new Mail("ann", text);
  }

  private Agent<String> agent(ChatModel model, Runnable meanwhile) {
    var tool =
        Tool.of(
                "work",
                "Works.",
                Nothing.class,
                (_, _) -> {
                  meanwhile.run();
                  return "worked";
                })
            .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));
    return Agent.named("clerk").model(model).tools(tool).build();
  }

  private static ScriptedModel works(String... answers) {
    var replies = new ArrayList<dev.superstep.model.ChatReply>();
    replies.add(ScriptedModel.calls(new ToolCall("c1", "work", "{}")));
    for (var answer : answers) replies.add(ScriptedModel.text(answer));
    return ScriptedModel.replying(replies.toArray(dev.superstep.model.ChatReply[]::new));
  }

  private static RunOptions kept() {
    return RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
  }

  private void hear(AgentResult<String> result) {
    heard.add(result.answer());
  }

  private static List<String> texts(ChatRequest request) {
    return request.messages().stream().map(Message::text).toList();
  }

  @Test
  void what_a_drain_lets_not_begin_stays_queued_and_the_first_task_is_its_callers()
      throws Exception {
    var drain = new Drain();
    var options = kept().drain(drain);
    queue.add(Lane.FOLLOW_UP, ann("two"));
    queue.add(Lane.COLLECT, ann("hint"));
    var model = works("First.", "Second.", "Third.");
    var agent = agent(model, () -> {});
    queue.run(
        agent,
        ann("one"),
        options,
        result -> {
          hear(result);
          // Between two runs.
          drain.start();
        });
    assertThat(heard).containsExactly("First.");
    assertThat(queue.waiting(Lane.FOLLOW_UP)).containsExactly(ann("two"));
    assertThatThrownBy(() -> queue.run(agent, ann("three"), options, this::hear))
        .isInstanceOf(RunRefused.class);
    assertThat(queue.waiting(Lane.FOLLOW_UP)).containsExactly(ann("two"));
    drain.stop();
    queue.run(agent, ann("three"), options, this::hear);
    assertThat(heard).containsExactly("First.", "Second.", "Third.");
    assertThat(queue.waiting(Lane.FOLLOW_UP)).isEmpty();
  }

  @Test
  void steering_reaches_the_next_turn_together_with_collected_messages() throws Exception {
    var model = works("By train.");
    var agent =
        agent(
            model,
            () -> {
              assertThat(queue.add(Lane.COLLECT, ann("it rains"))).isTrue();
              assertThat(queue.add(Lane.STEER, ann("by train"))).isTrue();
              assertThat(queue.add(Lane.STEER, ann("and cheap"))).isTrue();
              assertThat(queue.waiting(Lane.STEER))
                  .containsExactly(ann("by train"), ann("and cheap"));
            });
    queue.run(agent, ann("go"), kept(), this::hear);
    assertThat(texts(model.requests().getLast()))
        .containsExactly(
            "ann: go", "", "worked", "ann: it rains", "ann: by train", "ann: and cheap");
    assertThat(heard).containsExactly("By train.");
    assertThat(queue.waiting(Lane.STEER)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void further_tasks_are_done_one_after_the_other_in_one_conversation(boolean isKept)
      throws Exception {
    var model = works("First.", "Second.", "Third.");
    var agent =
        agent(
            model,
            () -> {
              queue.add(Lane.FOLLOW_UP, ann("two"));
              queue.add(Lane.FOLLOW_UP, ann("three"));
              queue.add(Lane.COLLECT, ann("hint"));
            });
    queue.run(agent, ann("one"), isKept ? kept() : RunOptions.defaults(), this::hear);
    assertThat(heard).containsExactly("First.", "Second.", "Third.");
    assertThat(texts(model.requests().getLast()))
        .containsExactly(
            "ann: one", "", "worked", "First.", "ann: hint", "ann: two", "Second.", "ann: three");
  }

  @Test
  void steering_after_the_last_turn_becomes_the_next_task() throws Exception {
    var model =
        ScriptedModel.by(request -> {
          if (request.messages().size() == 2) queue.add(Lane.STEER, ann("late"));
          return ScriptedModel.text("re " + request.messages().getLast().text());
        });
    queue.add(Lane.COLLECT, ann("hint"));
    queue.run(
        agent(model, () -> {}),
        ann("go"),
        kept(),
        result -> {
          hear(result);
          if (heard.size() == 1) queue.add(Lane.STEER, ann("later"));
        });
    assertThat(heard).containsExactly("re ann: go", "re ann: later");
    assertThat(texts(model.requests().getLast()))
        .containsExactly("ann: hint", "ann: go", "re ann: go", "ann: late", "ann: later");
  }

  @Test
  void messages_queued_between_runs_wait_for_the_next_run() throws Exception {
    assertThat(queue.add(Lane.STEER, ann("shortly"))).isFalse();
    assertThat(queue.add(Lane.FOLLOW_UP, ann("then"))).isFalse();
    assertThat(queue.add(Lane.COLLECT, ann("hint"))).isFalse();
    var model = ScriptedModel.saying("A.", "B.");
    queue.run(agent(model, () -> {}), ann("go"), kept(), this::hear);
    assertThat(texts(model.requests().getFirst())).contains("ann: hint", "ann: go", "ann: shortly");
    assertThat(texts(model.requests().getLast())).endsWith("A.", "ann: then");
    assertThat(queue.waiting(Lane.FOLLOW_UP)).isEmpty();
  }

  @Test
  void a_run_that_fails_or_waits_leaves_the_queue_as_it_was() throws Exception {
    var down =
        ScriptedModel.by(_ -> {
          throw new ModelException(ModelException.Kind.AUTH, "No key.");
        });
    queue.add(Lane.FOLLOW_UP, ann("then"));
    assertThatThrownBy(() -> queue.run(agent(down, () -> {}), ann("go"), kept(), this::hear))
        .isInstanceOf(ModelException.class);
    assertThat(queue.waiting(Lane.FOLLOW_UP)).containsExactly(ann("then"));

    var model = works("First.", "Second.");
    var asking =
        Agent.named("clerk")
            .model(model)
            .tools(
                Tool.of("work", "Works.", Nothing.class, (_, _) -> "worked")
                    .withPolicy(ToolPolicy.of(SideEffect.PAYMENT)))
            .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
            .build();
    var options = kept();
    var waiting = new ArrayList<AgentResult<String>>();
    queue.run(asking, ann("go"), options, waiting::add);
    assertThat(queue.add(Lane.STEER, ann("quick"))).isFalse();
    var question = ((AgentResult.Waiting<String>) waiting.getFirst()).questions().getFirst();
    var yes = Review.Decisions.of(new Review.Decision.Approve());
    var answers = Answers.none().and(Review.QUESTION.answer(question, yes));
    queue.resume(asking, answers, options, this::hear);
    assertThat(heard).containsExactly("First.", "Second.");
    assertThat(texts(model.requests().getLast()))
        .containsExactly("ann: go", "", "worked", "ann: quick", "First.", "ann: then");
  }

  @Test
  void one_agent_runs_at_a_time_and_each_lane_has_a_limit() throws Exception {
    var errors = new ArrayList<Exception>();
    var agent =
        agent(
            works("Done."),
            () -> {
              try {
                queue.run(agent(works(), () -> {}), ann("x"), kept(), this::hear);
              } catch (IllegalStateException | InterruptedException e) {
                errors.add(e);
              }
            });
    queue.run(agent, ann("go"), kept(), this::hear);
    assertThat(errors)
        .singleElement()
        .satisfies(e -> assertThat(e).hasMessageContaining("at work"));
    for (int i = 0; i < HostQueue.LANE_MAX; i++) queue.add(Lane.COLLECT, ann("" + i));
    assertThatThrownBy(() -> queue.add(Lane.COLLECT, ann("more")))
        .isInstanceOfSatisfying(
            HostQueueFull.class, e -> assertThat(e.lane()).isEqualTo(Lane.COLLECT));
    assertThat(queue.waiting(Lane.COLLECT)).hasSize(HostQueue.LANE_MAX);
  }
}
