package dev.superstep.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.InvalidUse;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.store.InMemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ModelBatchesTest {
  private static final Channel<String, String> TEXT = Channel.latest("text", String.class);

  private final PlayedVendor vendor = new PlayedVendor();
  private Instant now = Instant.now();
  private final ModelBatches batches =
      ModelBatches.of(vendor, InMemoryStore.open()).longestWait(Duration.ZERO).clock(() -> now);
  private final RunOptions saved = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
  private final CountDownLatch isSlowBegun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final Graph graph =
      Graph.named("rating")
          .channels(TEXT)
          .questions(BatchWait.QUESTION)
          .node(
              "rate",
              (state, context) ->
                  Update.of(
                      TEXT,
                      BatchModel.in(context, batches)
                          .call(ChatRequest.of(new UserMessage("u", state.get(TEXT))))
                          .message()
                          .text()))
          .node(
              "slow",
              (_, _) -> {
                isSlowBegun.countDown();
                mayEnd.await();
                return NodeResult.nothing();
              })
          .edge(Graph.START, "rate")
          .edge(Graph.START, "slow")
          .edge("rate", Graph.END)
          .edge("slow", Graph.END)
          .compile();

  private List<Exception> advance() throws InterruptedException {
    return batches.advance(ready -> {
      var open = graph.state(saved).orElseThrow().questions();
      graph.resume(BatchWait.answers(open, ready), saved);
    });
  }

  @Test
  void a_run_that_is_not_saved_submits_nothing() throws Exception {
    mayEnd.countDown();
    assertThatThrownBy(() -> graph.invoke(Input.of(TEXT, "Rate it."), RunOptions.defaults()))
        .hasCauseInstanceOf(InvalidUse.class);
    assertThat(batches.waiting()).isEmpty();
    assertThat(advance()).isEmpty();
    assertThat(vendor.submitted).isEmpty();
  }

  @Test
  void a_result_that_comes_before_the_run_waits_wakes_it_once_it_does() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var run = threads.submit(() -> graph.invoke(Input.of(TEXT, "Rate it."), saved));
      isSlowBegun.await();
      vendor.isAsked.await();
      while (vendor.submitted.isEmpty()) advance();
      // The vendor is done, while the run is not saved as waiting yet.
      for (int i = 0; i < 2; i++) advance();
      assertThat(batches.waiting()).containsKey("t");
      mayEnd.countDown();
      assertThat(run.get()).isInstanceOf(Outcome.Interrupted.class);
    }
    assertThat(advance()).isEmpty();
    assertThat(graph.resume(Answers.none(), saved))
        .isInstanceOfSatisfying(
            Outcome.Completed.class, end -> assertThat(end.state().get(TEXT)).isEqualTo("Good."));
    assertThat(batches.waiting()).isEmpty();
    assertThat(vendor.submitted).hasSize(1);
  }

  @Test
  void a_run_that_can_never_be_resumed_does_not_wait_for_ever() throws Exception {
    mayEnd.countDown();
    assertThat(graph.invoke(Input.of(TEXT, "Rate it."), saved))
        .isInstanceOf(Outcome.Interrupted.class);
    ModelBatches.Waker failing =
        _ -> {
          throw new IllegalStateException("the thread was deleted");
        };
    for (int i = 0; i < 3; i++) batches.advance(failing);
    assertThat(batches.advance(failing)).hasSize(1);
    assertThat(batches.waiting()).containsKey("t");
    now = now.plus(Duration.ofDays(31));
    assertThat(batches.advance(failing)).isEmpty();
    assertThat(batches.waiting()).isEmpty();
  }

  @Test
  void a_vendor_that_refuses_every_batch_is_asked_a_limited_number_of_times() throws Exception {
    mayEnd.countDown();
    vendor.isRefusing = true;
    int runs = 64;
    for (int i = 0; i < runs; i++) {
      var each = RunOptions.thread("t" + i).checkpoints(new InMemoryCheckpointer());
      assertThat(graph.invoke(Input.of(TEXT, "Rate " + i), each))
          .isInstanceOf(Outcome.Interrupted.class);
    }
    var failed = new TreeSet<String>();
    ModelBatches.Waker waker = ready -> failed.add(ready.getFirst().thread());
    assertThat(batches.advance(waker)).isNotEmpty();
    assertThat(vendor.refusals).isBetween(40, 100);
    for (int i = 0; i < 4; i++) batches.advance(waker);
    // Each request was refused alone at last.
    assertThat(failed).hasSize(runs);
    assertThat(vendor.submitted).isEmpty();
    assertThat(batches.waiting()).isEmpty();
  }

  /// Answers each batch at once.
  private static final class PlayedVendor implements BatchApi {
    private final List<Map<String, Json>> submitted = new ArrayList<>();
    private final CountDownLatch isAsked = new CountDownLatch(1);
    private boolean isRefusing;
    private int refusals;

    @Override
    public ModelRef ref() {
      return ModelRef.parse("scripted://rating");
    }

    @Override
    public Json body(ChatRequest request) {
      isAsked.countDown();
      return Json.string(request.messages().getLast().text());
    }

    @Override
    public ChatReply reply(ChatRequest request, Json body) {
      return ScriptedModel.text(body.as(String.class));
    }

    @Override
    public String submit(String key, Map<String, Json> bodies) {
      if (isRefusing) {
        refusals++;
        throw new ModelException(ModelException.Kind.CONTEXT_LENGTH, "too large");
      }
      submitted.add(bodies);
      return String.valueOf(submitted.size() - 1);
    }

    @Override
    public Lookup find(String key, List<String> ids, Instant since) {
      return new Lookup.NotSubmitted();
    }

    @Override
    public Optional<Map<String, BatchResult>> results(String id) {
      var results = new LinkedHashMap<String, BatchResult>();
      for (var request : submitted.get(Integer.parseInt(id)).keySet()) {
        results.put(request, new BatchResult.Answered(Json.string("Good.")));
      }
      return Optional.of(results);
    }
  }
}
