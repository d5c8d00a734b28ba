package dev.superstep.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ObservedStoreTest {
  private static final Namespace NOTES = Namespace.of("notes");

  private final List<StoreEvent> events = new ArrayList<>();
  private final Store store = ObservedStore.of(InMemoryStore.open(), events::add);

  private List<String> names() {
    return events.stream().map(event -> event.name() + " " + event.key()).toList();
  }

  @Test
  @Tag("T54")
  @Tag("T123")
  void operations_are_told_with_key_and_size_and_never_a_value() throws Exception {
    store.put(NOTES, "tea", "green and private");
    assertThat(store.get(NOTES, "tea")).isPresent();
    assertThat(store.search(Search.in(NOTES))).hasSize(1);
    assertThat(store.delete(NOTES, "tea")).isTrue();
    assertThat(names())
        .containsExactly(
            "store.put.started tea",
            "store.put.completed tea",
            "store.get.started tea",
            "store.get.completed tea",
            "store.search.started ",
            "store.search.completed ",
            "store.delete.started tea",
            "store.delete.completed tea");
    assertThat(((StoreEvent.Completed) events.get(1)).bytes())
        .isEqualTo("\"green and private\"".length());
    assertThat(events.toString()).doesNotContain("private");
    var page = Files.readString(Path.of("..", "docs", "event-names.md"));
    for (var event : events) assertThat(page).contains("`" + event.name() + "`");
  }

  @Test
  @Tag("T54")
  void names_of_secrets_are_left_out_and_a_failure_has_its_code() {
    store.put(NOTES, "github_token", "x");
    store.put(Namespace.of("passwords"), "ann", "x");
    store.get(Namespace.of("a", "API_KEY"), "b");
    assertThat(events.toString())
        .contains("[redacted]")
        .doesNotContainIgnoringCase("token")
        .doesNotContainIgnoringCase("password")
        .doesNotContainIgnoringCase("api_key");
    assertThatThrownBy(() -> store.search(Search.in(NOTES).query("what?")))
        .isInstanceOf(NoEmbedder.class);
    assertThat(events.getLast())
        .isEqualTo(
            new StoreEvent.Failed(StoreEvent.Operation.SEARCH, "notes/", "", "store.no-embedder"));
    assertThat(events.getLast().name()).isEqualTo("store.error");
  }

  @Test
  @Tag("T54")
  void a_listener_that_throws_harms_nothing() {
    var harsh =
        ObservedStore.of(
            InMemoryStore.open(),
            _ -> {
              throw new IllegalStateException("no disk");
            });
    harsh.put(NOTES, "tea", "green");
    assertThat(harsh.get(NOTES, "tea", String.class)).contains("green");
  }
}
