package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Json;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.ServiceTransaction;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Documents and transactions, as every [ServiceStore] must keep them.
@Tag("SV10")
public interface ServiceDocumentsSuite extends ServiceStoreUnderTest {
  /// A time of the tests.
  Instant NOON = Instant.parse("2026-03-01T12:00:00.123456Z");

  /// So many threads at once.
  int THREADS = 8;

  private static Document run(String id) {
    return Document.of(DocumentKind.RUN, id, NOON);
  }

  private static boolean insert(ServiceStore store, Document document) {
    return store.write(in -> in.insert(document));
  }

  private static Optional<Document> find(ServiceStore store, String id) {
    return store.read(in -> in.find(DocumentKind.RUN, id));
  }

  @Test
  default void a_document_reads_back_unchanged(ServiceStore store) {
    var json = Json.parse("{\"z\":[1,1.0,1e400,null],\"a\\\".b\":{\"ü\":\"😀\\u0000\"}}");
    var document =
        new Document(
            DocumentKind.RUN,
            "' or 1=1; -- 😀",
            "thread",
            "näme",
            "pending",
            Optional.of(NOON.plusSeconds(5)),
            NOON,
            NOON.plusNanos(1_000),
            json,
            json);
    assertThat(insert(store, document)).isTrue();
    assertThat(find(store, document.id())).contains(document);
    assertThat(store.<Optional<Document>>write(in -> in.find(DocumentKind.RUN, document.id())))
        .contains(document);
    var undue = document.neverDue().in("success");
    assertThat(store.<Boolean>write(in -> in.replace(undue))).isTrue();
    assertThat(find(store, document.id())).contains(undue);
  }

  @Test
  default void times_are_kept_in_whole_microseconds(ServiceStore store) {
    var document = Document.of(DocumentKind.RUN, "a", NOON.plusNanos(999)).dueAt(NOON.plusNanos(1));
    assertThat(document.created()).isEqualTo(NOON);
    insert(store, document);
    assertThat(find(store, "a")).contains(document);
  }

  @Test
  default void an_id_is_unique_within_its_kind(ServiceStore store) {
    assertThat(insert(store, run("a").in("pending"))).isTrue();
    assertThat(insert(store, run("a").in("running"))).isFalse();
    assertThat(insert(store, Document.of(DocumentKind.THREAD, "a", NOON))).isTrue();
    assertThat(find(store, "a").orElseThrow().status()).isEqualTo("pending");
    assertThat(store.<Boolean>write(in -> in.delete(DocumentKind.RUN, "a"))).isTrue();
    assertThat(store.<Boolean>write(in -> in.delete(DocumentKind.RUN, "a"))).isFalse();
    assertThat(find(store, "a")).isEmpty();
    assertThat(store.<Boolean>write(in -> in.replace(run("a")))).isFalse();
    assertThat(find(store, "a")).isEmpty();
    assertThat(store.<Boolean>read(in -> in.find(DocumentKind.THREAD, "a").isPresent())).isTrue();
  }

  @Test
  default void a_transaction_sees_what_it_wrote(ServiceStore store) {
    insert(store, run("old"));
    store.write(in -> {
      assertThat(in.find(DocumentKind.RUN, "a")).isEmpty();
      assertThat(in.insert(run("a"))).isTrue();
      assertThat(in.insert(run("a"))).isFalse();
      assertThat(in.find(DocumentKind.RUN, "old")).isPresent();
      assertThat(in.replace(run("old").in("running"))).isTrue();
      assertThat(in.replace(run("old").in("success"))).isTrue();
      assertThat(in.find(DocumentKind.RUN, "old").orElseThrow().status()).isEqualTo("success");
      assertThat(in.count(DocumentQuery.of(DocumentKind.RUN))).isEqualTo(2);
      assertThat(in.delete(DocumentKind.RUN, "old")).isTrue();
      assertThat(in.find(DocumentKind.RUN, "old")).isEmpty();
      assertThat(in.replace(run("old"))).isFalse();
      assertThat(in.delete(DocumentKind.RUN, "old")).isFalse();
      assertThat(in.insert(run("old").in("error"))).isTrue();
      return true;
    });
    assertThat(find(store, "old").orElseThrow().status()).isEqualTo("error");
    assertThat(find(store, "a")).isPresent();
  }

  @Test
  default void a_failed_transaction_leaves_nothing(ServiceStore store) {
    insert(store, run("old").in("pending"));
    store.write(in -> in.append("log", List.of(Json.string("first"))));
    var mine = new IllegalStateException("mine");
    assertThatThrownBy(() ->
            store.write(in -> {
              in.insert(run("new"));
              in.replace(run("old").in("running"));
              in.append("log", List.of(Json.string("second")));
              in.append("other", List.of(Json.string("x")));
              in.trim("log", 1);
              in.signal("topic");
              throw mine;
            }))
        .isSameAs(mine);
    assertThatThrownBy(() ->
            store.write(in -> {
              in.delete(DocumentKind.RUN, "old");
              in.deleteLog("log");
              throw mine;
            }))
        .isSameAs(mine);
    assertThat(find(store, "new")).isEmpty();
    assertThat(find(store, "old").orElseThrow().status()).isEqualTo("pending");
    assertThat(store.<Integer>read(in -> in.entries("log", 0, 9).size())).isEqualTo(1);
    assertThat(store.<Long>read(in -> in.lastOffset("other"))).isZero();
    assertThat(store.<Long>write(in -> in.append("log", List.of(Json.string("second")))))
        .isEqualTo(2);
  }

  @Test
  default void a_reading_transaction_cannot_write(ServiceStore store) {
    List<ServiceStore.Work<Object>> writes =
        List.of(
            in -> in.insert(run("a")),
            in -> in.replace(run("a")),
            in -> in.delete(DocumentKind.RUN, "a"),
            in -> in.append("log", List.of(Json.ofNull())),
            in -> {
              in.lock("name");
              return true;
            },
            in -> {
              in.trim("log", 1);
              return true;
            },
            in -> {
              in.deleteLog("log");
              return true;
            },
            in -> {
              in.signal("topic");
              return true;
            });
    for (var write : writes) {
      assertThatThrownBy(() -> store.read(write)).isInstanceOf(IllegalStateException.class);
    }
    assertThat(find(store, "a")).isEmpty();
  }

  @Test
  default void a_transaction_that_has_ended_is_of_no_use(ServiceStore store) {
    var kept = new ArrayList<ServiceTransaction>();
    store.write(kept::add);
    store.read(kept::add);
    for (var ended : kept) {
      assertThatThrownBy(() -> ended.find(DocumentKind.RUN, "a"))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  default void time_stands_still_in_a_transaction(ServiceStore store) {
    var first =
        store.<Instant>write(in -> {
          var now = in.now();
          in.insert(Document.of(DocumentKind.RUN, "a", now).dueAt(now));
          assertThat(in.now()).isEqualTo(now);
          assertThat(in.search(DocumentQuery.of(DocumentKind.RUN).dueBy(in.now()))).hasSize(1);
          return now;
        });
    assertThat(first).isEqualTo(first.truncatedTo(ChronoUnit.MICROS));
    assertThat(store.<Instant>read(ServiceTransaction::now)).isAfterOrEqualTo(first);
    // Asked after a lock, and along with a query.
    var later =
        store.<Instant>write(in -> {
          in.lock("name");
          in.find(DocumentKind.RUN, "a");
          return in.now();
        });
    assertThat(later).isAfterOrEqualTo(first);
  }

  @Test
  default void texts_that_no_database_keeps_are_refused_and_never_found(ServiceStore store) {
    for (var text : List.of("nul\0", "half\ud800", "\udc00")) {
      assertThatThrownBy(() -> run(text)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> run("a").labelled(text))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(find(store, text)).isEmpty();
      var all = DocumentQuery.of(DocumentKind.RUN);
      assertThat(store.<List<Document>>read(in -> in.search(all.under(text)))).isEmpty();
      assertThat(store.<List<Document>>read(in -> in.search(all.labelPart(text)))).isEmpty();
      assertThat(store.<Long>read(in -> in.lastOffset(text))).isZero();
      store.write(in -> {
        in.lock(text);
        in.signal(text);
        return in.delete(DocumentKind.RUN, text);
      });
    }
  }

  /// Both clients of the store, or the one that there is.
  private List<ServiceStore> clients(ServiceStore store) {
    return another().map(other -> List.of(store, other)).orElse(List.of(store));
  }

  private static void closeAnother(List<ServiceStore> clients) {
    clients.stream().skip(1).forEach(ServiceStore::close);
  }

  @Test
  @Tag("T88")
  default void eight_claimers_of_two_clients_claim_each_document_once(ServiceStore store)
      throws Exception {
    int many = 40;
    store.write(in -> {
      for (int i = 0; i < many; i++) in.insert(run("r" + i).in("pending").dueAt(in.now()));
      return true;
    });
    var clients = clients(store);
    try {
      var claimed =
          ConcurrentCalls.run(
              THREADS, thread -> claimAll(clients.get(thread % clients.size()), "by " + thread));
      assertThat(claimed.stream().flatMap(List::stream).toList())
          .hasSize(many)
          .doesNotHaveDuplicates();
      var running = DocumentQuery.of(DocumentKind.RUN).in("running");
      assertThat(store.<Long>read(in -> in.count(running))).isEqualTo(many);
    } finally {
      closeAnother(clients);
    }
  }

  private static List<String> claimAll(ServiceStore store, String who) {
    var claimed = new ArrayList<String>();
    while (true) {
      var one =
          store.<Optional<String>>write(in -> {
            var query = DocumentQuery.of(DocumentKind.RUN).in("pending").dueBy(in.now()).limit(1);
            var found = in.search(query);
            for (var document : found) in.replace(document.in("running").labelled(who));
            return found.stream().map(Document::id).findFirst();
          });
      if (one.isEmpty()) return claimed;
      claimed.add(one.get());
    }
  }

  @Test
  @Tag("T88")
  default void no_change_of_a_document_is_lost(ServiceStore store) throws Exception {
    int each = 10;
    insert(store, run("counter").labelled("0"));
    var clients = clients(store);
    try {
      ConcurrentCalls.run(
          THREADS,
          thread -> {
            for (int i = 0; i < each; i++) increment(clients.get(thread % clients.size()));
            return true;
          });
      assertThat(find(store, "counter").orElseThrow().label()).isEqualTo("" + THREADS * each);
    } finally {
      closeAnother(clients);
    }
  }

  private static void increment(ServiceStore store) {
    store.write(in -> {
      var counter = in.find(DocumentKind.RUN, "counter").orElseThrow();
      return in.replace(counter.labelled("" + (Integer.parseInt(counter.label()) + 1)));
    });
  }

  @Test
  @Tag("T88")
  default void who_has_a_lock_decides_on_what_others_did_under_it(ServiceStore store)
      throws Exception {
    int most = 5;
    var clients = clients(store);
    try {
      var results =
          ConcurrentCalls.run(
              THREADS,
              thread -> {
                var client = clients.get(thread % clients.size());
                return IntStream.range(0, 3)
                    .mapToObj(i -> insertWithin(client, thread + "/" + i, most))
                    .toList();
              });
      assertThat(results.stream().flatMap(List::stream).filter(made -> made)).hasSize(most);
      assertThat(store.<Long>read(in -> in.count(DocumentQuery.of(DocumentKind.RUN))))
          .isEqualTo(most);
    } finally {
      closeAnother(clients);
    }
  }

  private static boolean insertWithin(ServiceStore store, String id, int most) {
    return store.write(in -> {
      in.lock("quota");
      return in.count(DocumentQuery.of(DocumentKind.RUN)) < most && in.insert(run(id));
    });
  }

  @Test
  default void another_client_sees_what_was_saved(ServiceStore store) {
    insert(store, run("a").in("pending"));
    store.write(in -> in.append("log", List.of(Json.string("x"))));
    another()
        .ifPresent(other -> {
          try (other) {
            assertThat(find(other, "a")).contains(run("a").in("pending"));
            assertThat(other.<Long>read(in -> in.lastOffset("log"))).isEqualTo(1);
            other.write(in -> in.replace(run("a").in("running")));
          }
          assertThat(find(store, "a").orElseThrow().status()).isEqualTo("running");
        });
  }
}
