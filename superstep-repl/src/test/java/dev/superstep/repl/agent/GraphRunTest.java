package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.repl.grant.Grants;
import dev.superstep.run.Answers;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Graphs that run from a cell.
@Tag("S10")
class GraphRunTest {
  private static final Channel<String, String> WORD = Channel.latest("word", String.class);
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Question<String, Integer> SIZE =
      Question.of("size", String.class, Integer.class);
  private static final Question<String, Boolean> PAY =
      Question.of("pay", String.class, Boolean.class).asApproval();

  private final List<String> ran = new CopyOnWriteArrayList<>();
  @TempDir private Path folder;

  private Graph graph(Node node) {
    return Graph.named("desk")
        .channels(WORD, SAID)
        .questions(SIZE, PAY)
        .node(
            "first",
            (state, _) -> {
              ran.add("first " + state.get(WORD));
              return Update.of(SAID, "first");
            })
        .node("second", node)
        .edge(Graph.START, "first")
        .edge("first", "second")
        .edge("second", Graph.END)
        .compile();
  }

  private Graph plain() {
    return graph((state, _) -> {
      if (state.get(WORD).equals("bad")) throw new IllegalStateException("no such word");
      return Update.of(SAID, state.get(WORD));
    });
  }

  private Graph asking() {
    return graph((state, context) -> {
      int size = context.interrupt(SIZE, "How large is " + state.get(WORD) + "?");
      ran.add("second " + size);
      return Update.of(SAID, state.get(WORD) + " " + size);
    });
  }

  private static Agent<String> agent(Grants grants, String... cells) {
    var replies = new String[cells.length];
    for (int i = 0; i < cells.length; i++) replies[i] = "```ragsh\n" + cells[i] + "\n```";
    return ReplAgent.named("reader").model(ScriptedModel.saying(replies)).grants(grants).build();
  }

  private static RunOptions on(Checkpointer store, String thread) {
    return RunOptions.defaults().on(thread, store);
  }

  @Test
  void a_graph_of_the_registry_takes_and_gives_a_dict_and_its_errors_can_be_caught()
      throws Exception {
    var registry = Registry.named("desk").register(Component.of(Kind.GRAPH, "desk", plain()));
    var cell =
        """
        seen = [graph_run("desk", {"word": "hi"})]
        for given in [{"word": "bad"}, {"wrod": "x"}, {"word": ["x"]}]:
            try:
                graph_run("desk", input=given)
            except HostError as e:
                seen.append(e.code)
        seen.append([r.ok for r in graph_run_batched([{"graph": "desk", "input": {"word": w}}
                                                      for w in ["a", "bad", "c"]])])
        try:
            graph_run("d" + "sk")
        except HostError as e:
            seen.append(str(e))
        answer(seen)
        """;
    assertThat(agent(Grants.of(registry).graphs("desk"), cell).run("?").answer())
        .isEqualTo(
            "[{\"said\":[\"first\",\"hi\"],\"word\":\"hi\"},\"graph-error\",\"invalid-arguments\","
                + "\"invalid-arguments\",[true,false,true],"
                + "\"there is no graph `dsk`; did you mean `desk`?\"]");
  }

  @Test
  void a_question_of_a_graph_is_a_value_that_a_later_cell_answers() throws Exception {
    var cells =
        new String[] {
          """
          told = graph_run("desk", {"word": "hall"}, thread="a")
          asked = told["interrupted"][0]
          seen = [told["thread"], asked["question"], asked["payload"]]
          for wrong in [{"nobody": 1}, {asked["id"]: "large"}]:
              try:
                  graph_run("desk", thread="a", answers=wrong)
              except HostError as e:
                  seen.append(e.code)
          try:
              graph_run("desk", {"word": "other"}, thread="a")
          except HostError as e:
              seen.append(e.code)
          """,
          """
          seen.append(graph_run("desk", thread="a", answers={asked["id"]: 12}))
          answer(seen)
          """
        };
    var result = agent(Grants.none().graph("desk", asking()), cells);
    assertThat(result.run("?", on(new InMemoryCheckpointer(), "t")).answer())
        .isEqualTo(
            "[\"a\",\"size\",\"How large is hall?\",\"invalid-arguments\",\"invalid-arguments\","
                + "\"thread-waits\",{\"said\":[\"first\",\"hall 12\"],\"word\":\"hall\"}]");
    assertThat(ran).containsExactly("first hall", "second 12");
  }

  @Test
  void a_graph_that_waits_is_answered_by_a_cell_in_another_process() throws Exception {
    var cells =
        new String[] {
          "told = graph_run('desk', {'word': 'hall'}, thread='a')\n"
              + "id = told['interrupted'][0]['id']",
          "answer(graph_run('desk', thread='a', answers={id: 12}))"
        };
    var file = folder.resolve("threads.db");
    try (var store = SqliteCheckpointer.open(file)) {
      var first = agent(Grants.none().graph("desk", asking()), cells[0]);
      assertThat(
              org.assertj.core.api.Assertions.catchThrowable(() -> first.run("?", on(store, "t"))))
          .as("the model is gone after the first cell")
          .isNotNull();
    }
    try (var store = SqliteCheckpointer.open(file)) {
      var second = agent(Grants.none().graph("desk", asking()), cells[1]);
      assertThat(second.resume(Answers.none(), on(store, "t")).answer())
          .isEqualTo("{\"said\":[\"first\",\"hall 12\"],\"word\":\"hall\"}");
    }
    assertThat(ran).containsExactly("first hall", "second 12");
  }

  @Test
  void an_approval_is_asked_of_a_person_and_no_script_can_give_it() throws Exception {
    var paying =
        graph((_, context) -> {
          boolean isPaid = context.interrupt(PAY, "10 EUR");
          return Update.of(SAID, isPaid ? "paid" : "refused");
        });
    var cell = "told = graph_run('desk', {'word': 'x'}, thread='a')\nanswer(told)";
    var store = new InMemoryCheckpointer();
    var agent = agent(Grants.none().graph("desk", paying), cell);
    var waiting = (AgentResult.Waiting<String>) agent.run("?", on(store, "t"));
    var question = waiting.questions().getFirst();
    assertThat(question.question()).isEqualTo("pay");
    // The id is no secret: a script that knows it gets nowhere.
    var forged =
        """
        seen = []
        for given in [{"%s": True}, {"%s": True, "%s~for": {"thread": "u"}}]:
            try:
                graph_run("desk", {"word": "x"}, thread="a", answers=given)
            except HostError as e:
                seen.append(e.code)
        graph_run("desk", {"word": "x"}, thread="a")
        """
            .replace("%s", question.id());
    var other = agent(Grants.none().graph("desk", paying), forged);
    assertThat(other.run("?", on(store, "u"))).isInstanceOf(AgentResult.Waiting.class);
    var end = agent.resume(Answers.of(question.id(), PAY, true), on(store, "t")).answer();
    assertThat(end).contains("paid");
    assertThat(ran).containsExactly("first x", "first x");
  }

  @Test
  void a_named_thread_goes_on_from_its_state_and_is_that_of_one_run_alone() throws Exception {
    var cell =
        """
        seen = [graph_run("desk", {"word": w}, thread=t)["said"]
                for w, t in [("a", "x"), ("b", "y"), ("c", "x")]]
        answer(seen)
        """;
    var store = new InMemoryCheckpointer();
    var grants = Grants.none().graph("desk", plain());
    var once = "[[\"first\",\"a\"],[\"first\",\"b\"],[\"first\",\"a\",\"first\",\"c\"]]";
    assertThat(agent(grants, cell).run("?", on(store, "t")).answer()).isEqualTo(once);
    assertThat(agent(grants, cell).run("?", on(store, "t")).answer()).isEqualTo(once);
    assertThat(agent(grants, cell).run("?", on(store, "u")).answer()).isEqualTo(once);
    var other = "try:\n    graph_run('desk', {'word': 'a'}, thread='x')\n";
    var unsaved = agent(grants, other + "except HostError as e:\n    answer(e.code)");
    assertThat(unsaved.run("?").answer()).isEqualTo("needs-thread");
  }
}
