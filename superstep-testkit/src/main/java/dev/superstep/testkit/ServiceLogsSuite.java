package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.LogEntry;
import dev.superstep.service.ServiceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Logs and signals, as every [ServiceStore] must keep them.
@Tag("SV10")
public interface ServiceLogsSuite extends ServiceStoreUnderTest {
  /// Longer than anything takes.
  Duration LONG = Duration.ofSeconds(60);

  private static List<Json> texts(String... texts) {
    return List.of(texts).stream().map(Json::string).toList();
  }

  private static long append(ServiceStore store, String log, List<Json> entries) {
    return store.write(in -> in.append(log, entries));
  }

  private static List<LogEntry> entries(ServiceStore store, String log, long after, int limit) {
    return store.read(in -> in.entries(log, after, limit));
  }

  private static void signal(ServiceStore store, String topic) {
    store.write(in -> {
      in.signal(topic);
      return true;
    });
  }

  @Test
  default void offsets_count_from_one_without_gaps(ServiceStore store) {
    assertThat(append(store, "a", texts())).isZero();
    assertThat(append(store, "a", texts("1", "2"))).isEqualTo(2);
    assertThat(append(store, "b", texts("x"))).isEqualTo(1);
    assertThat(append(store, "a", texts("3"))).isEqualTo(3);
    assertThat(append(store, "a", texts())).isEqualTo(3);
    assertThat(entries(store, "a", 0, 9))
        .containsExactly(
            new LogEntry(1, Json.string("1")),
            new LogEntry(2, Json.string("2")),
            new LogEntry(3, Json.string("3")));
    assertThat(entries(store, "a", 1, 1)).containsExactly(new LogEntry(2, Json.string("2")));
    assertThat(entries(store, "a", 3, 9)).isEmpty();
    assertThat(entries(store, "none", 0, 9)).isEmpty();
    assertThat(store.<Long>read(in -> in.lastOffset("none"))).isZero();
  }

  @Test
  default void a_value_of_a_log_reads_back_unchanged(ServiceStore store) {
    var values =
        List.of(
            Json.parse("{\"b\":1.0,\"a\":[null,\"\\u0000 ü 😀 \\\" { } , \\\\\"]}"),
            Json.string("x".repeat(100_000)),
            Json.ofNull());
    append(store, "odd ' name", values);
    assertThat(entries(store, "odd ' name", 0, 9).stream().map(LogEntry::value)).isEqualTo(values);
    var many = IntStream.range(0, 3_000).mapToObj(i -> Json.of(i)).toList();
    assertThat(append(store, "many", many)).isEqualTo(3_000);
    assertThat(entries(store, "many", 0, 9_000).stream().map(LogEntry::value)).isEqualTo(many);
  }

  @Test
  default void a_trimmed_log_keeps_its_offsets(ServiceStore store) {
    append(store, "a", texts("1", "2", "3"));
    store.write(in -> {
      in.trim("a", 2);
      in.trim("none", 2);
      return true;
    });
    assertThat(entries(store, "a", 0, 9)).containsExactly(new LogEntry(3, Json.string("3")));
    store.write(in -> {
      in.trim("a", 99);
      return true;
    });
    assertThat(entries(store, "a", 0, 9)).isEmpty();
    assertThat(store.<Long>read(in -> in.lastOffset("a"))).isEqualTo(3);
    assertThat(append(store, "a", texts("4"))).isEqualTo(4);
    assertThat(entries(store, "a", 0, 9)).containsExactly(new LogEntry(4, Json.string("4")));
  }

  @Test
  default void a_deleted_log_begins_again(ServiceStore store) {
    append(store, "a", texts("1", "2"));
    append(store, "b", texts("x"));
    store.write(in -> {
      in.deleteLog("a");
      in.deleteLog("none");
      return true;
    });
    assertThat(entries(store, "a", 0, 9)).isEmpty();
    assertThat(store.<Long>read(in -> in.lastOffset("a"))).isZero();
    assertThat(append(store, "a", texts("new"))).isEqualTo(1);
    assertThat(entries(store, "a", 0, 9)).containsExactly(new LogEntry(1, Json.string("new")));
    assertThat(entries(store, "b", 0, 9)).hasSize(1);
  }

  @Test
  @Tag("T88")
  default void readers_of_a_log_miss_nothing_while_several_write(ServiceStore store)
      throws Exception {
    int writers = 4;
    int each = 30;
    var other = another();
    try {
      var clients = other.map(second -> List.of(store, second)).orElse(List.of(store));
      var results =
          ConcurrentCalls.run(
              writers + 3,
              thread -> {
                var client = clients.get(thread % clients.size());
                if (thread >= writers) return tail(client, writers * each);
                for (int i = 0; i < each; i++) write(client, thread + "/" + i);
                return List.<LogEntry>of();
              });
      var whole = entries(store, "tail", 0, 9_999);
      assertThat(whole).hasSize(writers * each);
      assertThat(whole.stream().map(LogEntry::offset))
          .isEqualTo(LongStream.rangeClosed(1, whole.size()).boxed().toList());
      assertThat(whole.stream().map(LogEntry::value).distinct()).hasSize(writers * each);
      for (var read : results.subList(writers, results.size())) assertThat(read).isEqualTo(whole);
    } finally {
      other.ifPresent(ServiceStore::close);
    }
  }

  private static void write(ServiceStore store, String text) {
    store.write(in -> {
      in.append("tail", texts(text));
      in.signal("tail");
      return true;
    });
  }

  private static List<LogEntry> tail(ServiceStore store, int many) {
    var read = new ArrayList<LogEntry>();
    try (var watch = store.watch("tail")) {
      while (read.size() < many) {
        long after = read.isEmpty() ? 0 : read.getLast().offset();
        var more = entries(store, "tail", after, 7);
        read.addAll(more);
        if (more.isEmpty()) assertThat(watch.await(LONG)).isTrue();
      }
      return read;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  default void a_signal_wakes_the_watchers_of_its_topic(ServiceStore store) throws Exception {
    try (var first = store.watch("a");
        var second = store.watch("a")) {
      // Before anybody waits.
      signal(store, "a");
      assertThat(first.await(LONG)).isTrue();
      assertThat(second.await(LONG)).isTrue();
    }
  }

  @Test
  default void who_is_woken_sees_what_was_written(ServiceStore store) throws Exception {
    var other = another();
    try (var watch = other.orElse(store).watch("a")) {
      store.write(in -> {
        in.insert(Document.of(DocumentKind.RUN, "r", in.now()));
        in.signal("a");
        return true;
      });
      boolean isSeen = false;
      while (!isSeen) {
        assertThat(watch.await(LONG)).isTrue();
        isSeen =
            other.orElse(store).<Boolean>read(in -> in.find(DocumentKind.RUN, "r").isPresent());
      }
      assertThat(isSeen).isTrue();
    } finally {
      other.ifPresent(ServiceStore::close);
    }
  }

  @Test
  default void a_long_topic_wakes_across_clients(ServiceStore store) throws Exception {
    var topic = "t".repeat(9_000);
    var other = another();
    try (var watch = other.orElse(store).watch(topic)) {
      signal(store, topic);
      assertThat(watch.await(LONG)).isTrue();
    } finally {
      other.ifPresent(ServiceStore::close);
    }
  }

  @Test
  default void a_closed_store_ends_its_watches() throws Exception {
    var store = fresh();
    try (var watch = store.watch("a")) {
      store.close();
      assertThat(watch.await(LONG)).isFalse();
      try (var late = store.watch("a")) {
        assertThat(late.await(LONG)).isFalse();
      }
    }
  }
}
