package dev.superstep.repl.agent;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.repl.host.TextSource;
import dev.superstep.run.Answers;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.tool.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// A process that works on a thread and dies at one of its calls. Each call notes in a file that it
/// was made.
final class KillMain {
  static final List<String> CELLS =
      List.of(
          "a = llm_query('a')\nb = tool('mark', name='b')",
          "c = llm_batch(['c1', 'c2', 'c3'])\nprint([r.value for r in c])",
          "try:\n    llm_query('bad')\nexcept HostError as e:\n    d = e.code",
          "answer([a, b, [r.value for r in c], d, tool('mark', name='e')])");

  record Mark(String name) {}

  private final Path notes;
  private final int deadly;

  private KillMain(Path notes, int deadly) {
    this.notes = notes;
    this.deadly = deadly;
  }

  /// @param args database, notes, the number of the call at which it dies, from 1; 0 for never
  public static void main(String[] args) throws Exception {
    var main = new KillMain(Path.of(args[1]), Integer.parseInt(args[2]));
    try (var store = SqliteCheckpointer.open(Path.of(args[0]))) {
      System.out.println(main.run(store));
    }
  }

  private String run(Checkpointer store) throws InterruptedException {
    var driver = ScriptedModel.by(this::next);
    var small = ScriptedModel.by(this::small);
    var mark = Tool.of("mark", "Marks.", Mark.class, (given, _) -> note(given.name()));
    Agent<String> agent =
        ReplAgent.named("reader")
            .model(driver)
            .grants(Grants.none().model("small", small).middleware().tools(mark))
            .context(TextSource.of(""))
            .build();
    var options = RunOptions.defaults().on("t", store);
    boolean isThere = agent.graph().state(options).isPresent();
    return isThere
        ? agent.resume(Answers.none(), options).answer()
        : agent.run("Go.", options).answer();
  }

  private dev.superstep.model.ChatReply next(ChatRequest request) {
    int cells = (request.messages().size() - 2) / 2;
    note("turn " + (cells + 1));
    return ScriptedModel.text("```\n" + CELLS.get(cells) + "\n```");
  }

  private dev.superstep.model.ChatReply small(ChatRequest request) {
    var asked = request.messages().getLast().text();
    note(asked);
    if (asked.equals("bad")) {
      throw new dev.superstep.model.ModelException(
          dev.superstep.model.ModelException.Kind.BAD_REQUEST, "no");
    }
    return ScriptedModel.text(asked.toUpperCase(java.util.Locale.ROOT));
  }

  /// Notes a call, or dies before it is made.
  private synchronized String note(String what) {
    try {
      long made = Files.exists(notes) ? Files.readAllLines(notes).size() : 0;
      if (made + 1 == deadly) Runtime.getRuntime().halt(137);
      Files.writeString(notes, what + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      return "done " + what;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
