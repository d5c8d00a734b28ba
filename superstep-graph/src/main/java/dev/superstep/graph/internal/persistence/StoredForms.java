package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.error.CorruptThread;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.json.Json;
import dev.superstep.state.Channel;
import dev.superstep.state.Items;
import dev.superstep.state.Reducer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The forms in which a graph stores its channels, for a thread that another shape of it saved: a
/// channel that is of another kind now holds its value in that kind's form, or is refused. Pure.
///
/// @param kinds how the channels were saved, by the names that they have now; without those of
///   which nobody knows
record StoredForms(CompiledGraph graph, Map<String, String> kinds) {
  private static final String DELTA = "delta";

  /// @param way what has become of the names
  static StoredForms of(
      CompiledGraph graph, Checkpoint checkpoint, List<MigrationStep> way, Checkpointer store) {
    var kinds = new HashMap<String, String>();
    MigrationPlan.described(checkpoint, store)
        .ifPresent(shape -> {
          for (var channel : shape.channels()) {
            var name = channel.name();
            for (var migration : way) name = migration.renamed(name);
            kinds.put(name, channel.kind());
          }
        });
    return new StoredForms(graph, kinds);
  }

  /// @throws CorruptThread if a value cannot be that of the channel as it is now
  /// @throws dev.superstep.json.SuperstepException likewise
  Saved fitted(Saved moved) {
    var channels = moved.channels().stream().map(this::fitted).toList();
    return new Saved(moved.checkpoint(), channels);
  }

  private SavedChannel fitted(SavedChannel old) {
    var channel = graph.index().channel(old.name());
    if (channel == null || !isOther(channel, old.content())) return old;
    return new SavedChannel(old.name(), old.version(), content(channel, old.content()));
  }

  private boolean isOther(Channel<?, ?> channel, Content content) {
    boolean isList = channel.items().isPresent();
    return switch (content) {
      case Content.Cleared _ -> false;
      case Content.Whole _ -> isList || isKindOther(channel);
      case Content.Items _ -> !isList || isKindOther(channel);
    };
  }

  private boolean isKindOther(Channel<?, ?> channel) {
    return !kinds.getOrDefault(channel.name(), channel.kind()).equals(channel.kind());
  }

  private <V, W> Content content(Channel<V, W> channel, Content old) {
    var value = value(channel, old);
    return channel
        .items()
        .<Content>map(form -> new Content.Items(form.encode(value, 0)))
        .orElseGet(() -> new Content.Whole(channel.values().encode(value)));
  }

  private <V, W> V value(Channel<V, W> channel, Content old) {
    return switch (old) {
      case Content.Whole(var value) -> adopted(channel, value);
      case Content.Items(var items) when DELTA.equals(kinds.get(channel.name())) ->
          Items.refolded(items, channel)
              .orElseThrow(() ->
                  new CorruptThread(
                      "channel `"
                          + channel.name()
                          + "` holds writes that only a delta or folding channel can fold"));
      case Content.Items(var items) ->
          adopted(
              channel,
              Json.unchecked(
                  items.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"))));
      case Content.Cleared _ -> throw new IllegalStateException("nothing has no form");
    };
  }

  private static <V, W> V adopted(Channel<V, W> channel, Json whole) {
    return adopted(channel.reducer(), channel.values().decode(whole));
  }

  /// A list whose items have keys takes them as if each had been written: of two with one key the
  /// later stays.
  @SuppressWarnings("unchecked") // the writes of a list are its items
  private static <V, W> V adopted(Reducer<V, W> reducer, V value) {
    if (!(value instanceof List<?> items) || !reducer.hasKeys() || items.isEmpty()) {
      return reducer.adopt(value);
    }
    var folded = reducer.fold(reducer.initial(), (List<W>) items).value();
    return folded == null ? reducer.adopt(value) : folded;
  }
}
