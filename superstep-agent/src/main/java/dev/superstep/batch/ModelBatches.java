package dev.superstep.batch;

import dev.superstep.json.Json;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.store.InvalidItem;
import dev.superstep.store.Store;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Collects the requests of many runs into batches of a vendor, and finds out when they are done.
/// Everything is in a store, so that any process that has the store goes on with it. Safe for many
/// threads and processes.
///
/// ```java
/// var batches = ModelBatches.of(VendorBatches.open(ref), store);
/// ...
/// // Every minute, in one process or in several:
/// batches.advance(ready -> {
///   var options = RunOptions.thread(ready.getFirst().thread()).checkpoints(checkpointer);
///   var questions = agent.graph().state(options).orElseThrow().questions();
///   agent.resume(BatchWait.answers(questions, ready), options);
/// });
/// ```
///
/// - A request is stored before it is submitted, and a batch with the ids of its requests before it
///   is sent. A process that dies while it sends one leaves a batch of which nobody knows whether
///   it was sent; after some minutes the next one asks the vendor, and sends it only if the vendor
///   has it not.
/// - A result is kept for 30 days, so that a node that runs again asks nothing twice. After a
///   rewind and in a fork the model is asked anew, as without batches.
/// - A run that cannot be resumed for 30 days, such as one that was deleted, is given up.
/// - A request has at most a megabyte, which is what stores take, and at most 10,000 may wait.
public final class ModelBatches {
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Duration KEPT = Duration.ofDays(30);
  private static final int MOST = 1_000;
  private static final int BYTES_MAX = 100_000_000;
  private static final int SPLITS_MAX = 40;

  private final BatchApi api;
  private final Store store;
  private final BatchQueue queue;
  private final InstantSource clock;
  private final int most;
  private final Duration longest;

  private ModelBatches(BatchApi api, Store store, InstantSource clock, int most, Duration longest) {
    this.api = api;
    this.store = store;
    this.queue = new BatchQueue(store, api.ref().url(), KEPT);
    this.clock = clock;
    this.most = most;
    this.longest = longest;
  }

  /// Batches of at most 1,000 requests, of which none waits for others longer than a minute.
  ///
  /// @param store survives the process
  public static ModelBatches of(BatchApi api, Store store) {
    return new ModelBatches(api, store, InstantSource.system(), MOST, Duration.ofMinutes(1));
  }

  /// Returns a copy with batches of at most so many requests.
  ///
  /// @param requests from 1 to 1,000
  public ModelBatches size(int requests) {
    if (requests < 1 || requests > MOST) {
      throw new IllegalArgumentException("requests must be from 1 to 1000, was " + requests);
    }
    return new ModelBatches(api, store, clock, requests, longest);
  }

  /// Returns a copy where a request waits for others so long before it is submitted.
  public ModelBatches longestWait(Duration time) {
    if (time.isNegative()) throw new IllegalArgumentException("time must not be negative");
    return new ModelBatches(api, store, clock, most, time);
  }

  /// Returns a copy with another clock.
  public ModelBatches clock(InstantSource source) {
    return new ModelBatches(api, store, source, most, longest);
  }

  /// Resumes runs.
  @FunctionalInterface
  public interface Waker {
    /// Resumes the run of a thread. May be called again for waits that are answered by then.
    ///
    /// @param ready the waits of the thread that have a result
    /// @throws Exception if it could not; it is called again then
    void wake(List<BatchWait> ready) throws Exception;
  }

  /// Submits what is due, fetches the results of batches that are over, and resumes the runs that
  /// waited for them. Call it again and again.
  ///
  /// @return the errors of vendor and waker, each of which concerns a batch or a thread; what they
  ///   concern is tried again by the next call
  /// @throws InterruptedException if the calling thread is interrupted
  public List<Exception> advance(Waker waker) throws InterruptedException {
    var errors = new ArrayList<Exception>();
    var splits = new Splits();
    for (var batch : queue.batches()) {
      try {
        advance(batch, splits);
      } catch (ModelException e) {
        errors.add(e);
      }
    }
    try {
      submitDue(splits);
    } catch (ModelException e) {
      errors.add(e);
    }
    wake(waker, errors);
    return List.copyOf(errors);
  }

  private void wake(Waker waker, List<Exception> errors) throws InterruptedException {
    var ready = new LinkedHashMap<String, List<BatchWait>>();
    var oldest = clock.instant().minus(KEPT);
    for (var entry : queue.waiting()) {
      var wait = entry.value().asked();
      // Its run could not be resumed for so long: it is gone, or queues it again.
      if (entry.value().queued().isBefore(oldest)) {
        queue.remove(wait.id());
        continue;
      }
      if (queue.result(wait.id()).isEmpty()) continue;
      ready.computeIfAbsent(wait.thread(), _ -> new ArrayList<>()).add(wait);
    }
    for (var waits : ready.values()) {
      try {
        waker.wake(List.copyOf(waits));
        for (var wait : waits) queue.remove(wait.id());
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        errors.add(e);
      }
    }
  }

  // --- Submitting ---

  private void submitDue(Splits splits) throws InterruptedException {
    var free =
        queue.waiting().stream()
            .filter(entry -> entry.value().batch().isEmpty())
            .filter(entry -> queue.result(entry.value().asked().id()).isEmpty())
            .sorted(Comparator.comparing(entry -> entry.value().queued()))
            .toList();
    if (free.isEmpty()) return;
    var oldest = free.getFirst().value().queued();
    boolean isDue = free.size() >= most || !clock.instant().isBefore(oldest.plus(longest));
    if (!isDue) return;
    submit(free.subList(0, Math.min(most, free.size())), splits);
  }

  private void submit(List<BatchQueue.Versioned<BatchQueue.Entry>> entries, Splits splits)
      throws InterruptedException {
    if (entries.isEmpty()) return;
    var key = UUID.randomUUID().toString();
    var ids = entries.stream().map(entry -> entry.value().asked().id()).toList();
    var collecting =
        new BatchRecord(key, ids, BatchRecord.Status.COLLECTING, clock.instant(), Optional.empty());
    var added = queue.add(collecting);
    if (added.isEmpty()) return;
    var bodies = new LinkedHashMap<String, Json>();
    long bytes = 0;
    for (var entry : entries) {
      bytes += entry.value().body().text().length();
      if (bytes > BYTES_MAX && !bodies.isEmpty()) break;
      // Another process may have taken it.
      if (queue.assign(entry, key)) bodies.put(entry.value().asked().id(), entry.value().body());
    }
    // From here on nobody knows from outside whether it was sent.
    var submitting =
        queue.change(added.get(), collecting.of(List.copyOf(bodies.keySet()), clock.instant()));
    if (submitting.isEmpty()) {
      // This process paused so long that another one gave the batch up; what it took since is free.
      free(collecting);
      return;
    }
    if (bodies.isEmpty()) queue.removeBatch(key);
    else send(submitting.get(), bodies, splits);
  }

  private void send(
      BatchQueue.Versioned<BatchRecord> batch, Map<String, Json> bodies, Splits splits)
      throws InterruptedException {
    String id;
    try {
      id = api.submit(batch.value().key(), bodies);
    } catch (ModelException e) {
      // One that was refused was not taken; of any other the vendor is asked later.
      switch (e.kind()) {
        case AUTH, QUOTA, RATE_LIMITED, BAD_URL, UNAVAILABLE -> release(batch);
        case BAD_REQUEST, CONTEXT_LENGTH -> {
          var failed = new BatchResult.Failed(e.kind().name(), String.valueOf(e.getMessage()));
          refused(batch, api.blamed(e, batch.value().ids()), failed, splits);
        }
        case OVERLOADED, REFUSED, TIMEOUT, MALFORMED, TRANSPORT, TOO_LARGE -> {}
      }
      throw e;
    }
    var _ = queue.change(batch, batch.value().running(id, clock.instant()));
  }

  /// Fails the requests for which the vendor never takes a batch, and frees the others. Where it
  /// does not say which they are, the halves of the batch are submitted, each as a batch.
  private void refused(
      BatchQueue.Versioned<BatchRecord> batch,
      Set<String> blamed,
      BatchResult.Failed failed,
      Splits splits)
      throws InterruptedException {
    var ids = batch.value().ids();
    boolean isOne = ids.size() == 1;
    for (var id : ids) if (isOne || blamed.contains(id)) queue.addResult(id, failed);
    release(batch);
    boolean isKnown = isOne || ids.stream().anyMatch(blamed::contains);
    if (isKnown || !splits.take()) return;
    var errors = new ArrayList<ModelException>();
    int middle = ids.size() / 2;
    for (var half : List.of(ids.subList(0, middle), ids.subList(middle, ids.size()))) {
      try {
        submit(free(half), splits);
      } catch (ModelException e) {
        errors.add(e);
      }
    }
    // What fails otherwise than the whole is worth telling.
    for (var error : errors) if (!error.kind().name().equals(failed.kind())) throw error;
  }

  private List<BatchQueue.Versioned<BatchQueue.Entry>> free(List<String> ids) {
    return ids.stream()
        .flatMap(id -> queue.entry(id).stream())
        .filter(entry -> entry.value().batch().isEmpty())
        .toList();
  }

  /// Limits how often batches are split in one turn. What is left is submitted in the next.
  private static final class Splits {
    private int left = SPLITS_MAX;

    boolean take() {
      return left-- > 0;
    }
  }

  private void release(BatchQueue.Versioned<BatchRecord> batch) {
    var now = clock.instant();
    var left = queue.change(batch, batch.value().in(BatchRecord.Status.ABANDONED, now));
    if (left.isPresent()) free(batch.value());
  }

  private void free(BatchRecord batch) {
    for (var id : batch.ids()) {
      queue
          .entry(id)
          .filter(entry -> entry.value().batch().equals(batch.key()))
          .ifPresent(entry -> queue.assign(entry, ""));
    }
    queue.removeBatch(batch.key());
  }

  // --- Batches ---

  private void advance(BatchQueue.Versioned<BatchRecord> batch, Splits splits)
      throws InterruptedException {
    boolean isLeft = clock.instant().isAfter(batch.value().since().plus(LEASE));
    switch (batch.value().status()) {
      case COLLECTING -> {
        if (isLeft) release(batch);
      }
      case ABANDONED -> free(batch.value());
      case SUBMITTING -> {
        if (isLeft) recover(batch);
      }
      case RUNNING -> fetch(batch, splits);
    }
  }

  /// Finds out whether a batch was sent whose process is gone.
  private void recover(BatchQueue.Versioned<BatchRecord> batch) throws InterruptedException {
    var began = batch.value().since();
    var own = queue.change(batch, batch.value().in(BatchRecord.Status.SUBMITTING, clock.instant()));
    if (own.isEmpty()) return;
    switch (api.find(batch.value().key(), batch.value().ids(), began)) {
      case BatchApi.Lookup.Submitted(var id) -> {
        var _ = queue.change(own.get(), own.get().value().running(id, clock.instant()));
      }
      case BatchApi.Lookup.NotSubmitted _ -> release(own.get());
      case BatchApi.Lookup.Unclear _ -> {
        // With the old time, so that the batch is still looked for from there.
        var _ = queue.change(own.get(), batch.value());
      }
    }
  }

  private void fetch(BatchQueue.Versioned<BatchRecord> batch, Splits splits)
      throws InterruptedException {
    Optional<Map<String, BatchResult>> results;
    try {
      results = api.results(batch.value().vendorId().orElseThrow());
    } catch (BatchRefused e) {
      var kind = ModelException.Kind.BAD_REQUEST.name();
      var failed = new BatchResult.Failed(kind, String.valueOf(e.getMessage()));
      refused(batch, e.blamed(), failed, splits);
      return;
    }
    if (results.isEmpty()) return;
    for (var id : batch.value().ids()) {
      var result = results.get().get(id);
      queue.addResult(id, result == null ? new BatchResult.Expired() : result);
    }
    queue.removeBatch(batch.value().key());
  }

  // --- Runs ---

  BatchApi api() {
    return api;
  }

  Optional<BatchResult> result(String id) {
    return queue.result(id);
  }

  void enqueue(BatchWait wait, ChatRequest request) {
    if (queue.isWaiting(wait.id())) return;
    try {
      queue.add(wait, api.body(request), clock.instant());
    } catch (InvalidItem e) {
      throw new ModelException(
          ModelException.Kind.TOO_LARGE,
          "A request for a batch of %s is larger than the store takes. Ask without a batch, or send links in place of pictures and files."
              .formatted(api.ref()),
          null,
          e);
    }
  }

  /// The number of requests that wait, by the thread of their run.
  public Map<String, Long> waiting() {
    Function<BatchQueue.Versioned<BatchQueue.Entry>, String> thread =
        entry -> entry.value().asked().thread();
    return queue.waiting().stream().collect(Collectors.groupingBy(thread, Collectors.counting()));
  }

  @Override
  public String toString() {
    return "ModelBatches[" + api.ref() + ", at most " + most + "]";
  }
}
