package dev.superstep.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Conversations;
import dev.superstep.message.Message;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.TokenCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("T45")
class TrimmingTest {
  @Test
  void only_the_newest_messages_are_sent_and_the_thread_keeps_all() throws Exception {
    var model = ScriptedModel.saying("three");
    var agent = Talks.agent(model).middleware(Trimming.to(ConversationTail.messages(2))).build();
    var said = List.of(Message.user("one"), Message.assistant("two"), Message.user("and now?"));
    var events = new ArrayList<AgentEvent>();
    var result = agent.run(said, Talks.noting(RunOptions.defaults(), events));
    assertThat(Talks.texts(model.requests().getFirst()))
        .containsExactly("Be kind.", "two", "and now?");
    assertThat(result.report().conversation())
        .extracting(Message::text)
        .containsExactly("one", "two", "and now?", "three");
    var told = Talks.only(events, AgentEvent.ContextCompressed.class);
    var gone = result.report().conversation().getFirst().id();
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().sources()).containsExactly(gone);
    assertThat(told.getFirst().before()).isGreaterThan(told.getFirst().after());
    assertThat(told.getFirst().keepsPrefix()).isTrue();
  }

  @Test
  @Tag("T46")
  void calls_stay_with_their_answers_and_the_question_stays() throws Exception {
    for (int most = 1; most < 12; most++) {
      var model = Talks.looking(6);
      var agent =
          Talks.agent(model)
              .tools(Talks.LOOK)
              .middleware(Trimming.to(ConversationTail.messages(most)))
              .build();
      assertThat(agent.run("Weather?").answer()).isEqualTo("Sun.");
      for (var request : model.requests()) {
        var messages = request.messages();
        assertThat(Conversations.complete(messages)).isSameAs(messages);
        assertThat(Talks.texts(request)).startsWith("Be kind.", "Weather?");
        // The question and the newest call with its answer are there in any case.
        assertThat(messages.size() - 1).isLessThanOrEqualTo(Math.max(3, most));
      }
      var last = model.requests().getLast().messages();
      assertThat(last.getLast()).isInstanceOf(ToolMessage.class);
    }
  }

  @Test
  void a_budget_of_tokens_counts_instructions_and_tools() throws Exception {
    var counter = TokenCounter.approximate();
    var said = new ArrayList<Message>();
    IntStream.range(0, 40).forEach(i -> said.add(Message.user("a line of some length, " + i)));
    for (int most = 150; most < 600; most += 50) {
      var model = ScriptedModel.saying("done");
      var agent =
          Talks.agent(model)
              .tools(Talks.LOOK)
              .middleware(Trimming.to(ConversationTail.tokens(most)))
              .build();
      agent.run(said, RunOptions.defaults());
      var request = model.requests().getFirst();
      assertThat(counter.count(request)).isBetween(most - 40L, (long) most);
      assertThat(request.messages().getLast().text()).endsWith("39");
    }
  }

  @Test
  void a_conversation_that_fits_is_not_trimmed() throws Exception {
    var events = new ArrayList<AgentEvent>();
    var model = ScriptedModel.saying("done");
    var agent = Talks.agent(model).middleware(Trimming.to(ConversationTail.messages(9))).build();
    agent.run(List.of(Message.user("hi")), Talks.noting(RunOptions.defaults(), events));
    assertThat(Talks.only(events, AgentEvent.ContextCompressed.class)).isEmpty();
  }

  @Test
  void old_results_are_cleared_and_their_calls_stay() throws Exception {
    var model = Talks.looking(4);
    var editing = ContextEditing.at(Trigger.tokens(1)).withRecentResults(1);
    var agent = Talks.agent(model).tools(Talks.LOOK).middleware(editing).build();
    var events = new ArrayList<AgentEvent>();
    var options = Talks.noting(RunOptions.defaults(), events);
    var result = agent.run(List.of(Message.user("Weather?")), options);
    assertThat(results(model.requests().getLast().messages()))
        .containsExactly("[cleared]", "[cleared]", "[cleared]", "sun in city4");
    assertThat(arguments(model.requests().getLast().messages())).doesNotContain("{}");
    assertThat(results(result.report().conversation())).doesNotContain("[cleared]");
    var told = Talks.only(events, AgentEvent.ContextCompressed.class);
    assertThat(told.getLast().sources()).hasSize(3).doesNotContain("");
    assertThat(told.getLast().keepsPrefix()).isTrue();
  }

  @Test
  void arguments_are_cleared_if_wanted_and_excluded_tools_never() throws Exception {
    var model = Talks.looking(3);
    var editing = ContextEditing.at(Trigger.messages(2)).withRecentResults(0).withArguments();
    Talks.agent(model).tools(Talks.LOOK).middleware(editing).build().run("Weather?");
    assertThat(arguments(model.requests().getLast().messages())).containsOnly("{}");
    var other = Talks.looking(3);
    var excluding = editing.withExcluded("look");
    Talks.agent(other).tools(Talks.LOOK).middleware(excluding).build().run("Weather?");
    assertThat(results(other.requests().getLast().messages())).doesNotContain("[cleared]");
    assertThat(arguments(other.requests().getLast().messages())).doesNotContain("{}");
  }

  @Test
  void nothing_is_cleared_below_the_threshold() throws Exception {
    var model = Talks.looking(4);
    var editing = ContextEditing.at(Trigger.tokens(100_000)).withRecentResults(0);
    Talks.agent(model).tools(Talks.LOOK).middleware(editing).build().run("Weather?");
    assertThat(results(model.requests().getLast().messages())).doesNotContain("[cleared]");
  }

  private static List<String> results(List<Message> messages) {
    return messages.stream().filter(ToolMessage.class::isInstance).map(Message::text).toList();
  }

  private static List<String> arguments(List<Message> messages) {
    return messages.stream()
        .filter(AssistantMessage.class::isInstance)
        .flatMap(one -> ((AssistantMessage) one).calls().stream())
        .map(call -> call.arguments())
        .toList();
  }
}
