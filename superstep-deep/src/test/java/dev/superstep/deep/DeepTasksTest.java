package dev.superstep.deep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.files.FileTree;
import dev.superstep.files.ThreadFiles;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.middleware.TodoList;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.node.Question;
import dev.superstep.run.Answers;
import dev.superstep.skills.Skills;
import dev.superstep.state.State;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A set of tasks, each of which uses some parts of a deep agent, with a scripted model.
@Timeout(60)
final class DeepTasksTest {
  private static final Question<String, Approval> CONFIRM =
      Question.of("confirm", String.class, Approval.class);

  @TempDir Path temp;
  private final FileTree memories = FileTree.inMemory();

  /// A task of the set.
  ///
  /// @param files what files must hold at the end
  /// @param done the number of things to do that must be done
  record DeepTask(
      String task,
      List<Json> replies,
      String answer,
      Map<String, String> files,
      int done,
      boolean question) {}

  record Script(List<Json> replies) {}

  record Nothing() {}

  record Text(String text) {}

  static Stream<String> tasks() throws Exception {
    var folder = Path.of(DeepTasksTest.class.getResource("/deep-tasks").toURI());
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("tasks")
  void a_deep_agent_does_the_tasks_of_the_set(String file) throws Exception {
    var task = read(file);
    var script = Files.writeString(temp.resolve("s.json"), script(task));
    var agent = agent(ScriptedModel.open(script));
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());

    var result = agent.run(task.task(), options);
    if (task.question()) {
      assertThat(result).isInstanceOf(AgentResult.Waiting.class);
      result = agent.resume(Answers.to(CONFIRM, Approval.yes()), options);
    }

    assertThat(result.answer()).isEqualTo(task.answer());
    var state = agent.graph().state(options).orElseThrow().state();
    assertThat(done(state)).isEqualTo(task.done());
    task.files().forEach((path, text) -> assertThat(text(path, state)).contains(text));
  }

  private static DeepTask read(String file) throws IOException {
    try (var in = DeepTasksTest.class.getResourceAsStream("/deep-tasks/" + file)) {
      return Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)).as(DeepTask.class);
    }
  }

  /// The replies of a task; `DIGEST:` and a text stands for the digest of a file with that text.
  private static String script(DeepTask task) {
    var json = Json.of(new Script(task.replies())).text();
    var found = java.util.regex.Pattern.compile("DIGEST:((?:[^\"\\\\]|\\\\.)*)").matcher(json);
    return found.replaceAll(one -> digest(one.group(1).replace("\\n", "\n")));
  }

  private static String digest(String text) {
    try {
      var whole =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(whole, 0, 8);
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private Agent<String> agent(ChatModel model) throws IOException {
    var skill = Files.createDirectories(temp.resolve("skills/letters"));
    Files.writeString(
        skill.resolve("SKILL.md"),
        "---\nname: letters\ndescription: Writes letters.\n---\nBe kind.");
    var skills = Skills.in(temp.resolve("skills"));
    skills.confirm(skills.find("letters").orElseThrow());
    return DeepAgent.named("helper")
        .model(model)
        .instructions("Help.")
        .tools(orders(), confirm())
        .subAgent(SubAgent.named("critic", "Says what is wrong with a text."))
        .skills(skills)
        .memories(memories)
        .build();
  }

  private static Tool orders() {
    var lines = new StringBuilder();
    for (int i = 0; i < 1_500; i++) {
      lines.append("order %d is %s\n".formatted(i, i == 731 ? "late" : "in time"));
    }
    return Tool.of(
            "orders", "Lists all orders.", Nothing.class, (_, _) -> ToolResult.of(lines.toString()))
        .withPolicy(ToolPolicy.readOnly())
        .withResultLimit(100_000);
  }

  private static Tool confirm() {
    return Tool.of(
            "confirm",
            "Asks the user.",
            Text.class,
            (asked, context) -> {
              var answer = context.ask(CONFIRM, asked.text());
              return ToolResult.of(answer.approved() ? "Yes." : "No.");
            })
        .withQuestions(CONFIRM);
  }

  private static long done(State state) {
    return state.find(TodoList.TODOS).orElse(List.of()).stream()
        .filter(todo -> todo.status() == TodoList.Todo.Status.DONE)
        .count();
  }

  private String text(String path, State state) {
    if (path.startsWith("memories/")) {
      return memories.read(path.substring("memories/".length())).text();
    }
    var files = ThreadFiles.of(state);
    if (!path.endsWith("*")) return files.read(path).text();
    var found = files.list(path.substring(0, path.length() - 2)).files();
    assertThat(found).hasSize(1);
    return files.read(found.getFirst().path()).text();
  }
}
