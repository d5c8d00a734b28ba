package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// How often values become JSON on their way to a store.
final class EncodingTest {
  private static final int STEPS = 20;

  /// Counts what it encodes.
  private record Counting<T>(Codec<T> codec, AtomicInteger encoded) implements Codec<T> {
    Counting(Class<T> type) {
      this(Codec.of(type), new AtomicInteger());
    }

    @Override
    public Json encode(T value) {
      encoded.incrementAndGet();
      return codec.encode(value);
    }

    @Override
    public T decode(Json json) {
      return codec.decode(json);
    }

    @Override
    public String type() {
      return codec.type();
    }
  }

  private final Counting<Long> numbers = new Counting<>(Long.class);
  private final Counting<String> notes = new Counting<>(String.class);
  private final Counting<String> lines = new Counting<>(String.class);
  private final Channel<Long, Long> n = Channel.latest("n", numbers);
  private final Channel<String, String> note = Channel.latest("note", notes);
  private final Channel<List<String>, String> log = Channel.append("log", lines);

  private Graph counting() {
    return Graph.named("counting")
        .channels(n, note, log)
        .node("count", (s, _) -> Update.of(n, s.get(n) + 1).and(log, "line " + s.get(n)))
        .edge(START, "count")
        .route("count", s -> s.get(n) < STEPS ? "count" : END, "count", END)
        .compile();
  }

  @Test
  void a_changed_channel_is_encoded_once_for_a_checkpoint_and_an_unchanged_one_never()
      throws Exception {
    try (var store = new InMemoryCheckpointer()) {
      var options = RunOptions.thread("t").checkpoints(store);
      completed(counting().invoke(Input.of(n, 0L).and(note, "stays"), options));
      assertThat(numbers.encoded()).hasValue(STEPS + 1);
      assertThat(notes.encoded()).hasValue(1);
      // An item of a log, however long that has become.
      assertThat(lines.encoded()).hasValue(STEPS);
      assertThat(store.page(Lineage.of("t"), Optional.empty(), 100)).hasSize(STEPS + 1);
    }
  }

  @Test
  void values_that_are_not_saved_are_never_encoded() throws Exception {
    completed(counting().invoke(Input.of(n, 0L).and(note, "stays")));
    assertThat(numbers.encoded()).hasValue(0);
    assertThat(notes.encoded()).hasValue(0);
    assertThat(lines.encoded()).hasValue(0);
  }
}
