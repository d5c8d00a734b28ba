package dev.superstep.deep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.files.CollectedChanges;
import dev.superstep.files.Expected;
import dev.superstep.files.FileList;
import dev.superstep.files.FileTree;
import dev.superstep.files.ProposedChanges;
import dev.superstep.files.ThreadFiles;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Replay;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.ConversationTail;
import dev.superstep.middleware.PrefixGuard;
import dev.superstep.middleware.Summarization;
import dev.superstep.middleware.Trigger;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The parts of a deep agent, together and one by one.
@Timeout(120)
final class DeepAgentTest {
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final RunOptions options = RunOptions.thread("t").checkpoints(store);

  record Nothing() {}

  private static ToolCall call(String id, String tool, String arguments) {
    return new ToolCall(id, tool, arguments);
  }

  private static ToolCall write(String id, String path, String text) {
    return call(id, "write_file", "{\"path\":\"%s\",\"text\":\"%s\"}".formatted(path, text));
  }

  private static ToolCall task(String id, String task) {
    return call(id, "task", "{\"task\":\"%s\"}".formatted(task));
  }

  private static ScriptedModel script(ChatReply... replies) {
    return ScriptedModel.replying(replies);
  }

  private static FileTree files(Agent<String> agent, RunOptions of) {
    return ThreadFiles.of(agent.graph().state(of).orElseThrow().state());
  }

  private static List<String> paths(FileTree files) {
    return files.list("").files().stream().map(FileList.Entry::path).toList();
  }

  private static String instructions(ScriptedModel model, int turn) {
    return String.join(
        "\n---\n",
        model.requests().get(turn).messages().stream()
            .filter(SystemMessage.class::isInstance)
            .map(Message::text)
            .toList());
  }

  @Test
  void a_few_lines_make_an_agent_with_all_parts() throws Exception {
    var model = ScriptedModel.saying("done");
    var agent =
        DeepAgent.named("researcher")
            .model(model)
            .instructions("Answer with a report.")
            .subAgent(SubAgent.named("critic", "Says what is wrong with a draft."))
            .memories(FileTree.inMemory())
            .build();

    agent.run("Go.", options);

    assertThat(agent.tools())
        .contains("task", "critic", "write_todos", "read_file", "write_file", "grep");
    assertThat(instructions(model, 0))
        .startsWith("Answer with a report.\n\nYou have files")
        .contains("`memories`", "`results`", "another agent", "write_todos");
  }

  @Test
  void every_part_can_be_left_out() throws Exception {
    var model = ScriptedModel.saying("done");
    var agent =
        DeepAgent.named("plain")
            .model(model)
            .instructions("Help.")
            .withoutFiles()
            .withoutTask()
            .withoutTodos()
            .withoutSummarization()
            .build();

    agent.run("Go.", options);

    assertThat(agent.tools()).isEmpty();
    assertThat(instructions(model, 0)).isEqualTo("Help.");
  }

  @Test
  void files_survive_the_death_of_the_process_in_the_middle_of_a_sub_agent(@TempDir Path folder)
      throws Exception {
    var database = folder.resolve("threads.db");
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                database.toString())
            .inheritIO()
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(KilledWriter.KILLED);

    try (var saved = SqliteCheckpointer.open(database)) {
      var here = RunOptions.thread("t").checkpoints(saved);
      var agent = KilledWriter.agent(() -> {});
      var after = here.waitForLease(Duration.ofSeconds(60));
      assertThat(agent.resume(Answers.none(), after).answer()).isEqualTo("All are written.");

      var files = files(agent, here);
      assertThat(paths(files)).containsExactly("one.md", "two.md", "zero.md");
      assertThat(files.read("one.md").text()).isEqualTo("by s1");
    }
  }

  @Test
  void a_rewind_has_the_files_of_sub_agents_as_they_were() throws Exception {
    var model =
        script(
            ScriptedModel.calls(task("c1", "Write a.")),
            ScriptedModel.calls(write("s1", "a.md", "a")),
            ScriptedModel.text("a is written"),
            ScriptedModel.text("first"),
            ScriptedModel.calls(task("c2", "Write b.")),
            ScriptedModel.calls(write("s2", "b.md", "b")),
            ScriptedModel.text("b is written"),
            ScriptedModel.text("second"));
    var agent = DeepAgent.named("writer").model(model).build();
    agent.run("One.", options);
    var threads = Threads.in(store);
    var early = threads.history("t", Optional.empty(), 1).getFirst().id();
    agent.run("Two.", options);
    assertThat(paths(files(agent, options))).containsExactly("a.md", "b.md");

    threads.fork("t", early, "f");
    threads.rewind("t", early);

    assertThat(paths(files(agent, options))).containsExactly("a.md");
    assertThat(paths(files(agent, RunOptions.thread("f").checkpoints(store))))
        .containsExactly("a.md");
  }

  @Test
  void sub_agents_have_files_of_their_own_where_that_is_wanted() throws Exception {
    var model =
        script(
            ScriptedModel.calls(write("c0", "mine.md", "x"), task("c1", "Write a.")),
            ScriptedModel.calls(write("s1", "a.md", "a")),
            ScriptedModel.calls(call("s2", "glob", "{\"pattern\":\"**\"}")),
            ScriptedModel.text("written"),
            ScriptedModel.calls(call("c2", "sharer", "{\"task\":\"Write b.\"}")),
            ScriptedModel.calls(write("s3", "b.md", "b")),
            ScriptedModel.text("written"),
            ScriptedModel.text("done"));
    var agent =
        DeepAgent.named("writer")
            .model(model)
            .sharingFiles(false)
            .subAgent(SubAgent.named("sharer", "Shares.").sharingFiles(true))
            .build();

    assertThat(agent.run("Go.", options).answer()).isEqualTo("done");

    assertThat(model.requests().get(3).messages().getLast().text()).isEqualTo("a.md (1 bytes)");
    assertThat(paths(files(agent, options))).containsExactly("b.md", "mine.md");
  }

  @Test
  void the_budget_holds_over_sub_agents() {
    var model =
        ScriptedModel.by(request ->
            request.messages().getLast().text().equals("Go.")
                ? ScriptedModel.calls(task("c1", "Work."))
                : ScriptedModel.calls(
                    call("g" + request.messages().size(), "glob", "{\"pattern\":\"*\"}")));
    var agent = DeepAgent.named("writer").model(model).budget(Budget.unlimited().calls(5)).build();

    assertThatThrownBy(() -> agent.run("Go.", options)).isInstanceOf(BudgetExceeded.class);
    assertThat(model.calls()).isEqualTo(5);
  }

  @Test
  void the_gate_holds_in_sub_agents() throws Exception {
    var model =
        script(
            ScriptedModel.calls(task("c1", "Write a.")),
            ScriptedModel.calls(write("s1", "a.md", "a")),
            ScriptedModel.text("It was not possible."),
            ScriptedModel.text("done"));
    var agent =
        DeepAgent.named("writer").model(model).gate(ToolGate.open().without("write_file")).build();

    assertThat(agent.run("Go.", options).answer()).isEqualTo("done");

    assertThat(paths(files(agent, options))).isEmpty();
  }

  @Test
  void the_beginning_of_the_prompt_stays_the_same_in_all_turns_and_processes() throws Exception {
    var model =
        script(
            ScriptedModel.calls(write("c1", "a.md", "a")),
            ScriptedModel.text("first"),
            ScriptedModel.text("second"));
    for (var question : List.of("One.", "Two.")) {
      DeepAgent.named("writer")
          .model(model)
          .subAgent(SubAgent.named("critic", "Checks."), SubAgent.named("editor", "Edits."))
          .middleware(PrefixGuard.failing().acrossRuns())
          .withoutTask()
          .build()
          .run(question, options);
    }
    assertThat(instructions(model, 2)).isEqualTo(instructions(model, 0));
    assertThat(model.requests().get(2).tools()).isEqualTo(model.requests().get(0).tools());
  }

  private static Tool report(int characters) {
    return Tool.of(
            "report",
            "Reports.",
            Nothing.class,
            (_, _) -> ToolResult.of("begin" + "x".repeat(characters) + "end"))
        .withPolicy(ToolPolicy.readOnly())
        .withResultLimit(200_000);
  }

  @Test
  void large_results_are_in_files_and_small_ones_are_not() throws Exception {
    var model = script(ScriptedModel.calls(call("c1", "report", "{}")), ScriptedModel.text("done"));
    var agent =
        DeepAgent.named("reader").model(model).tools(report(5_000)).offloadingOver(4_000).build();

    agent.run("Go.", options);

    var path = paths(files(agent, options)).getFirst();
    assertThat(path).startsWith("results/report-");
    assertThat(model.requests().getLast().messages().getLast().text())
        .startsWith("begin")
        .endsWith("end\n[the whole result is in the file `%s`]".formatted(path))
        .hasSizeLessThan(2_000);
    assertThat(files(agent, options).read(path).text()).hasSize(5_008);

    var small =
        DeepAgent.named("reader")
            .model(
                ScriptedModel.replying(
                    ScriptedModel.calls(call("c1", "report", "{}")), ScriptedModel.text("done")))
            .tools(report(100))
            .build();
    var other = RunOptions.thread("u").checkpoints(store);
    small.run("Go.", other);
    assertThat(paths(files(small, other))).isEmpty();
  }

  @Test
  void a_long_conversation_is_summarized_and_the_files_stay() throws Exception {
    var model =
        ScriptedModel.by(request -> {
          if (request.messages().getFirst().text().startsWith("Summarize")) {
            return ScriptedModel.text("They talked.");
          }
          return request.messages().getLast().text().equals("Begin.")
              ? ScriptedModel.calls(write("c1", "a.md", "a"))
              : ScriptedModel.text("well");
        });
    var agent =
        DeepAgent.named("talker")
            .model(model)
            .summarization(
                Summarization.by(model, Trigger.messages(10))
                    .withTail(ConversationTail.messages(2)))
            .build();
    agent.run("Begin.", options);
    for (int i = 0; i < 6; i++) agent.run("More " + i, options);

    assertThat(model.requests().getLast().messages().toString()).contains("They talked.");
    assertThat(paths(files(agent, options))).containsExactly("a.md");
  }

  @Test
  void files_may_be_changes_that_a_person_approves_as_one_diff() throws Exception {
    var below = FileTree.inMemory();
    below.write("a.md", "old\n", Expected.absent());
    var model =
        script(
            ScriptedModel.calls(write("c1", "b.md", "new")),
            ScriptedModel.calls(call("c2", "submit_changes", "{}")),
            ScriptedModel.text("done"));
    var agent = DeepAgent.named("editor").model(model).files(CollectedChanges.of(below)).build();
    assertThat(agent.run("Go.", options)).isInstanceOf(AgentResult.Waiting.class);
    assertThat(paths(below)).containsExactly("a.md");

    var yes = Answers.to(ProposedChanges.QUESTION, Approval.yes());
    assertThat(agent.resume(yes, options).answer()).isEqualTo("done");

    assertThat(paths(below)).containsExactly("a.md", "b.md");
  }

  @Test
  void it_works_inside_of_a_graph_and_a_replay_gives_the_same() throws Exception {
    var model =
        script(
            ScriptedModel.calls(task("c1", "Write a.")),
            ScriptedModel.calls(write("s1", "a.md", "a")),
            ScriptedModel.text("written"),
            ScriptedModel.text("done"));
    var agent = DeepAgent.named("writer").model(model).build();
    var messages = agent.messages();
    var graph =
        Graph.named("outer")
            .channels(messages)
            .node("writer", agent.on(messages))
            .edge(Graph.START, "writer")
            .edge("writer", Graph.END)
            .compile();

    var outcome = graph.invoke(Input.of(messages, Message.user("Go.")), options.recorded());

    assertThat(outcome).isInstanceOf(Outcome.Completed.class);
    assertThat(Replay.of(graph, store).thread("t").run().divergence()).isEmpty();
  }

  @Test
  void a_complete_agent_may_be_a_sub_agent_and_is_not_changed() throws Exception {
    var own = ScriptedModel.saying("I know.");
    var ready = Agent.named("expert").model(own).instructions("Be an expert.").build();
    var model =
        script(
            ScriptedModel.calls(call("c1", "expert", "{\"task\":\"Tell.\"}")),
            ScriptedModel.text("done"));
    var agent =
        DeepAgent.named("writer").model(model).subAgent(SubAgent.of(ready, "Knows.")).build();

    agent.run("Go.", options);

    assertThat(instructions(own, 0)).isEqualTo("Be an expert.");
    assertThatThrownBy(() -> SubAgent.of(ready, "Knows.").instructions("x"))
        .hasMessageContaining("is a complete agent");
  }

  @Test
  void without_a_model_nothing_is_built() {
    assertThatThrownBy(() -> DeepAgent.named("a").build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Agent `a` has no model");
    assertThatThrownBy(() -> DeepAgent.named("a").offloadingOver(1))
        .hasMessageContaining("at least 1000");
  }
}
