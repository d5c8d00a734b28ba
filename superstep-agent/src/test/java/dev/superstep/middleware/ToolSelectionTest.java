package dev.superstep.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.Kind;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.ToolSpec;
import dev.superstep.run.Outcome;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("T45")
class ToolSelectionTest {
  private static final ToolCall OSLO = new ToolCall("c1", "look", "{\"name\":\"Oslo\"}");
  private static final Tool LISTEN = Talks.LOOK.named("listen", "Listens.");
  private static final Tool SMELL = Talks.LOOK.named("smell", "Smells.");

  @Test
  void a_model_chooses_the_tools_once_in_a_run() throws Exception {
    var chooser = ScriptedModel.saying("{\"tools\":[\"look\",\"fly\",\"listen\"]}");
    var model = ScriptedModel.replying(ScriptedModel.calls(OSLO), ScriptedModel.text("Sun."));
    var agent =
        Talks.agent(model)
            .tools(Talks.LOOK, LISTEN, SMELL)
            .middleware(ToolSelection.by(chooser, 1))
            .build();
    var events = new ArrayList<AgentEvent>();
    var options = Talks.noting(RunOptions.defaults(), events);
    assertThat(agent.run(List.of(Message.user("Weather?")), options).answer()).isEqualTo("Sun.");
    assertThat(chooser.calls()).isEqualTo(1);
    assertThat(chooser.requests().getFirst().messages().getLast().text())
        .contains("smell: Smells.")
        .contains("Weather?");
    assertThat(model.requests()).extracting(ToolSelectionTest::tools).containsOnly(List.of("look"));
    assertThat(Talks.only(events, AgentEvent.ToolsFiltered.class))
        .extracting(AgentEvent.ToolsFiltered::tools)
        .containsExactly(List.of("listen", "smell"));
  }

  @Test
  @Tag("T32")
  void a_tool_that_is_not_shown_is_not_run_either() throws Exception {
    var heard = new AtomicInteger();
    var listen = Tool.of("listen", "Listens.", Talks.City.class, (_, _) -> heard.incrementAndGet());
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(OSLO.with("listen", OSLO.arguments())), ScriptedModel.text("Sun."));
    var agent =
        Talks.agent(model)
            .tools(Talks.LOOK, listen)
            .middleware(ToolSelection.by((_, _) -> List.of()).withAlways("look"))
            .build();
    agent.run("Weather?");
    assertThat(heard).hasValue(0);
    assertThat(tools(model.requests().getFirst())).containsExactly("look");
    assertThat(model.requests().getLast().messages().getLast())
        .isInstanceOfSatisfying(ToolMessage.class, m -> assertThat(m.error()).isTrue());
  }

  @Test
  @Tag("T32")
  void an_agent_that_is_not_shown_is_not_called_either() throws Exception {
    var reader = ScriptedModel.saying("Read.");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "reader", "{\"task\":\"x\"}")),
            ScriptedModel.text("Sun."));
    var agent =
        Talks.agent(model)
            .tools(Talks.LOOK)
            .agent(Agent.named("reader").model(reader).build(), "Reads.")
            .middleware(ToolSelection.by((_, _) -> List.of()).withAlways("look"))
            .build();
    agent.run("Weather?");
    assertThat(reader.calls()).isZero();
    assertThat(model.requests().getLast().messages().getLast().text())
        .contains("There is no tool `reader` now.");
  }

  @Test
  void each_run_selects_again() throws Exception {
    var chooser = ScriptedModel.saying("{\"tools\":[\"look\"]}", "{\"tools\":[\"smell\"]}");
    var model = ScriptedModel.saying("a", "b");
    var agent =
        Talks.agent(model)
            .tools(Talks.LOOK, SMELL)
            .middleware(ToolSelection.by(chooser, 1))
            .build();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    agent.run("Weather?", options);
    agent.run("Scent?", options);
    assertThat(model.requests())
        .extracting(ToolSelectionTest::tools)
        .containsExactly(List.of("look"), List.of("smell"));
  }

  @Test
  void a_model_plays_the_tools_that_do_not_exist_yet() throws Exception {
    var player = ScriptedModel.by(r -> ScriptedModel.text(r.messages().getLast().text()));
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(
                OSLO,
                new ToolCall("c2", "smell", "{\"name\":\"Rome\"}"),
                new ToolCall("c3", "smell", "{}")),
            ScriptedModel.text("Fine."));
    var agent =
        Talks.agent(model)
            .tools(Talks.LOOK, SMELL)
            .middleware(ToolEmulation.by(player, "smell"))
            .build();
    agent.run("Weather?");
    var shown = Talks.texts(model.requests().getLast());
    assertThat(shown).contains("sun in Oslo", "Tool: smell\nArguments: {\"name\":\"Rome\"}");
    // Bad arguments never come that far.
    assertThat(player.calls()).isEqualTo(1);
  }

  @Test
  void a_todo_list_is_saved_and_published() throws Exception {
    var first = todos("[{\"text\":\"look\",\"status\":\"IN_PROGRESS\"}]");
    var second = todos("[{\"text\":\"look\",\"status\":\"DONE\"}]");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(first), ScriptedModel.calls(second), ScriptedModel.text("Done."));
    var agent = Talks.agent(model).middleware(TodoList.create()).build();
    var seen = new ArrayList<String>();
    try (var run = agent.stream("Go", RunOptions.defaults().details(Detail.VALUES))) {
      for (var event : run.only(EventFilter.kinds(Kind.VALUES))) {
        var todos = ((Event.StateValues) event).values().get("todos");
        if (todos != null && !seen.contains(todos.text())) seen.add(todos.text());
      }
      var end = (Outcome.Completed) run.outcome();
      assertThat(end.state().get(TodoList.TODOS))
          .containsExactly(new TodoList.Todo("look", TodoList.Todo.Status.DONE));
    }
    assertThat(seen).hasSize(2);
    assertThat(seen.getFirst()).contains("IN_PROGRESS");
    assertThat(Talks.texts(model.requests().getFirst()).get(1)).contains("write_todos");
    assertThat(model.requests().getFirst().prefix()).isEqualTo(2);
    assertThat(Talks.texts(model.requests().getLast()))
        .contains("The list is kept: 0 of 1 done.", "The list is kept: 1 of 1 done.");
  }

  @Test
  void a_list_that_is_written_twice_at_once_is_not_written() throws Exception {
    var one = todos("[{\"text\":\"look\",\"status\":\"OPEN\"}]");
    var two = new ToolCall("t2", one.tool(), one.arguments());
    var model =
        ScriptedModel.replying(ScriptedModel.calls(one, two, OSLO), ScriptedModel.text("Done."));
    var agent = Talks.agent(model).tools(Talks.LOOK).middleware(TodoList.create()).build();
    var outcome =
        (Outcome.Completed) agent.graph().invoke(agent.input(List.of(Message.user("Go"))));
    assertThat(outcome.state().find(TodoList.TODOS)).isEmpty();
    var answers =
        model.requests().getLast().messages().stream()
            .filter(ToolMessage.class::isInstance)
            .map(ToolMessage.class::cast)
            .toList();
    assertThat(answers).extracting(ToolMessage::error).containsExactly(true, true, false);
  }

  private static ToolCall todos(String list) {
    return new ToolCall("t1", "write_todos", "{\"todos\":" + list + "}");
  }

  private static List<String> tools(ChatRequest request) {
    return request.tools().stream().map(ToolSpec::name).toList();
  }
}
