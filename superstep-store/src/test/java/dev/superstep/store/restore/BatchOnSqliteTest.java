package dev.superstep.store.restore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.batch.BatchApi;
import dev.superstep.batch.BatchResult;
import dev.superstep.batch.BatchWait;
import dev.superstep.batch.Batched;
import dev.superstep.batch.ModelBatches;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.store.Store;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs that wait for batches, of which each step opens the files anew, as another process does.
@Timeout(60)
final class BatchOnSqliteTest {
  @TempDir Path folder;

  private final Vendor vendor = new Vendor();
  private final List<String> answers = new ArrayList<>();

  /// A vendor in memory, which answers each request with the number of its batch.
  private static final class Vendor implements BatchApi {
    private final Map<String, Map<String, Json>> batches =
        Collections.synchronizedMap(new LinkedHashMap<>());

    @Override
    public ModelRef ref() {
      return ModelRef.parse("scripted://batches");
    }

    @Override
    public Json body(ChatRequest request) {
      return Json.string(request.messages().getLast().text());
    }

    @Override
    public ChatReply reply(ChatRequest request, Json body) {
      return ScriptedModel.text(body.as(String.class));
    }

    @Override
    public String submit(String key, Map<String, Json> bodies) {
      batches.put(key, new LinkedHashMap<>(bodies));
      return key;
    }

    @Override
    public Lookup find(String key, List<String> ids, Instant since) {
      return batches.containsKey(key) ? new Lookup.Submitted(key) : new Lookup.NotSubmitted();
    }

    @Override
    public Optional<Map<String, BatchResult>> results(String id) {
      var results = new LinkedHashMap<String, BatchResult>();
      var text = Json.string("of batch " + batches.size());
      for (var one : batches.get(id).keySet()) results.put(one, new BatchResult.Answered(text));
      return Optional.of(results);
    }
  }

  private ModelBatches batches(Opened handle) {
    return ModelBatches.of(vendor, handle.memory()).longestWait(Duration.ZERO);
  }

  /// Both files, opened.
  private record Opened(SqliteCheckpointer threads, Store memory) implements AutoCloseable {
    @Override
    public void close() {
      memory.close();
      threads.close();
    }
  }

  private Opened open() {
    return new Opened(
        SqliteCheckpointer.open(folder.resolve("threads.db")),
        SqliteStore.open(folder.resolve("memory.db")));
  }

  /// An agent that gives its work to another one, whose turns are batched.
  private Agent<String> agent(Opened handle) {
    var worker =
        Agent.named("worker")
            .model(ScriptedModel.saying())
            .middleware(Batched.by(batches(handle)))
            .build();
    var task = new ToolCall("k", "worker", "{\"task\":\"Do it.\"}");
    var boss =
        ScriptedModel.by(request ->
            request.messages().size() > 1
                ? ScriptedModel.text("He said: " + request.messages().getLast().text())
                : ScriptedModel.calls(task));
    return Agent.named("boss").model(boss).agent(worker, "Works.").build();
  }

  private void advance(Opened handle, RunOptions options) throws InterruptedException {
    var errors =
        batches(handle)
            .advance(ready -> {
              var agent = agent(handle);
              var open = agent.graph().state(options).orElseThrow().questions();
              answers.add(agent.resume(BatchWait.answers(open, ready), options).answer());
            });
    assertThat(errors).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_sub_agents_run_waits_in_no_process_and_goes_on_in_another(Durability durability)
      throws Exception {
    try (var handle = open()) {
      var options = RunOptions.thread("t").checkpoints(handle.threads()).durability(durability);
      assertThat(agent(handle).run("Go.", options)).isInstanceOf(AgentResult.Waiting.class);
    }
    for (int i = 0; i < 3; i++) {
      try (var handle = open()) {
        var options = RunOptions.thread("t").checkpoints(handle.threads()).durability(durability);
        advance(handle, options);
      }
    }
    assertThat(answers).containsExactly("He said: of batch 1");
    assertThat(vendor.batches).hasSize(1);
  }

  @Test
  void after_a_rewind_and_in_a_fork_the_model_is_asked_anew() throws Exception {
    try (var handle = open()) {
      var options = RunOptions.thread("t").checkpoints(handle.threads());
      var waiting = agent(handle).run("Go.", options);
      assertThat(waiting).isInstanceOf(AgentResult.Waiting.class);
      var threads = Threads.in(handle.threads());
      var before = threads.history("t", Optional.empty(), 1).getFirst();
      for (int i = 0; i < 2; i++) advance(handle, options);
      assertThat(answers).hasSize(1);
      threads.rewind("t", before.id());
      assertThat(agent(handle).resume(Answers.none(), options))
          .isInstanceOf(AgentResult.Waiting.class);
      for (int i = 0; i < 2; i++) advance(handle, options);
      assertThat(answers).hasSize(2);
      assertThat(vendor.batches).hasSize(2);
      threads.fork("t", before.id(), "copy");
      var copy = RunOptions.thread("copy").checkpoints(handle.threads());
      assertThat(agent(handle).resume(Answers.none(), copy))
          .isInstanceOf(AgentResult.Waiting.class);
      for (int i = 0; i < 2; i++) advance(handle, copy);
      assertThat(vendor.batches).hasSize(3);
      assertThat(answers).hasSize(3);
    }
  }

  @Test
  void processes_that_submit_at_the_same_time_send_each_request_once() throws Exception {
    try (var handle = open()) {
      for (int i = 0; i < 12; i++) {
        var options = RunOptions.thread("t" + i).checkpoints(handle.threads());
        agent(handle).run("Go.", options);
      }
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var all = new ArrayList<Future<?>>();
        for (int i = 0; i < 4; i++) {
          all.add(
              threads.submit(() -> {
                try (var own = open()) {
                  return batches(own).size(5).advance(_ -> {});
                }
              }));
        }
        for (var one : all) assertThat((List<?>) one.get()).isEmpty();
      }
      batches(handle).advance(_ -> {});
      batches(handle).advance(_ -> {});
      var sent = vendor.batches.values().stream().flatMap(one -> one.keySet().stream()).toList();
      assertThat(sent).doesNotHaveDuplicates().hasSize(12);
    }
  }
}
