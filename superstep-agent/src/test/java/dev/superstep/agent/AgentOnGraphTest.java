package dev.superstep.agent;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.ToolObserver;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.Kind;
import dev.superstep.event.Redaction;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Replay;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.DurableModel;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.model.UsageReport;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Divergence;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AgentOnGraphTest {
  record City(String name) {}

  private static final Tool LOOK =
      Tool.of("look", "Looks.", City.class, (city, _) -> "sun in " + city.name());
  private static final Channel<List<Message>, Message> MESSAGES = Messages.channel("messages");

  @Test
  void an_agent_is_one_node() throws InterruptedException {
    var graph =
        Graph.named("one")
            .channels(MESSAGES)
            .node("agent", agent().on(MESSAGES))
            .edge(START, "agent")
            .edge("agent", END)
            .compile();
    check(graph);
  }

  @Test
  void its_model_step_and_tool_step_may_be_separate_nodes() throws InterruptedException {
    var call = new ToolCall("c1", "look", "{\"name\":\"Oslo\"}");
    var model =
        ScriptedModel.replying(ScriptedModel.calls(call), ScriptedModel.text("Sun in Oslo."));
    var tools = Tools.of(LOOK);
    var graph =
        Graph.named("two")
            .channels(MESSAGES)
            .node("model", ModelCall.of(model).withTools(tools).on(MESSAGES))
            .node("tools", ToolBatch.of(tools).on(MESSAGES))
            .edge(START, "model")
            .route(
                "model",
                state -> Messages.openCalls(state.get(MESSAGES)).isEmpty() ? END : "tools",
                "tools",
                END)
            .edge("tools", "model")
            .compile();
    check(graph);
  }

  private static Agent<String> agent() {
    var call = new ToolCall("c1", "look", "{\"name\":\"Oslo\"}");
    var model =
        ScriptedModel.replying(ScriptedModel.calls(call), ScriptedModel.text("Sun in Oslo."));
    return Agent.named("weather").model(model).tools(Tools.of(LOOK)).build();
  }

  private static void check(Graph graph) throws InterruptedException {
    var outcome = graph.invoke(Input.of(MESSAGES, Message.user("Weather?")));
    assertThat(outcome).isInstanceOf(Outcome.Completed.class);
    var messages = ((Outcome.Completed) outcome).state().get(MESSAGES);
    assertThat(messages)
        .extracting(Message::text)
        .containsExactly("Weather?", "", "sun in Oslo", "Sun in Oslo.");
    assertThat(messages).extracting(Message::id).doesNotContain("").doesNotHaveDuplicates();
  }

  @Test
  @Tag("T101")
  void text_from_a_nested_agent_is_streamed_before_the_reply_is_complete() throws Exception {
    var heard = new CountDownLatch(1);
    var model = new Halting(ScriptedModel.saying("Sun in Oslo."), heard);
    var agent = Agent.named("weather").model(model).build();
    var inner =
        Graph.named("inner")
            .channels(MESSAGES)
            .node("speak", agent.on(MESSAGES))
            .edge(START, "speak")
            .edge("speak", END)
            .compile();
    var outer =
        Graph.named("outer")
            .channels(MESSAGES)
            .node(
                "desk",
                Subgraph.of(
                    inner,
                    (State state) -> Input.all(MESSAGES, state.get(MESSAGES)),
                    state -> Update.all(MESSAGES, state.get(MESSAGES))))
            .edge(START, "desk")
            .edge("desk", END)
            .compile();
    var text = new StringBuilder();
    var input = Input.of(MESSAGES, Message.user("Weather?"));
    try (var run = outer.stream(input, RunOptions.defaults())) {
      for (var event : run.only(EventFilter.kinds(Kind.MESSAGES))) {
        var said = (Event.TextArrived) event;
        // The model goes on only now.
        heard.countDown();
        text.append(said.piece().text()).append('|');
        assertThat(said.piece().agent()).isEqualTo("weather");
        assertThat(said.piece().model()).isEqualTo("scripted://test");
        assertThat(said.piece().call()).isEqualTo(1);
        assertThat(said.attempt()).isEqualTo(1);
        assertThat(said.node()).isEqualTo("model");
        assertThat(said.origin().path()).containsExactly("desk", "speak");
      }
      assertThat(run.outcome()).isInstanceOf(Outcome.Completed.class);
    }
    assertThat(text).hasToString("Sun| in Oslo.|");
  }

  /// Says the first three letters, and the rest when they were heard.
  private record Halting(ChatModel inner, CountDownLatch heard) implements ChatModel {
    @Override
    public ModelRef ref() {
      return inner.ref();
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      return inner.call(request);
    }

    @Override
    public ChatReply stream(ChatRequest request, DeltaListener listener)
        throws InterruptedException {
      var reply = inner.call(request);
      listener.onText(reply.message().text().substring(0, 3));
      heard.await();
      listener.onText(reply.message().text().substring(3));
      return reply;
    }
  }

  @Test
  @Tag("E12")
  void an_observer_receives_the_start_and_end_of_tool_calls() throws Exception {
    var bad = new ToolCall("c2", "look", "{}");
    var good = new ToolCall("c1", "look", "{\"name\":\"Oslo\"}");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(good), ScriptedModel.calls(bad), ScriptedModel.text("Sun."));
    var agent = Agent.named("weather").model(model).tools(Tools.of(LOOK)).build();
    var notes = new ArrayList<String>();
    var observer =
        new ToolObserver() {
          @Override
          public void start(String name, String call) {
            notes.add("start " + name + " " + call);
          }

          @Override
          public void complete(String name, Duration took) {
            notes.add("complete " + name);
          }

          @Override
          public void error(String name, String message) {
            notes.add("error " + name + " " + message);
          }
        };
    agent.run("Weather?", RunOptions.defaults().listener(ToolObserver.on(observer)));
    assertThat(notes).containsExactly("start look c1", "complete look", "error look bad arguments");
  }

  /// A model that is down, and says what was asked before.
  private record Down(ModelRef ref, AtomicInteger asked) implements ChatModel {
    @Override
    public ChatReply call(ChatRequest request) {
      asked.incrementAndGet();
      throw new ModelException(ModelException.Kind.UNAVAILABLE, "The model is down.");
    }
  }

  /// Answers one request, then is down.
  private static ChatModel once(ChatModel model, AtomicInteger asked) {
    return new ChatModel() {
      @Override
      public ModelRef ref() {
        return model.ref();
      }

      @Override
      public ChatReply call(ChatRequest request) throws InterruptedException {
        boolean isFirst = asked.get() == 0;
        return isFirst ? count(model.call(request)) : new Down(ref(), asked).call(request);
      }

      private ChatReply count(ChatReply reply) {
        asked.incrementAndGet();
        return reply;
      }
    };
  }

  private static Graph alone(Agent<?> agent) {
    return Graph.named("one")
        .channels(MESSAGES)
        .node("agent", agent.on(MESSAGES))
        .edge(START, "agent")
        .edge("agent", END)
        .compile();
  }

  @Test
  @Tag("A6")
  void an_agent_whose_node_runs_again_repeats_no_model_call_and_no_tool_call() throws Exception {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    var looked = new ArrayList<String>();
    var broken = new AtomicBoolean(true);
    Tool look =
        Tool.of(
            "look",
            "Looks.",
            City.class,
            (city, _) -> {
              if (city.name().equals("Rome") && broken.get()) throw new AssertionError("killed");
              looked.add(city.name());
              return "sun in " + city.name();
            });
    var asked = new AtomicInteger();
    var two =
        ScriptedModel.replying(
            ScriptedModel.calls(
                new ToolCall("c1", "look", "{\"name\":\"Oslo\"}"),
                new ToolCall("c2", "look", "{\"name\":\"Rome\"}")),
            ScriptedModel.text("never heard"));
    var builder = Agent.named("weather").tools(look).concurrency(1);
    var input = Input.of(MESSAGES, Message.user("Weather?"));
    // The process dies in the midst of the batch.
    var first = alone(builder.model(once(two, asked)).build());
    assertThatThrownBy(() -> first.invoke(input, options))
        .hasRootCauseInstanceOf(AssertionError.class);
    // Then the model is down.
    broken.set(false);
    var second = alone(builder.model(once(two, asked)).build());
    assertThatThrownBy(() -> second.resume(Answers.none(), options))
        .hasRootCauseInstanceOf(ModelException.class);
    assertThat(looked).containsExactly("Oslo", "Rome");
    assertThat(asked).hasValue(2);
    var third = alone(builder.model(ScriptedModel.saying("Sun everywhere.")).build());
    var outcome = (Outcome.Completed) third.resume(Answers.none(), options);
    assertThat(outcome.state().get(MESSAGES))
        .extracting(Message::text)
        .containsExactly("Weather?", "", "sun in Oslo", "sun in Rome", "Sun everywhere.");
    assertThat(looked).containsExactly("Oslo", "Rome");
    // And a replay needs neither.
    var none = alone(builder.model(new Down(ModelRef.parse("scripted://x"), asked)).build());
    assertThat(Replay.of(none, store).thread("t").run().text()).isEqualTo("6 supersteps agree.\n");
    assertThat(asked).hasValue(2);
  }

  @Test
  void a_replay_reports_where_an_agent_would_send_another_request() throws Exception {
    var store = new InMemoryCheckpointer();
    var before = alone(agent("Be kind."));
    before.invoke(
        Input.of(MESSAGES, Message.user("Weather?")), RunOptions.thread("t").checkpoints(store));
    assertThat(Replay.of(before, store).thread("t").run().isEqual()).isTrue();
    var found = Replay.of(alone(agent("Be curt.")), store).thread("t").run().divergence();
    assertThat(found.orElseThrow())
        .extracting(Divergence::what, Divergence::node)
        .containsExactly(Divergence.What.REQUEST, "model");
    assertThat(found.orElseThrow().now()).startsWith("step `model`: ");
  }

  @Test
  @Tag("T88")
  void a_journal_records_the_usage_of_each_model_once() throws Exception {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store).journal(Redaction.none());
    var question = Question.of("more", String.class, String.class);
    var model =
        ScriptedModel.replying(
            said("Sun.", new Usage(20, 5, 7, 0)), said("Rain.", new Usage(30, 0, 8, 0)));
    var agent = Agent.named("weather").model(model).build();
    var graph =
        Graph.named("one")
            .channels(MESSAGES)
            .questions(question)
            .node("agent", agent.on(MESSAGES))
            .node(
                "more",
                (state, context) -> {
                  context.interrupt(question, "and tomorrow?");
                  var again = ChatRequest.of(List.of(Message.user("?")));
                  var second = DurableModel.in(context, model).call(again);
                  assertThat(second.message().text()).isEqualTo("Rain.");
                  return Update.of(MESSAGES, second.message());
                })
            .edge(START, "agent")
            .edge("agent", "more")
            .edge("more", END)
            .compile();
    var input = Input.of(MESSAGES, Message.user("Weather?"));
    var asked = (Outcome.Interrupted) graph.invoke(input, options);
    var answers = Answers.of(asked.questions().getFirst().id(), "yes");
    assertThat(graph.resume(answers, options)).isInstanceOf(Outcome.Completed.class);
    var report = ThreadJournal.of(store, "t").project(UsageReport.projection()).value();
    assertThat(report.models())
        .containsExactly(
            new UsageReport.OfModel(
                "scripted://test", ChatReply.Source.SCRIPTED, 2, new Usage(50, 5, 15, 0)));
    assertThat(report.total()).isEqualTo(new Usage(50, 5, 15, 0));
  }

  private static ChatReply said(String text, Usage usage) {
    var message = new AssistantMessage("", text, List.of());
    return ScriptedModel.reply(message, usage, ChatReply.Finish.STOP);
  }

  private static Agent<String> agent(String instructions) {
    return Agent.named("weather")
        .model(ScriptedModel.saying("Sun."))
        .instructions(instructions)
        .build();
  }
}
