package dev.superstep.example.guide.calls;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.batch.BatchApi;
import dev.superstep.batch.BatchResult;
import dev.superstep.batch.BatchWait;
import dev.superstep.batch.Batched;
import dev.superstep.batch.ModelBatches;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.InMemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Runs whose model is asked in a batch. The vendor is played.
public final class NightlyReviews {
  private NightlyReviews() {}

  static Agent<String> agent(ChatModel model, ModelBatches batches) {
    return Agent.named("reviews")
        .model(model)
        .instructions("Say in one word what the customer thinks.")
        .middleware(Batched.by(batches))
        .build();
  }

  static List<Exception> advance(
      ModelBatches batches, Agent<String> agent, Checkpointer checkpointer)
      throws InterruptedException {
    return batches.advance(ready -> {
      var thread = ready.getFirst().thread();
      var options = RunOptions.thread(thread).checkpoints(checkpointer);
      var open = agent.graph().state(options).orElseThrow().questions();
      var result = agent.resume(BatchWait.answers(open, ready), options);
      System.out.println(thread + ": " + result.answer());
    });
  }

  public static void main(String[] args) throws InterruptedException {
    var checkpointer = new InMemoryCheckpointer();
    var batches =
        ModelBatches.of(new PlayedVendor(), InMemoryStore.open()).longestWait(Duration.ZERO);
    var agent = agent(ScriptedModel.saying(), batches);

    for (var review : List.of("It works well.", "It broke at once.")) {
      var thread = "review-" + review.length();
      var options = RunOptions.thread(thread).checkpoints(checkpointer);
      if (agent.run(review, options) instanceof AgentResult.Waiting<String>) {
        System.out.println(thread + ": waits");
      }
    }
    advance(batches, agent, checkpointer);
    System.out.println("submitted: " + batches.waiting().size());
    advance(batches, agent, checkpointer);
    System.out.println("left: " + batches.waiting().size());
  }

  /// Answers each batch at once.
  private static final class PlayedVendor implements BatchApi {
    private Map<String, Json> submitted = Map.of();

    @Override
    public ModelRef ref() {
      return ModelRef.parse("scripted://reviews");
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
      submitted = bodies;
      return key;
    }

    @Override
    public Lookup find(String key, List<String> ids, Instant since) {
      return new Lookup.NotSubmitted();
    }

    @Override
    public Optional<Map<String, BatchResult>> results(String id) {
      var results = new LinkedHashMap<String, BatchResult>();
      submitted.forEach((request, body) -> {
        var text = body.text().contains("well") ? "Happy." : "Unhappy.";
        results.put(request, new BatchResult.Answered(Json.string(text)));
      });
      return Optional.of(results);
    }
  }
}
