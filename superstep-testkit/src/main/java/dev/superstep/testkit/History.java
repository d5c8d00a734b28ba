package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.ChannelChange.Change;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A lineage in a store beside a plain model of what it must hold: every checkpoint's values in
/// full. One thread.
final class History {
  static final Lineage LINEAGE = Lineage.of("thread");

  /// No journal entries.
  static final List<Entry> NONE = List.of();

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final List<String> CHANNELS = List.of("a", "b", "list", "log");
  private static final int ITEMS_ADDED_MAX = 6;

  private final Checkpointer store;
  private final Lease lease;
  private final Lineage lineage;
  private final Map<String, Map<String, SavedChannel>> model;

  private History(
      Checkpointer store,
      Lease lease,
      Lineage lineage,
      Map<String, Map<String, SavedChannel>> model) {
    this.store = store;
    this.lease = lease;
    this.lineage = lineage;
    this.model = model;
  }

  static History of(Checkpointer store) {
    return of(store, hold(store, LINEAGE.thread()), LINEAGE);
  }

  static History of(Checkpointer store, Lease lease, Lineage lineage) {
    return new History(store, lease, lineage, new LinkedHashMap<>());
  }

  /// A lease that lasts as long as the test.
  static Lease hold(Checkpointer store, String thread) {
    return store.acquire(thread, "the test", Duration.ofHours(1));
  }

  static Json json(String text) {
    return Json.unchecked(text);
  }

  static ChannelChange whole(String channel, long version, String value) {
    return new ChannelChange(channel, version, new Change.Whole(json(value)));
  }

  static ChannelChange items(String channel, long version, int kept, Json... added) {
    return new ChannelChange(channel, version, new Change.Items(kept, List.of(added)));
  }

  static ChannelChange cleared(String channel, long version) {
    return new ChannelChange(channel, version, new Change.Cleared());
  }

  static Checkpoint checkpoint(String id, Optional<String> parent, int step) {
    return checkpoint(id, parent, step, "run");
  }

  static Checkpoint checkpoint(String id, Optional<String> parent, int step, String run) {
    return new Checkpoint(
        Checkpoint.FORMAT,
        id,
        parent,
        id.substring(0, Math.max(0, id.lastIndexOf('c'))) + "g",
        step,
        step == 0 ? Checkpoint.Source.INPUT : Checkpoint.Source.LOOP,
        START.plusSeconds(step),
        run,
        "graph",
        "hash",
        Progress.of(List.of()),
        Map.of());
  }

  /// Returns a copy with other memories.
  static Checkpoint naming(Checkpoint made, Memories memories) {
    return new Checkpoint(
        made.format(),
        made.id(),
        made.parent(),
        made.generation(),
        made.step(),
        made.source(),
        made.at(),
        made.run(),
        made.graph(),
        made.graphHash(),
        made.progress().with(memories),
        made.metadata());
  }

  /// An entry of a journal before it is saved.
  static Entry entry(String run, String kind) {
    var event = Json.parse("{\"kind\":\"" + kind + "\"}");
    return new Entry(0, START, run, "graph", List.of(), "node", kind, event);
  }

  Lineage lineage() {
    return lineage;
  }

  Lease lease() {
    return lease;
  }

  /// This history in another thread that has the same.
  History in(Lineage other, Lease lease) {
    return new History(store, lease, other, new LinkedHashMap<>(model));
  }

  /// This history in the store that was opened again.
  History movedTo(Checkpointer again) {
    return new History(again, lease, lineage, model);
  }

  /// Adds a checkpoint, named `c` and its step, to the store and to the model.
  void commit(ChannelChange... changes) {
    commitAs("run", changes);
  }

  /// Commits a checkpoint of a run.
  void commitAs(String run, ChannelChange... changes) {
    int step = model.size();
    var parent = step == 0 ? Optional.<String>empty() : Optional.of(id(step - 1));
    var next = new LinkedHashMap<>(values());
    for (var change : changes) next.put(change.name(), changed(change, values()));
    var checkpoint = checkpoint(id(step), parent, step, run);
    var commit = new Commit(lineage, checkpoint, List.of(changes));
    assertThat(store.commit(lease, commit)).as("commit of %s", id(step)).isTrue();
    model.put(id(step), next);
  }

  /// Makes ids for subgraphs different from those of their outer graph.
  private String id(int step) {
    return lineage.namespace() + "c" + step;
  }

  /// Changes some channels in some way.
  void commitAnything(RandomGenerator random) {
    var changes = new ArrayList<ChannelChange>();
    for (var channel : CHANNELS) {
      if (random.nextInt(3) > 0) changes.add(anyChange(channel, random));
    }
    commit(changes.toArray(ChannelChange[]::new));
  }

  /// The newest values of the model.
  Map<String, SavedChannel> values() {
    return model.isEmpty() ? Map.of() : model.getOrDefault(id(model.size() - 1), Map.of());
  }

  static Map<String, SavedChannel> values(Saved saved) {
    var values = new LinkedHashMap<String, SavedChannel>();
    for (var channel : saved.channels()) {
      assertThat(values.put(channel.name(), channel)).as("twice: %s", channel.name()).isNull();
    }
    return values;
  }

  /// Fails unless the store holds each checkpoint of the model, and the last one as its newest.
  void agrees() {
    assertThat(store.latest(lineage).map(History::values)).contains(values());
    model.forEach((id, values) ->
        assertThat(store.byId(lineage, id).map(History::values)).as(id).contains(values));
    model.forEach(this::changesAgree);
    assertThat(store.page(lineage, Optional.empty(), model.size() + 1)).hasSize(model.size());
  }

  /// Checks that a checkpoint's changes lead from its parent's values to its own.
  private void changesAgree(String id, Map<String, SavedChannel> values) {
    var parent = store.byId(lineage, id).flatMap(saved -> saved.checkpoint().parent());
    var before = parent.map(model::get);
    var changes = CombinedCalls.of(store).changes(lineage, id);
    assertThat(changes.isPresent()).as("changes of %s", id).isEqualTo(before.isPresent());
    if (changes.isEmpty() || before.isEmpty()) return;
    var next = new LinkedHashMap<>(before.get());
    for (var change : changes.get()) next.put(change.name(), changed(change, before.get()));
    assertThat(next).as("changes of %s", id).isEqualTo(values);
  }

  private static SavedChannel changed(ChannelChange change, Map<String, SavedChannel> before) {
    Content content =
        switch (change.change()) {
          case Change.Whole(var value) -> new Content.Whole(value);
          case Change.Items(var kept, var added) -> {
            var all = new ArrayList<>(items(before.get(change.name())).subList(0, kept));
            all.addAll(added);
            yield new Content.Items(all);
          }
          case Change.Cleared() -> new Content.Cleared();
        };
    return new SavedChannel(change.name(), change.version(), content);
  }

  private List<Json> items(String channel) {
    return items(values().get(channel));
  }

  private static List<Json> items(@Nullable SavedChannel old) {
    return old != null && old.content() instanceof Content.Items(var items) ? items : List.of();
  }

  private ChannelChange anyChange(String channel, RandomGenerator random) {
    int version = model.size();
    // `a` is mostly a value, `log` only ever grows, the others are anything.
    if (!channel.equals("log") && random.nextInt(10) == 0) return cleared(channel, version);
    int wholes = channel.equals("a") ? 8 : channel.equals("log") ? 0 : 1;
    if (random.nextInt(10) < wholes) return whole(channel, version, "" + random.nextInt());
    int length = items(channel).size();
    boolean grows = channel.equals("log") || random.nextBoolean();
    // A cut is as often near the end as anywhere.
    int low = random.nextBoolean() ? 0 : Math.max(0, length - 3);
    int kept = grows ? length : random.nextInt(low, length + 1);
    var added =
        IntStream.range(0, random.nextInt(ITEMS_ADDED_MAX))
            .mapToObj(i -> json("\"" + channel + version + "-" + i + "\""));
    return items(channel, version, kept, added.toArray(Json[]::new));
  }
}
