package dev.superstep.middleware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.PromptLayout;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.Embedder;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import dev.superstep.store.Search;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("T47")
class LongTermMemoryTest {
  private static final Namespace ANN = Namespace.of("memories", "user", "ann");
  private final InMemoryCheckpointer threads = new InMemoryCheckpointer();

  /// Texts are near if they are about the same of three things.
  private record Topics() implements Embedder {
    private static final List<String> WORDS = List.of("tea", "seat", "pay");

    @Override
    public List<float[]> embedAll(List<String> texts) {
      return texts.stream().map(Topics::vector).toList();
    }

    private static float[] vector(String text) {
      var vector = new float[WORDS.size() + 1];
      vector[WORDS.size()] = 0.01f;
      for (int i = 0; i < WORDS.size(); i++) {
        if (text.toLowerCase(Locale.ROOT).contains(WORDS.get(i))) vector[i] = 1;
      }
      return vector;
    }

    @Override
    public int dimension() {
      return WORDS.size() + 1;
    }

    @Override
    public String id() {
      return "topics";
    }
  }

  @Test
  void a_memory_of_one_thread_is_recalled_in_another() throws Exception {
    try (var store = InMemoryStore.open()) {
      var model =
          ScriptedModel.replying(
              remember("Ann loves green tea."),
              ScriptedModel.text("Noted."),
              ScriptedModel.text("Green tea?"));
      var agent = Talks.agent(model).middleware(LongTermMemory.by("user")).build();
      agent.run("I love green tea.", options("monday", "ann", store));
      var second = agent.run("What should I drink?", options("tuesday", "ann", store));
      var shown = Talks.texts(model.requests().getLast());
      assertThat(shown).hasSize(3);
      assertThat(shown.get(1)).contains("Ann loves green tea.");
      assertThat(shown.get(2)).isEqualTo("What should I drink?");
      assertThat(second.report().conversation())
          .extracting(Message::text)
          .containsExactly("What should I drink?", "Green tea?");
    }
  }

  @Test
  void users_have_memories_of_their_own() throws Exception {
    try (var store = InMemoryStore.open()) {
      store.put(ANN, "1", new LongTermMemory.Memory("Ann loves green tea."));
      var model = ScriptedModel.saying("Water?");
      var agent = Talks.agent(model).middleware(LongTermMemory.by("user")).build();
      agent.run("What should I drink?", options("t", "bob", store));
      assertThat(Talks.texts(model.requests().getLast()))
          .containsExactly("Be kind.", "What should I drink?");
    }
  }

  @Test
  void memories_of_similar_meaning_are_recalled() throws Exception {
    var withTopics = StoreOptions.defaults().embedder(new Topics());
    try (var store = InMemoryStore.open(withTopics)) {
      store.put(ANN, "1", new LongTermMemory.Memory("Ann loves green tea."));
      store.put(ANN, "2", new LongTermMemory.Memory("Ann has a seat by the window."));
      store.put(ANN, "3", new LongTermMemory.Memory("Ann wants to pay by card."));
      var model = ScriptedModel.saying("Here.");
      var memory = LongTermMemory.by("user").withMost(2).withMinScore(0.5);
      var agent = Talks.agent(model).middleware(memory).build();
      agent.run("Which seat do I like?", options("t", "ann", store));
      assertThat(Talks.texts(model.requests().getLast()).get(1))
          .contains("by the window")
          .doesNotContain("tea")
          .doesNotContain("card");
    }
  }

  @Test
  @Tag("T21")
  void recalled_memories_do_not_change_the_stable_prefix() throws Exception {
    try (var store = InMemoryStore.open()) {
      store.put(ANN, "1", new LongTermMemory.Memory("Ann loves green tea."));
      var model =
          ScriptedModel.replying(
              remember("Ann is here."), ScriptedModel.text("a"), ScriptedModel.text("b"));
      var agent = Talks.agent(model).middleware(LongTermMemory.by("user")).build();
      agent.run("Hello", options("t1", "ann", store));
      agent.run("Hello", options("t2", "bob", store));
      assertThat(model.requests())
          .extracting(PromptLayout::prefixOf)
          .containsOnly(PromptLayout.prefixOf(model.requests().getFirst()));
      // Within a run it stays where and what it was, so vendors' caches serve it, too.
      var first = Talks.texts(model.requests().get(0));
      assertThat(Talks.texts(model.requests().get(1)).subList(0, first.size())).isEqualTo(first);
    }
  }

  @Test
  void a_fact_is_remembered_once_and_can_be_forgotten() throws Exception {
    try (var store = InMemoryStore.open()) {
      var key = Transcripts.digest("Ann loves tea.");
      var forget = new ToolCall("f", "forget", "{\"memory\":\"" + key + "\"}");
      var model =
          ScriptedModel.replying(
              remember("Ann loves tea."),
              remember("Ann loves tea. "),
              ScriptedModel.text("Noted."),
              ScriptedModel.calls(forget),
              ScriptedModel.calls(forget),
              ScriptedModel.text("Gone."));
      var agent = Talks.agent(model).middleware(LongTermMemory.by("user").withForgetting()).build();
      agent.run("I love tea", options("t1", "ann", store));
      assertThat(store.search(Search.in(ANN))).hasSize(1);
      agent.run("I do not any more", options("t2", "ann", store));
      assertThat(store.search(Search.in(ANN))).isEmpty();
      assertThat(Talks.texts(model.requests().getLast()))
          .contains("Forgotten.", "Nothing is remembered as [" + key + "].");
    }
  }

  @Test
  void a_run_without_an_owner_of_its_memory_fails() {
    var agent =
        Talks.agent(ScriptedModel.saying("hi")).middleware(LongTermMemory.by("user")).build();
    try (var store = InMemoryStore.open()) {
      assertThatThrownBy(() -> agent.run("Hello", RunOptions.defaults().store(store)))
          .isInstanceOf(MissingMetadata.class)
          .hasMessageContaining("options.metadata(\"user\"");
    }
  }

  private RunOptions options(String thread, String user, Store store) {
    return RunOptions.thread(thread).checkpoints(threads).store(store).metadata("user", user);
  }

  private static dev.superstep.model.ChatReply remember(String text) {
    var arguments = "{\"text\":\"" + text + "\"}";
    return ScriptedModel.calls(new ToolCall("r", "remember", arguments));
  }
}
