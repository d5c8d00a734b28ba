package dev.superstep.eval;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.eval.check.Checks;
import dev.superstep.eval.check.Judge;
import dev.superstep.eval.check.ToolMatch;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.Dataset;
import dev.superstep.eval.dataset.ExpectedCall;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.test.kills.Notes;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.nio.file.Path;
import java.util.stream.IntStream;

/// A process with an evaluation of an agent with a tool and a judge, which may be killed at any
/// time. Prints a line for each trial that gets its result.
final class EvaluationProcess {
  static final String NAME = "killed";
  static final int CONCURRENCY = 4;

  private EvaluationProcess() {}

  /// The number that a tool looks up.
  record Wanted(int number) {}

  public static void main(String... arguments) throws Exception {
    var folder = Path.of(arguments[0]);
    int cases = Integer.parseInt(arguments[1]);
    int repeats = Integer.parseInt(arguments[2]);
    try (var pool = pool(arguments.length > 3 ? arguments[3] : "");
        var store = store(folder, pool)) {
      var result =
          evaluation(folder, cases, repeats).listener(_ -> System.out.println("trial")).run(store);
      System.out.println("ended " + result.trials().size() + " " + result.summary().passed());
    }
  }

  /// The connections to PostgreSQL; none are made before somebody asks for one.
  static HikariDataSource pool(String url) {
    var pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(CONCURRENCY + 2);
    return pool;
  }

  /// The store of the results: PostgreSQL if the pool has an address, else a file.
  static Checkpointer store(Path folder, HikariDataSource pool) {
    if (pool.getJdbcUrl().isEmpty()) return SqliteCheckpointer.open(folder.resolve("results.db"));
    return PostgresCheckpointer.on(pool);
  }

  static Evaluation evaluation(Path folder, int cases, int repeats) {
    var dataset = new Dataset(IntStream.range(0, cases).mapToObj(EvaluationProcess::item).toList());
    var judge =
        Judge.passOrFail("judge", ScriptedModel.by(EvaluationProcess::judged), "Has a number.");
    return Evaluation.named(NAME, dataset, Subject.agent(agent(folder)))
        .checks(Checks.equalsExpected(), Checks.tools(ToolMatch.EXACT), judge)
        .concurrency(CONCURRENCY)
        .repeats(repeats);
  }

  private static Case item(int number) {
    return Case.of("n" + number, String.valueOf(number))
        .withExpected(String.valueOf(2 * number))
        .withTools(ExpectedCall.of("twice", Json.parse("{\"number\":" + number + "}")));
  }

  /// Is wrong on each seventh number.
  static boolean isRight(int number) {
    return number % 7 != 0;
  }

  private static Agent<String> agent(Path folder) {
    var notes = new Notes(folder.resolve("calls"));
    var twice =
        Tool.of(
            "twice",
            "Doubles a number.",
            Wanted.class,
            (wanted, context) -> {
              notes.add("n" + wanted.number());
              int right = 2 * wanted.number();
              return ToolResult.of(String.valueOf(isRight(wanted.number()) ? right : -1));
            });
    return Agent.named("doubling")
        .model(ScriptedModel.by(EvaluationProcess::answered))
        .tools(twice.withPolicy(ToolPolicy.readOnly()))
        .build();
  }

  private static ChatReply answered(ChatRequest request) {
    var last = request.messages().getLast();
    if (last instanceof ToolMessage) return ScriptedModel.text(last.text());
    return ScriptedModel.calls(new ToolCall("c", "twice", "{\"number\":" + last.text() + "}"));
  }

  private static ChatReply judged(ChatRequest request) {
    return ScriptedModel.text("{\"reason\":\"It has one.\",\"passed\":true}");
  }
}
