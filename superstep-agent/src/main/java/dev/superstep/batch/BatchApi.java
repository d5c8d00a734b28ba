package dev.superstep.batch;

import dev.superstep.json.Json;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The batch interface of a vendor for one model. All methods may throw
/// [dev.superstep.model.ModelException]. Safe for many threads.
public interface BatchApi {
  /// The model that answers.
  ModelRef ref();

  /// The body of a request, as the vendor takes it.
  Json body(ChatRequest request);

  /// The reply in a body that the vendor sent for a request.
  ChatReply reply(ChatRequest request, Json body) throws InterruptedException;

  /// Submits a batch. Ends within two minutes, with an error if need be.
  ///
  /// @param key names the batch, for [#find]
  /// @param bodies the requests, by the ids that this side has given them
  /// @return the vendor's id of the batch
  String submit(String key, Map<String, Json> bodies) throws InterruptedException;

  /// The requests that a refusal of [#submit] blames; empty if it does not say. Those that it names
  /// by their ids, unless implemented.
  ///
  /// @param ids of the requests of the batch, in their order
  default Set<String> blamed(ModelException refusal, List<String> ids) {
    var told = String.valueOf(refusal.getMessage());
    return ids.stream().filter(told::contains).collect(Collectors.toUnmodifiableSet());
  }

  /// Looks for a batch of which nobody knows whether it was submitted, since a process died.
  ///
  /// @param ids of the requests
  /// @param since the batch was not submitted before
  Lookup find(String key, List<String> ids, Instant since) throws InterruptedException;

  /// The result of a look for a batch.
  sealed interface Lookup {
    /// It was submitted.
    ///
    /// @param id the vendor's
    record Submitted(String id) implements Lookup {}

    /// It was not submitted.
    record NotSubmitted() implements Lookup {}

    /// That cannot be told yet.
    record Unclear() implements Lookup {}
  }

  /// The results of a batch by the ids of the requests; empty while it is not over. A request
  /// without a result has expired.
  ///
  /// @throws BatchRefused if the vendor worked on none of it
  Optional<Map<String, BatchResult>> results(String id) throws InterruptedException;
}
