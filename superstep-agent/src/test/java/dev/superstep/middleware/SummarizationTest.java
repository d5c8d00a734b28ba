package dev.superstep.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Conversations;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.run.Answers;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("T48")
class SummarizationTest {
  private static final String SUMMARY = "Summary of what was said before:\nThey talked.";
  private static final String LONG = "a longer thing to say that takes some tokens, number ";
  private final ScriptedModel writer = ScriptedModel.by(_ -> ScriptedModel.text("They talked."));
  private final List<AgentEvent> events = new ArrayList<>();

  private static List<Message> talk(int messages) {
    var said = new ArrayList<Message>();
    for (int i = 1; i < messages; i++) {
      said.add(i % 2 == 1 ? Message.user(LONG + i) : Message.assistant(LONG + i));
    }
    said.add(Message.user("and now?"));
    return said;
  }

  @Test
  @Tag("T121")
  void old_messages_become_a_summary_and_new_ones_stay() throws Exception {
    var model = ScriptedModel.saying("ok");
    var agent = agent(model, summaries(Trigger.messages(5)).withTail(ConversationTail.messages(2)));
    var result = agent.run(talk(7), Talks.noting(RunOptions.defaults(), events));
    assertThat(Talks.texts(model.requests().getFirst()))
        .containsExactly("Be kind.", SUMMARY, LONG + 6, "and now?");
    assertThat(result.report().conversation())
        .extracting(Message::text)
        .containsExactly(SUMMARY, LONG + 6, "and now?", "ok");
    var created = Talks.only(events, AgentEvent.SummaryCreated.class);
    assertThat(created).hasSize(1);
    assertThat(created.getFirst().sources()).hasSize(5).doesNotContain("");
    assertThat(created.getFirst().summary())
        .isEqualTo(result.report().conversation().getFirst().id());
    var told = Talks.only(events, AgentEvent.ContextCompressed.class).getFirst();
    assertThat(told.keepsPrefix()).isTrue();
    assertThat(told.before()).isGreaterThan(told.after());
    var asked = writer.requests().getFirst().messages().getLast().text();
    assertThat(asked).contains("User: " + LONG + 1).contains("Assistant: " + LONG + 2);
    assertThat(asked).doesNotContain("Be kind.").doesNotContain(LONG + 6);
  }

  @Test
  void a_record_lists_the_messages_behind_a_summary() throws Exception {
    var agent =
        agent(
            ScriptedModel.saying("ok"),
            summaries(Trigger.messages(5)).withTail(ConversationTail.messages(2)));
    var outcome = agent.graph().invoke(agent.input(talk(7)));
    var state = ((dev.superstep.run.Outcome.Completed) outcome).state();
    var records = state.get(Summarization.SUMMARIES);
    assertThat(records).hasSize(1);
    var record = records.values().iterator().next();
    assertThat(record.id()).isEqualTo(state.get(agent.messages()).getFirst().id());
    assertThat(record.text()).isEqualTo("They talked.");
    assertThat(record.sources()).hasSize(5);
    assertThat(record.model()).isEqualTo("scripted://test");
    assertThat(record.before()).isGreaterThan(record.after());
    assertThat(record.policy()).contains("Messages[count=5]");
    assertThat(record.prompt()).isNotEmpty();
  }

  @Test
  void any_trigger_will_do_and_a_share_needs_a_known_window() throws Exception {
    var share =
        Summarization.by(writer, Trigger.fraction(0.5)).withTail(ConversationTail.tokens(40));
    agent(ScriptedModel.saying("ok"), share).run(talk(9), RunOptions.defaults());
    assertThat(writer.calls()).isZero();
    var profile = ModelProfile.of().within(300, 100);
    agent(known(ScriptedModel.saying("ok"), profile), share).run(talk(9), RunOptions.defaults());
    assertThat(writer.calls()).isEqualTo(1);
    var any =
        summaries(Trigger.tokens(100_000), Trigger.messages(3))
            .withTail(ConversationTail.messages(1));
    agent(ScriptedModel.saying("ok"), any).run(talk(9), RunOptions.defaults());
    assertThat(writer.calls()).isEqualTo(2);
  }

  @Test
  void calls_are_never_split_from_their_answers() throws Exception {
    for (int kept = 1; kept < 9; kept++) {
      var model = Talks.looking(6);
      var how = summaries(Trigger.messages(5)).withTail(ConversationTail.messages(kept));
      var agent = Talks.agent(model).tools(Talks.LOOK).middleware(how).build();
      var result = agent.run(talk(6), RunOptions.defaults());
      for (var request : model.requests()) {
        assertThat(Conversations.complete(request.messages())).isSameAs(request.messages());
        assertThat(Talks.texts(request)).contains("and now?");
      }
      var all = result.report().conversation();
      assertThat(Conversations.complete(all)).isSameAs(all);
    }
  }

  @Test
  void the_question_stays_also_when_only_tools_come_after_it() throws Exception {
    var model = Talks.looking(12);
    var how = summaries(Trigger.messages(6)).withTail(ConversationTail.messages(3));
    var result = Talks.agent(model).tools(Talks.LOOK).middleware(how).build().run("Weather?");
    assertThat(writer.calls()).isGreaterThan(2);
    for (var request : model.requests()) {
      assertThat(Talks.texts(request)).startsWith("Be kind.", "Weather?");
      assertThat(request.messages()).hasSizeLessThan(8);
    }
    assertThat(result.report().conversation().getFirst().text()).isEqualTo("Weather?");
  }

  @Test
  void if_the_model_fails_nothing_is_lost() throws Exception {
    ChatModel broken =
        ScriptedModel.by(_ -> {
          throw new ModelException(ModelException.Kind.OVERLOADED, "down");
        });
    for (var writes : List.of(broken, ScriptedModel.by(_ -> ScriptedModel.text(" ")), cutOff())) {
      var model = ScriptedModel.saying("ok");
      var how =
          Summarization.by(writes, Trigger.messages(3)).withTail(ConversationTail.messages(1));
      var result = agent(model, how).run(talk(7), RunOptions.defaults());
      assertThat(result.report().conversation()).hasSize(8);
      assertThat(model.requests().getFirst().messages()).hasSize(8);
    }
  }

  private static ChatModel cutOff() {
    var reply = new AssistantMessage("", "They", List.of());
    return ScriptedModel.by(_ -> ScriptedModel.reply(reply, Usage.NONE, ChatReply.Finish.LENGTH));
  }

  @Test
  @Tag("A6")
  void a_summary_is_budgeted_and_not_asked_for_twice() throws Exception {
    var reply = new AssistantMessage("", "They talked.", List.of());
    var costly =
        ScriptedModel.replying(
            ScriptedModel.reply(reply, new Usage(100, 0, 10, 0), ChatReply.Finish.STOP));
    var failing = new AtomicInteger();
    var model =
        ScriptedModel.by(_ -> {
          if (failing.getAndIncrement() == 0) {
            throw new ModelException(ModelException.Kind.UNAVAILABLE, "no such model");
          }
          return ScriptedModel.text("ok");
        });
    var how = Summarization.by(costly, Trigger.messages(5)).withTail(ConversationTail.messages(2));
    var agent = agent(model, how);
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    Assertions.assertThatThrownBy(() -> agent.run(talk(7), options))
        .isInstanceOf(ModelException.class);
    var result = agent.resume(Answers.none(), options);
    assertThat(result.answer()).isEqualTo("ok");
    assertThat(costly.calls()).isEqualTo(1);
    assertThat(result.report().usage().input()).isEqualTo(100);
    assertThat(result.report().conversation()).hasSize(4);
  }

  @Test
  void a_budget_that_is_used_up_stops_the_summary_too() {
    var budget = Budget.unlimited().totalTokens(50);
    var agent =
        Talks.agent(ScriptedModel.saying("ok"))
            .budget(budget)
            .middleware(summaries(Trigger.messages(3)).withTail(ConversationTail.messages(1)))
            .build();
    Assertions.assertThatThrownBy(() -> agent.run(talk(9), RunOptions.defaults()))
        .isInstanceOf(dev.superstep.budget.BudgetExceeded.class);
    assertThat(writer.calls()).isZero();
  }

  @Test
  void a_summary_is_summarized_with_what_follows_it() throws Exception {
    var model = ScriptedModel.saying("ok", "ok again");
    var how = summaries(Trigger.messages(5)).withTail(ConversationTail.messages(2));
    var agent = agent(model, how);
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    agent.run(talk(7), options);
    agent.run(List.of(Message.user(LONG + "a"), Message.user(LONG + "b")), options);
    assertThat(writer.calls()).isEqualTo(2);
    assertThat(writer.requests().getLast().messages().getLast().text())
        .contains("They talked.")
        .contains("Assistant: ok");
    assertThat(model.requests().getLast().messages()).hasSizeLessThan(6);
  }

  @Test
  void the_thread_may_keep_everything() throws Exception {
    var model = ScriptedModel.saying("ok", "fine");
    var how = summaries(Trigger.messages(7)).withTail(ConversationTail.messages(2)).keepingRaw();
    var agent = agent(model, how);
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var first = agent.run(talk(7), options);
    assertThat(first.report().conversation()).hasSize(8);
    assertThat(model.requests().getFirst().messages()).hasSize(4);
    var second = agent.run("more", options);
    assertThat(second.report().conversation()).hasSize(10);
    assertThat(Talks.texts(model.requests().getLast()))
        .containsExactly("Be kind.", SUMMARY, LONG + 6, "and now?", "ok", "more");
    assertThat(writer.calls()).isEqualTo(1);
  }

  @Test
  void a_stale_summary_never_replaces_the_messages() throws Exception {
    var how = summaries(Trigger.messages(7)).withTail(ConversationTail.messages(2)).keepingRaw();
    var quiet = ScriptedModel.by(_ -> ScriptedModel.text(""));
    var other =
        renamed(ScriptedModel.by(_ -> ScriptedModel.text("")), new ModelRef("scripted", "new"));
    var changed =
        Map.of(
            "prompt",
                Summarization.by(quiet, Trigger.messages(7))
                    .withTail(ConversationTail.messages(2))
                    .keepingRaw()
                    .withPrompt("Other."),
            "policy",
                Summarization.by(quiet, Trigger.messages(7))
                    .withTail(ConversationTail.messages(3))
                    .keepingRaw(),
            "model",
                Summarization.by(other, Trigger.messages(7))
                    .withTail(ConversationTail.messages(2))
                    .keepingRaw());
    for (var one : changed.entrySet()) {
      var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
      agent(ScriptedModel.saying("ok"), how).run(talk(7), options);
      var model = ScriptedModel.saying("fine");
      agent(model, one.getValue()).run("more", options);
      assertThat(Talks.texts(model.requests().getLast()))
          .as(one.getKey())
          .hasSize(10)
          .doesNotContain(SUMMARY);
    }
  }

  @Test
  void a_summary_is_stale_when_a_source_changed_or_its_time_is_over() throws Exception {
    var now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    var once = new AtomicInteger();
    var tired =
        ScriptedModel.by(
            _ -> ScriptedModel.text(once.getAndIncrement() == 0 ? "They talked." : ""));
    var how =
        Summarization.by(tired, Trigger.messages(7))
            .withTail(ConversationTail.messages(2))
            .withLife(Duration.ofHours(1))
            .keepingRaw();
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store).clock(now::get);
    var first = agent(ScriptedModel.saying("ok"), how).run(talk(7), options);
    var model = ScriptedModel.saying("1", "2", "3");
    var agent = agent(model, how);
    agent.run("more", options);
    assertThat(Talks.texts(model.requests().getLast())).contains(SUMMARY);
    now.set(now.get().plus(Duration.ofHours(2)));
    agent.run("more", options);
    assertThat(Talks.texts(model.requests().getLast())).doesNotContain(SUMMARY).contains(LONG + 1);
    now.set(Instant.parse("2026-01-01T00:00:00Z"));
    var edited =
        Message.user("something else").withId(first.report().conversation().getFirst().id());
    agent.run(List.of(edited), options);
    assertThat(Talks.texts(model.requests().getLast()))
        .doesNotContain(SUMMARY)
        .contains("something else");
  }

  @Test
  void summarized_messages_can_be_read_in_the_archive() throws Exception {
    var asked = new AtomicReference<String>("");
    var model =
        ScriptedModel.by(request -> {
          var last = request.messages().getLast();
          if (!last.text().equals("and now?")) return ScriptedModel.text(last.text());
          var summary = request.messages().get(1);
          asked.set(summary.text());
          var arguments = "{\"summary\":\"%s\",\"from\":0}".formatted(summary.id());
          return ScriptedModel.calls(new ToolCall("c1", "read_history", arguments));
        });
    var how =
        summaries(Trigger.messages(5))
            .withTail(ConversationTail.messages(2))
            .withArchive(_ -> Namespace.of("archive", "ann"));
    try (var store = InMemoryStore.open()) {
      var result = agent(model, how).run(talk(7), RunOptions.defaults().store(store));
      assertThat(asked.get()).contains("read_history");
      assertThat(result.answer()).contains("User: " + LONG + 1).contains("Assistant: " + LONG + 4);
    }
  }

  @Test
  void a_stale_summary_gives_way_to_the_archive() throws Exception {
    var how =
        summaries(Trigger.messages(5))
            .withTail(ConversationTail.messages(2))
            .withArchive(_ -> Namespace.of("archive", "ann"));
    try (var store = InMemoryStore.open()) {
      var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer()).store(store);
      agent(ScriptedModel.saying("ok"), how).run(talk(7), options);
      var model = ScriptedModel.saying("fine");
      var changed =
          Summarization.by(writer, Trigger.messages(100))
              .withArchive(_ -> Namespace.of("archive", "ann"));
      var result = agent(model, changed).run("more", options);
      assertThat(Talks.texts(model.requests().getLast()))
          .contains(LONG + 1, LONG + 5, "and now?", "more")
          .hasSize(10);
      assertThat(result.report().conversation()).hasSize(10);
    }
  }

  private Summarization summaries(Trigger... triggers) {
    return Summarization.by(writer, triggers);
  }

  private static Agent<String> agent(ChatModel model, Summarization how) {
    return Talks.agent(model).middleware(how).build();
  }

  private static ChatModel known(ChatModel model, ModelProfile profile) {
    return new Other(model, model.ref(), profile);
  }

  private static ChatModel renamed(ChatModel model, ModelRef ref) {
    return new Other(model, ref, ModelProfile.UNKNOWN);
  }

  private record Other(ChatModel model, ModelRef ref, ModelProfile profile) implements ChatModel {
    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      return model.call(request);
    }
  }
}
