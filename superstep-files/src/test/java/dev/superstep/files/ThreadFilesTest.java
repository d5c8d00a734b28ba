package dev.superstep.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Replay;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.node.Question;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.schema.Description;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Files that go with the thread of an agent.
@Timeout(60)
final class ThreadFilesTest {
  private static final Question<String, Approval> MAY_I =
      Question.of("may_i", String.class, Approval.class);

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final RunOptions options = RunOptions.thread("t").checkpoints(store);

  record Asked(@Description("Anything") String text) {}

  private static Agent<String> agent(ChatModel model, Tool... more) {
    return Agent.named("writer").model(model).middleware(ThreadFiles.create()).tools(more).build();
  }

  private static ToolCall write(String id, String path, String text) {
    var json = Json.of(new FileTools.WriteFile(path, text, Optional.empty())).text();
    return new ToolCall(id, "write_file", json);
  }

  private static ToolCall call(String id, String tool, String arguments) {
    return new ToolCall(id, tool, arguments);
  }

  private static ToolCall read(String id, String path) {
    return call(id, "read_file", "{\"path\":\"%s\"}".formatted(path));
  }

  private static ScriptedModel script(ChatReply... replies) {
    return ScriptedModel.replying(replies);
  }

  private static List<String> results(ScriptedModel model) {
    return model.requests().getLast().messages().stream()
        .filter(ToolMessage.class::isInstance)
        .map(Message::text)
        .toList();
  }

  private FileTree now(Agent<String> agent, RunOptions of) {
    return ThreadFiles.of(agent.graph().state(of).orElseThrow().state());
  }

  private FileTree now(Agent<String> agent) {
    return now(agent, options);
  }

  @Test
  void files_are_part_of_the_thread_in_whatever_process_it_goes_on() throws Exception {
    var model =
        script(
            ScriptedModel.calls(write("c1", "notes/a.md", "one\n")),
            ScriptedModel.text("written"),
            ScriptedModel.calls(
                read("c2", "notes/a.md"), call("c3", "glob", "{\"pattern\":\"*\"}")),
            ScriptedModel.text("read"));
    assertThat(agent(model).run("Write.", options).answer()).isEqualTo("written");

    var other = agent(model);
    assertThat(other.run("Read.", options).answer()).isEqualTo("read");

    assertThat(results(model).get(1)).contains("one");
    assertThat(results(model).get(2)).isEqualTo("notes/a.md (4 bytes)");
    assertThat(now(other).read("notes/a.md").text()).isEqualTo("one\n");
  }

  @Test
  void a_rewind_has_the_files_as_they_were_and_a_fork_has_its_own() throws Exception {
    var digest = FileText.digestOf("one");
    var edit =
        "{\"path\":\"a.md\",\"digest\":\"%s\",\"old\":\"one\",\"replacement\":\"two\"}"
            .formatted(digest);
    var model =
        script(
            ScriptedModel.calls(write("c1", "a.md", "one")),
            ScriptedModel.text("first"),
            ScriptedModel.calls(call("c2", "edit_file", edit), write("c3", "b.md", "new")),
            ScriptedModel.text("second"),
            ScriptedModel.calls(write("c4", "c.md", "forked")),
            ScriptedModel.text("third"),
            ScriptedModel.calls(write("c3", "b.md", "new")),
            ScriptedModel.text("fourth"));
    var agent = agent(model);
    agent.run("One.", options);
    var threads = Threads.in(store);
    var early = threads.history("t", Optional.empty(), 1).getFirst().id();
    agent.run("Two.", options);
    assertThat(now(agent).read("a.md").text()).isEqualTo("two");

    threads.fork("t", early, "f");
    var forked = RunOptions.thread("f").checkpoints(store);
    assertThat(agent.run("Three.", forked).answer()).isEqualTo("third");
    threads.rewind("t", early);

    assertThat(FileTreeSuite.paths(now(agent), "")).containsExactly("a.md");
    assertThat(now(agent).read("a.md").text()).isEqualTo("one");
    assertThat(FileTreeSuite.paths(now(agent, forked), "")).containsExactly("a.md", "c.md");

    // The same call as before the rewind: it is made again.
    assertThat(agent.run("Four.", options).answer()).isEqualTo("fourth");
    assertThat(now(agent).read("b.md").text()).isEqualTo("new");
  }

  @Test
  void calls_of_one_turn_see_each_other_and_none_overwrites_another_unknowingly() throws Exception {
    var calls = new ToolCall[8];
    for (int i = 0; i < calls.length; i++) calls[i] = write("c" + i, "same.md", "text " + i);
    var model = script(ScriptedModel.calls(calls), ScriptedModel.text("done"));
    var agent = agent(model);

    agent.run("Go.", options);

    assertThat(results(model)).filteredOn(told -> told.startsWith("Made")).hasSize(1);
    assertThat(results(model)).filteredOn(told -> told.contains("exists already")).hasSize(7);
    var winner =
        results(model)
            .indexOf(
                results(model).stream()
                    .filter(told -> told.startsWith("Made"))
                    .findFirst()
                    .orElseThrow());
    assertThat(now(agent).read("same.md").text()).isEqualTo("text " + winner);
  }

  /// Writes by `files` and then breaks the run, the first time.
  private static Tool breaking(FileTree files, AtomicBoolean breaks) {
    return Tool.of(
        "break",
        "Breaks.",
        Asked.class,
        (asked, context) -> {
          var made = files.usedBy(context).write("made.md", asked.text(), Expected.absent());
          if (breaks.getAndSet(false)) throw new OutOfMemoryError("as if the process died");
          return ToolResult.of(made.path());
        });
  }

  @Test
  void a_call_that_was_made_when_the_process_died_is_not_in_conflict_with_itself()
      throws Exception {
    var model =
        script(
            ScriptedModel.calls(call("c1", "break", "{\"text\":\"x\"}"), write("c2", "b.md", "b")),
            ScriptedModel.text("done"));
    var breaks = new AtomicBoolean(true);
    var files = ThreadFiles.create();
    var agent =
        Agent.named("writer")
            .model(model)
            .middleware(files)
            .tools(breaking(files.tree(), breaks))
            .build();
    assertThatThrownBy(() -> agent.run("Go.", options)).isNotNull();

    assertThat(agent.resume(Answers.none(), options).answer()).isEqualTo("done");

    assertThat(results(model)).containsExactly("made.md", results(model).get(1));
    assertThat(results(model).get(1)).startsWith("Made b.md");
    assertThat(FileTreeSuite.paths(now(agent), "")).containsExactly("b.md", "made.md");
  }

  private static Tool asking() {
    return Tool.of(
            "ask",
            "Asks.",
            Asked.class,
            (asked, context) ->
                ToolResult.of(context.ask(MAY_I, asked.text()).approved() ? "yes" : "no"))
        .withQuestions(MAY_I);
  }

  private static ScriptedModel child() {
    return script(
        ScriptedModel.calls(write("k1", "child.md", "by the child")),
        ScriptedModel.calls(call("k2", "ask", "{\"text\":\"really?\"}")),
        ScriptedModel.calls(write("k3", "later.md", "later")),
        ScriptedModel.text("child done"));
  }

  private static Agent<String> parent(ChatModel model, ChatModel childModel, ThreadFiles ofChild) {
    var child = Agent.named("child").model(childModel).middleware(ofChild).tools(asking()).build();
    var files = ThreadFiles.create();
    return Agent.named("writer").model(model).middleware(files).agent(child, "Helps.").build();
  }

  private static ScriptedModel delegating() {
    return script(
        ScriptedModel.calls(write("c0", "mine.md", "by the parent")),
        ScriptedModel.calls(
            call("c1", "child", "{\"task\":\"Help.\"}"), write("c2", "beside.md", "beside")),
        ScriptedModel.calls(call("c3", "glob", "{\"pattern\":\"*\"}")),
        ScriptedModel.text("done"));
  }

  @Test
  void an_agent_that_is_called_shares_the_files_of_its_caller_also_after_a_question()
      throws Exception {
    var model = delegating();
    var childModel = child();
    var waiting = parent(model, childModel, ThreadFiles.ofCaller()).run("Go.", options);
    assertThat(waiting).isInstanceOf(AgentResult.Waiting.class);

    // Another process: nothing but the store is left.
    var other = parent(model, childModel, ThreadFiles.ofCaller());
    var done = other.resume(Answers.to(MAY_I, Approval.yes()), options);

    assertThat(done.answer()).isEqualTo("done");
    assertThat(FileTreeSuite.paths(now(other), ""))
        .containsExactly("beside.md", "child.md", "later.md", "mine.md");
    assertThat(results(model).getLast()).contains("child.md", "later.md");
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void files_are_shared_after_a_question_whenever_a_run_is_saved(Durability when) throws Exception {
    var model = delegating();
    var childModel = child();
    var saved = options.durability(when);
    assertThat(parent(model, childModel, ThreadFiles.ofCaller()).run("Go.", saved))
        .isInstanceOf(AgentResult.Waiting.class);

    var other = parent(model, childModel, ThreadFiles.ofCaller());
    assertThat(other.resume(Answers.to(MAY_I, Approval.yes()), saved).answer()).isEqualTo("done");

    assertThat(FileTreeSuite.paths(now(other), ""))
        .containsExactly("beside.md", "child.md", "later.md", "mine.md");
  }

  @Test
  void an_agent_that_is_called_may_have_files_of_its_own() throws Exception {
    var model = delegating();
    var childModel = child();
    var parent = parent(model, childModel, ThreadFiles.create());
    assertThat(parent.run("Go.", options)).isInstanceOf(AgentResult.Waiting.class);
    assertThat(parent.resume(Answers.to(MAY_I, Approval.yes()), options).answer())
        .isEqualTo("done");

    assertThat(FileTreeSuite.paths(now(parent), "")).containsExactly("beside.md", "mine.md");
  }

  @Test
  void deleted_and_moved_files_are_gone() throws Exception {
    var digest = FileText.digestOf("x");
    var model =
        script(
            ScriptedModel.calls(write("c1", "a", "x"), write("c2", "b", "x")),
            ScriptedModel.calls(
                call("c3", "delete_file", "{\"path\":\"a\",\"digest\":\"%s\"}".formatted(digest)),
                call(
                    "c4",
                    "move_file",
                    "{\"from\":\"b\",\"digest\":\"%s\",\"to\":\"c/d\"}".formatted(digest))),
            ScriptedModel.calls(write("c5", "a", "again"), write("c6", "c", "is a folder")),
            ScriptedModel.text("done"));
    var agent = agent(model);

    agent.run("Go.", options);

    assertThat(FileTreeSuite.paths(now(agent), "")).containsExactly("a", "c/d");
    assertThat(results(model).getLast()).contains("It is a folder");
  }

  @Test
  void files_are_kept_in_an_encrypted_store() throws Exception {
    var ring = KeyRing.of("test", new byte[KeyRing.KEY_BYTES]);
    var sealed = RunOptions.thread("t").checkpoints(EncryptedCheckpointer.over(store, ring));
    var model = delegating();
    var childModel = child();
    assertThat(parent(model, childModel, ThreadFiles.ofCaller()).run("Go.", sealed))
        .isInstanceOf(AgentResult.Waiting.class);

    var other = parent(model, childModel, ThreadFiles.ofCaller());
    assertThat(other.resume(Answers.to(MAY_I, Approval.yes()), sealed).answer()).isEqualTo("done");

    assertThat(now(other, sealed).read("child.md").text()).isEqualTo("by the child");
  }

  @Test
  void a_replay_gives_the_same() throws Exception {
    var model = script(ScriptedModel.calls(write("c1", "a.md", "x")), ScriptedModel.text("done"));
    var agent = agent(model);
    agent.run("Go.", options.recorded());

    assertThat(Replay.of(agent.graph(), store).thread("t").run().divergence()).isEmpty();
  }

  @Test
  void files_work_in_a_run_that_is_not_saved_and_inside_of_a_graph() throws Exception {
    var model =
        script(
            ScriptedModel.calls(write("c1", "a.md", "x")),
            ScriptedModel.calls(read("c2", "a.md")),
            ScriptedModel.text("done"));
    var agent = agent(model);
    var messages = agent.messages();
    var graph =
        Graph.named("outer")
            .channels(messages)
            .node("writer", agent.on(messages))
            .edge(Graph.START, "writer")
            .edge("writer", Graph.END)
            .compile();

    assertThat(graph.invoke(Input.of(messages, Message.user("Go.")), RunOptions.defaults()))
        .isInstanceOf(Outcome.Completed.class);

    assertThat(results(model).getLast()).endsWith("x");
  }

  @Test
  void no_path_leads_out_and_sizes_are_bounded() throws Exception {
    var model =
        script(
            ScriptedModel.calls(
                write("c1", "../a", "x"),
                write("c2", "/a", "x"),
                write("c3", "~/a", "x"),
                write("c4", "a\u202Eb", "x"),
                write("c5", "long", "x".repeat(1_000_001))),
            ScriptedModel.text("done"));
    var agent = agent(model);
    agent.run("Go.", options);

    assertThat(results(model)).hasSize(5).noneMatch(told -> told.startsWith("Made"));
    assertThat(now(agent).list("").files()).isEmpty();
  }

  @Test
  void files_of_a_thread_are_of_no_use_outside_of_its_agent() {
    var tree = ThreadFiles.create().tree();
    assertThatThrownBy(() -> tree.read("a")).hasMessageContaining("tools of its agent only");
    assertThatThrownBy(() -> tree.list("")).hasMessageContaining("ThreadFiles.of(state)");
  }
}
