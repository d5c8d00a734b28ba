package dev.superstep.bench.jmh;

import dev.superstep.bench.measure.Document;
import dev.superstep.bench.measure.Messages;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.state.Channel;
import dev.superstep.state.Folded;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// The parts of keeping a thread: folding a write, encoding it, telling of it.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class Keeping {
  private static final int LIST_MAX = 10_000;
  private static final Channel<List<String>, String> ITEMS = Channel.append("items", String.class);

  private final Codec<String> strings = Codec.of(String.class);
  private final Codec<Document> documents = Codec.of(Document.class);
  private final Codec<Json> documentsAsJson = Codec.of(Json.class);
  private final Json json = Json.parse(Document.of(7).json());
  private final String message = Messages.of(7);
  private final Document document = Document.of(7);
  private final List<String> write = List.of(message);
  private final List<Entry> entries =
      List.of(
          new Entry(
              0,
              Instant.EPOCH,
              "run",
              "graph",
              List.of(),
              "node",
              "node.finished",
              Json.parse("{\"type\":\"node.finished\",\"node\":\"node\",\"step\":7}")));

  private List<String> list = List.of();
  private InMemoryCheckpointer journal = new InMemoryCheckpointer();
  private Lease lease = journal.acquire("thread", "jmh", Duration.ofHours(1));

  /// Journals are for one iteration, so that memory does not run out.
  @Setup(Level.Iteration)
  public void begin() {
    journal = new InMemoryCheckpointer();
    lease = journal.acquire("thread", "jmh", Duration.ofHours(1));
  }

  /// One write folded into a list of up to ten thousand items.
  @Benchmark
  public Folded<List<String>> appendToAChannel() {
    if (list.size() == LIST_MAX) list = List.of();
    var folded = ITEMS.reducer().fold(list, write);
    list = folded.value();
    return folded;
  }

  /// The difference that a message of 1 KiB makes, as JSON.
  @Benchmark
  public Json encodeAMessage() {
    return strings.encode(message);
  }

  /// A nested value of 5 KB as JSON.
  @Benchmark
  public Json encodeADocument() {
    return documents.encode(document);
  }

  /// A checked JSON document of 5 KB as the value of a channel.
  @Benchmark
  public Json encodeAJsonDocument() {
    return documentsAsJson.encode(json);
  }

  /// One entry of a journal, in memory.
  @Benchmark
  public void appendToAJournal() {
    journal.append(lease, entries);
  }
}
