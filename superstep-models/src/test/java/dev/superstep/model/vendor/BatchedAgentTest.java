package dev.superstep.model.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.batch.BatchWait;
import dev.superstep.batch.Batched;
import dev.superstep.batch.ModelBatches;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Prices;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.store.InMemoryStore;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Agents whose turns are requests of batches. Each step is made by new instances on the same
/// stores, as by other processes.
@Timeout(60)
class BatchedAgentTest {
  private static final Prices PRICES =
      (_, usage) -> Optional.of(BigDecimal.valueOf(usage.input() + usage.output()));

  private final InMemoryCheckpointer threads = new InMemoryCheckpointer();
  private final InMemoryStore store = InMemoryStore.open();
  private final Map<String, AgentResult<String>> results = new TreeMap<>();
  private Instant now = Instant.now();
  private Budget budget = Budget.unlimited();

  private ModelBatches batches(BatchVendor vendor) {
    return ModelBatches.of(vendor.api(), store).longestWait(Duration.ZERO).clock(() -> now);
  }

  private Agent<String> agent(BatchVendor vendor) {
    return Agent.named("rater")
        .model(ScriptedModel.saying())
        .instructions("Rate it.")
        .budget(budget)
        .middleware(Batched.by(batches(vendor)))
        .build();
  }

  private RunOptions options(String thread) {
    return RunOptions.thread(thread).checkpoints(threads);
  }

  private void begin(BatchVendor vendor, String thread) throws InterruptedException {
    assertThat(agent(vendor).run("Text of " + thread, options(thread)))
        .isInstanceOf(AgentResult.Waiting.class);
  }

  private List<Exception> advance(BatchVendor vendor) throws InterruptedException {
    return batches(vendor)
        .advance(ready -> {
          var thread = ready.getFirst().thread();
          var agent = agent(vendor);
          var open = agent.graph().state(options(thread)).orElseThrow().questions();
          var answers = BatchWait.answers(open, ready);
          results.put(thread, agent.resume(answers, options(thread)));
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"anthropic", "openai"})
  void requests_of_many_runs_are_one_batch_and_each_run_gets_its_own_reply(String name)
      throws Exception {
    budget = Budget.unlimited().money("100000", "EUR", PRICES);
    try (var vendor = new BatchVendor(name)) {
      vendor.replies =
          body -> "I read: " + body.path("messages").toString().replaceAll(".*(t\\d).*", "$1");
      for (var thread : List.of("t1", "t2", "t3")) begin(vendor, thread);
      assertThat(advance(vendor)).isEmpty();
      assertThat(advance(vendor)).isEmpty();
      assertThat(results).isEmpty();
      assertThat(vendor.batches).hasSize(1);
      assertThat(vendor.batches.getFirst().requests()).hasSize(3);
      vendor.isOver = true;
      assertThat(advance(vendor)).isEmpty();
      assertThat(results).hasSize(3);
      results.forEach((thread, result) -> {
        assertThat(result.answer()).isEqualTo("I read: " + thread);
        // 1,100 tokens at half of the price.
        assertThat(result.report().spent().cost()).isEqualByComparingTo("550");
      });
      advance(vendor);
      assertThat(vendor.batches).hasSize(1);
      assertThat(String.join(" ", vendor.keys)).contains("the-key-of-" + name);
      assertThat(batches(vendor).waiting()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"anthropic", "openai"})
  void a_batch_whose_sender_died_is_found_and_not_sent_again(String name) throws Exception {
    try (var vendor = new BatchVendor(name)) {
      begin(vendor, "t1");
      begin(vendor, "t2");
      vendor.isBreaking = true;
      assertThat(advance(vendor)).singleElement().isInstanceOf(ModelException.class);
      vendor.isBreaking = false;
      // Nobody knows yet, and nobody sends it again.
      assertThat(advance(vendor)).isEmpty();
      now = now.plus(Duration.ofMinutes(6));
      vendor.isOver = true;
      advance(vendor);
      advance(vendor);
      assertThat(vendor.batches).hasSize(1);
      assertThat(results.values())
          .extracting(AgentResult::answer)
          .containsExactly("Good.", "Good.");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"anthropic", "openai"})
  void a_batch_that_was_never_taken_is_sent_by_the_next_process(String name) throws Exception {
    try (var vendor = new BatchVendor(name)) {
      begin(vendor, "t1");
      vendor.trouble = new BatchVendor.Trouble(503, "{\"error\":{\"message\":\"down\"}}");
      assertThat(advance(vendor)).hasSize(1);
      vendor.trouble = null;
      assertThat(advance(vendor)).isEmpty();
      assertThat(vendor.batches).isEmpty();
      now = now.plus(Duration.ofMinutes(6));
      advance(vendor);
      vendor.isOver = true;
      advance(vendor);
      advance(vendor);
      assertThat(vendor.batches).hasSize(1);
      assertThat(results.get("t1").answer()).isEqualTo("Good.");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"anthropic", "openai"})
  void a_request_that_expired_is_asked_again_and_others_keep_their_results(String name)
      throws Exception {
    try (var vendor = new BatchVendor(name)) {
      vendor.isOver = true;
      var troubles = new ArrayList<>(List.of("expired", "overloaded"));
      vendor.replies =
          body ->
              body.toString().contains("t1") && !troubles.isEmpty()
                  ? troubles.removeFirst()
                  : "Good.";
      begin(vendor, "t1");
      begin(vendor, "t2");
      for (int i = 0; i < 8; i++) assertThat(advance(vendor)).isEmpty();
      assertThat(results.get("t1").answer()).isEqualTo("Good.");
      assertThat(results.get("t2").answer()).isEqualTo("Good.");
      assertThat(vendor.batches).extracting(one -> one.requests().size()).containsExactly(2, 1, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"anthropic", "openai"})
  void a_request_that_the_vendor_refuses_fails_its_own_run_only(String name) throws Exception {
    try (var vendor = new BatchVendor(name)) {
      vendor.isOver = true;
      vendor.replies = body -> body.toString().contains("t1") ? "invalid" : "Good.";
      begin(vendor, "t1");
      begin(vendor, "t2");
      advance(vendor);
      assertThat(advance(vendor))
          .singleElement()
          .satisfies(error -> assertThat(error).hasMessageContaining("told by the vendor"));
      assertThat(results.get("t2").answer()).isEqualTo("Good.");
      assertThat(vendor.batches).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"anthropic", "openai"})
  void a_refused_key_frees_the_requests_and_a_refused_batch_fails_them(String name)
      throws Exception {
    try (var vendor = new BatchVendor(name)) {
      begin(vendor, "t1");
      vendor.trouble = new BatchVendor.Trouble(401, "{\"error\":{\"message\":\"no\"}}");
      assertThat(advance(vendor)).hasSize(1);
      vendor.trouble = null;
      vendor.isOver = true;
      advance(vendor);
      advance(vendor);
      assertThat(results.get("t1").answer()).isEqualTo("Good.");
      begin(vendor, "t2");
      vendor.trouble = new BatchVendor.Trouble(400, "{\"error\":{\"message\":\"bad batch\"}}");
      assertThat(advance(vendor))
          .hasSize(2)
          .allSatisfy(error -> assertThat(error).hasMessageContaining("bad batch"));
      assertThat(vendor.batches).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"anthropic, true", "anthropic, false", "openai, true", "openai, false"})
  void a_batch_that_is_refused_for_one_request_fails_only_the_run_of_that_one(
      String name, boolean isNaming) throws Exception {
    try (var vendor = new BatchVendor(name)) {
      vendor.isOver = true;
      vendor.isNaming = isNaming;
      vendor.isBad = body -> body.toString().contains("t3");
      for (int i = 1; i <= 6; i++) begin(vendor, "t" + i);
      var errors = new ArrayList<Exception>();
      for (int i = 0; i < 12; i++) errors.addAll(advance(vendor));
      assertThat(results.keySet()).containsExactly("t1", "t2", "t4", "t5", "t6");
      assertThat(results.values()).extracting(AgentResult::answer).containsOnly("Good.");
      assertThat(errors)
          .isNotEmpty()
          .allSatisfy(error -> assertThat(error).hasMessageContaining("bad"));
      // Once if it is named; else it is among six, three, two or one.
      assertThat(vendor.refused).isBetween(1, isNaming ? 1 : 4);
      assertThat(vendor.batches).hasSizeLessThanOrEqualTo(8);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"anthropic", "openai"})
  void a_budget_without_room_queues_nothing(String name) throws Exception {
    budget = Budget.unlimited().money("1", "EUR", PRICES);
    try (var vendor = new BatchVendor(name)) {
      assertThatThrownBy(() -> agent(vendor).run("Text", options("t1")))
          .isInstanceOf(BudgetExceeded.class);
      advance(vendor);
      assertThat(vendor.batches).isEmpty();
      assertThat(PRICES.batchCost(vendor.api().ref(), new Usage(3, 0, 0, 0)))
          .contains(new BigDecimal("1.5"));
    }
  }
}
