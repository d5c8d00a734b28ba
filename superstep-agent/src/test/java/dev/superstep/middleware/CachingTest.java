package dev.superstep.middleware;

import static dev.superstep.middleware.Stage.agent;
import static dev.superstep.middleware.Stage.error;
import static dev.superstep.middleware.Stage.flaky;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CachingTest {
  private final Stage stage = new Stage();
  private final InMemoryResponseCache cache = InMemoryResponseCache.holding(10, 100_000);

  private static ChatReply used(String text) {
    var message = new AssistantMessage("", text, List.of());
    return ScriptedModel.reply(message, new Usage(10, 0, 5, 0), ChatReply.Finish.STOP);
  }

  @Test
  @Tag("T25")
  void a_second_run_gets_the_reply_of_the_first_for_nothing() throws Exception {
    var model = ScriptedModel.replying(used("Hello"), used("never"));
    var agent = agent(model, Caching.in(cache)).build();
    assertThat(agent.run("Hi", stage.options()).report().usage().total()).isEqualTo(15);
    assertThat(stage.names()).contains("cache.miss").doesNotContain("cache.hit");
    stage.heard.clear();
    var second = agent.run("Hi", stage.options());
    assertThat(second.answer()).isEqualTo("Hello");
    assertThat(second.report().spent().calls()).isZero();
    assertThat(second.report().usage()).isEqualTo(Usage.NONE);
    assertThat(model.calls()).isEqualTo(1);
    assertThat(stage.heard(AgentEvent.CacheHit.class))
        .containsExactly(new AgentEvent.CacheHit("test", "scripted://test"));
    assertThat(stage.names()).doesNotContain("cache.miss", "model.started", "budget.reconciled");
    // Whoever streams hears it all the same.
    assertThat(stage.text).hasToString("Hello|Hello|");
  }

  @Test
  @Tag("T25")
  void a_cached_reply_is_marked_as_cached() throws Exception {
    var sources = new ArrayList<ChatReply.Source>();
    var watching =
        new Middleware() {
          @Override
          public ChatReply afterModel(ChatReply reply, AgentContext context) {
            sources.add(reply.source());
            return reply;
          }
        };
    var agent = agent(Stage.saying("Hello"), Caching.in(cache), watching).build();
    agent.run("Hi");
    agent.run("Hi");
    assertThat(sources).containsExactly(ChatReply.Source.SCRIPTED, ChatReply.Source.CACHED);
  }

  @Test
  @Tag("T24")
  void only_data_that_is_sent_to_the_model_is_part_of_the_cache_key() throws Exception {
    var model = ScriptedModel.by(_ -> ScriptedModel.text("Hello"));
    var caching = Caching.in(cache);
    agent(model, caching).build().run("Hi");
    agent(model, caching)
        .request(r -> r.withLabel("user", "ann").withTimeout(Duration.ofSeconds(3)))
        .build()
        .run("Hi");
    assertThat(model.calls()).isEqualTo(1);
    agent(model, caching).request(r -> r.withTemperature(0.5)).build().run("Hi");
    agent(model, caching).instructions("Be kind.").build().run("Hi");
    agent(model, caching).build().run("Hi!");
    agent(model, caching.space("ann")).build().run("Hi");
    agent(flaky("openai://b", model), caching).build().run("Hi");
    assertThat(model.calls()).isEqualTo(6);
  }

  @Test
  @Tag("T25")
  void only_the_reply_of_the_first_model_is_cached() throws Exception {
    var first = flaky("openai://a", Stage.saying("I am a"), error(Kind.TIMEOUT));
    var other = flaky("openai://b", Stage.saying("I am b"));
    var agent = agent(first, Caching.in(cache), Fallback.to(other), Retrying.times(1)).build();
    assertThat(agent.run("Hi").answer()).isEqualTo("I am b");
    assertThat(cache.size()).isZero();
    assertThat(agent.run("Hi").answer()).isEqualTo("I am a");
    assertThat(agent.run("Hi").answer()).isEqualTo("I am a");
    assertThat(cache.size()).isEqualTo(1);
  }

  @Test
  void a_truncated_reply_is_not_cached() throws Exception {
    var cut = new AssistantMessage("", "Hel", List.of());
    var model =
        ScriptedModel.replying(
            ScriptedModel.reply(cut, Usage.NONE, ChatReply.Finish.LENGTH),
            ScriptedModel.text("Hello"));
    var agent = agent(model, Caching.in(cache)).build();
    agent.run("Hi");
    assertThat(agent.run("Hi").answer()).isEqualTo("Hello");
  }

  @Test
  void a_reply_may_be_used_for_a_time() throws Exception {
    var model = Stage.saying("first", "second");
    var agent = agent(model, Caching.in(cache).ttl(Duration.ofMinutes(1))).build();
    agent.run("Hi", stage.options());
    stage.nanos.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(agent.run("Hi", stage.options()).answer()).isEqualTo("first");
    stage.nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(agent.run("Hi", stage.options()).answer()).isEqualTo("second");
  }

  @Test
  @Tag("T25")
  void a_cache_that_fails_fails_no_run() throws Exception {
    var broken =
        new ResponseCache() {
          @Override
          public Optional<Entry> get(Key key) {
            throw new IllegalStateException("down");
          }

          @Override
          public void put(Key key, Entry entry) {
            throw new IllegalStateException("down");
          }
        };
    var agent = agent(Stage.saying("Hello"), Caching.in(broken)).build();
    assertThat(agent.run("Hi").answer()).isEqualTo("Hello");
  }

  /// Answers when it may, and says when it was asked.
  private record Slow(CountDownLatch asked, CountDownLatch may, AtomicInteger calls, boolean fails)
      implements ChatModel {
    @Override
    public ModelRef ref() {
      return ModelRef.parse("scripted://slow");
    }

    @Override
    public Optional<ModelIdentity> identity() {
      return Optional.of(ModelIdentity.of("slow"));
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      int call = calls.incrementAndGet();
      asked.countDown();
      may.await();
      if (fails && call == 1) throw error(Kind.OVERLOADED);
      return used("Hello " + call);
    }
  }

  private static Slow slow(boolean fails) {
    return new Slow(new CountDownLatch(1), new CountDownLatch(1), new AtomicInteger(), fails);
  }

  /// Counts who looks into it.
  private static final class Watched implements ResponseCache {
    private final ResponseCache inner = InMemoryResponseCache.holding(10, 100_000);
    private final AtomicInteger looks = new AtomicInteger();

    @Override
    public Optional<Entry> get(Key key) {
      looks.incrementAndGet();
      return inner.get(key);
    }

    @Override
    public void put(Key key, Entry entry) {
      inner.put(key, entry);
    }
  }

  private static Thread run(
      dev.superstep.agent.Agent<String> agent, List<String> answers, List<Throwable> errors) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            answers.add(agent.run("Hi", RunOptions.defaults()).answer());
          } catch (InterruptedException | ModelException e) {
            errors.add(e);
          }
        });
  }

  @Test
  @Tag("T25")
  void of_concurrent_runs_with_equal_requests_one_calls_the_model() throws Exception {
    var model = slow(false);
    var watched = new Watched();
    var agent = agent(model, Caching.in(watched)).build();
    var answers = new CopyOnWriteArrayList<String>();
    var errors = new CopyOnWriteArrayList<Throwable>();
    var threads = new ArrayList<Thread>();
    threads.add(run(agent, answers, errors));
    model.asked.await();
    int others = 7;
    for (int i = 0; i < others; i++) threads.add(run(agent, answers, errors));
    // The first looks twice. Once all others have looked, they can only wait or come too late.
    while (watched.looks.get() < 2 + others) Thread.onSpinWait();
    model.may.countDown();
    for (var thread : threads) thread.join();
    assertThat(errors).isEmpty();
    assertThat(answers).hasSize(8).containsOnly("Hello 1");
    assertThat(model.calls).hasValue(1);
  }

  @Test
  @Tag("T25")
  void waiting_callers_do_not_fail_with_the_caller_that_asks() throws Exception {
    var model = slow(true);
    var watched = new Watched();
    var agent = agent(model, Caching.in(watched), Retrying.times(1)).build();
    var answers = new CopyOnWriteArrayList<String>();
    var errors = new CopyOnWriteArrayList<Throwable>();
    var first = run(agent, answers, errors);
    model.asked.await();
    var others = List.of(run(agent, answers, errors), run(agent, answers, errors));
    while (watched.looks.get() < 4) Thread.onSpinWait();
    model.may.countDown();
    first.join();
    for (var thread : others) thread.join();
    assertThat(errors).hasSize(1);
    assertThat(answers).containsExactly("Hello 2", "Hello 2");
    assertThat(model.calls).hasValue(2);
  }

  @Test
  @Tag("T9")
  void whoever_waits_for_another_can_be_cancelled() throws Exception {
    var model = slow(false);
    var watched = new Watched();
    var agent = agent(model, Caching.in(watched)).build();
    var answers = new CopyOnWriteArrayList<String>();
    var errors = new CopyOnWriteArrayList<Throwable>();
    var first = run(agent, answers, errors);
    model.asked.await();
    var second = run(agent, answers, errors);
    while (watched.looks.get() < 3) Thread.onSpinWait();
    second.interrupt();
    second.join();
    assertThat(errors).hasOnlyElementsOfType(InterruptedException.class).hasSize(1);
    model.may.countDown();
    first.join();
    assertThat(answers).containsExactly("Hello 1");
  }

  @Test
  void a_cache_evicts_the_least_recently_used_reply() {
    var small = InMemoryResponseCache.holding(2, 100_000);
    small.put(key("a"), entry("A"));
    small.put(key("b"), entry("B"));
    assertThat(small.get(key("a"))).isPresent();
    small.put(key("c"), entry("C"));
    assertThat(small.get(key("b"))).isEmpty();
    assertThat(small.get(key("a"))).contains(entry("A"));
    assertThat(small.get(key("c"))).contains(entry("C"));
  }

  @Test
  @Tag("T25")
  void a_cache_holds_no_more_bytes_than_it_may() {
    var one = InMemoryResponseCache.holding(1, 100_000);
    one.put(key("a"), entry("A"));
    long size = one.bytes();
    var two = InMemoryResponseCache.holding(100, 2 * size + 1);
    for (var name : List.of("a", "b", "c", "d")) two.put(key(name), entry("A"));
    assertThat(two.size()).isEqualTo(2);
    assertThat(two.bytes()).isEqualTo(2 * size);
    two.put(key("d"), entry("x".repeat((int) (3 * size))));
    assertThat(two.get(key("d"))).isEmpty();
    assertThat(two.size()).isEqualTo(1);
    assertThat(two.bytes()).isEqualTo(size);
  }

  @Test
  void replies_can_be_cached_in_a_store() throws Exception {
    try (var store = InMemoryStore.open()) {
      var kept = StoredResponseCache.in(store, Namespace.of("replies"));
      var model = Stage.saying("Hello");
      agent(model, Caching.in(kept).ttl(Duration.ofHours(1)).space("x/y")).build().run("Hi");
      var later = StoredResponseCache.in(store, Namespace.of("replies"));
      var agent = agent(model, Caching.in(later).space("x/y")).build();
      assertThat(agent.run("Hi").answer()).isEqualTo("Hello");
      assertThat(model.calls()).isEqualTo(1);
    }
  }

  private static ResponseCache.Key key(String name) {
    return new ResponseCache.Key("", "openai://a", "one", name);
  }

  private static ResponseCache.Entry entry(String text) {
    return new ResponseCache.Entry(used(text), Stage.START, Optional.of(Duration.ofHours(1)));
  }

  @Test
  void useless_settings_are_refused() {
    assertThatThrownBy(() -> InMemoryResponseCache.holding(0, 1)).hasMessageStartingWith("entries");
    assertThatThrownBy(() -> InMemoryResponseCache.holding(1, 0)).hasMessageStartingWith("bytes");
    assertThatThrownBy(() -> Caching.in(cache).ttl(Duration.ZERO)).hasMessageStartingWith("ttl");
    assertThatThrownBy(() -> Caching.in(cache).space("")).hasMessageStartingWith("space");
  }

  @Test
  @Tag("T24")
  void tenants_of_one_agent_share_no_replies_and_a_run_without_one_shares_none() throws Exception {
    var model = ScriptedModel.replying(used("a"), used("b"), used("c"), used("d"));
    var caching = Caching.in(cache).spaceBy(context -> context.node().metadata().get("tenant"));
    var agent = agent(model, caching).build();
    var ann = stage.options().metadata("tenant", "ann");
    var bob = stage.options().metadata("tenant", "bob");
    assertThat(agent.run("Hi", ann).answer()).isEqualTo("a");
    assertThat(agent.run("Hi", bob).answer()).isEqualTo("b");
    assertThat(agent.run("Hi", ann).answer()).isEqualTo("a");
    assertThat(agent.run("Hi", bob).answer()).isEqualTo("b");
    assertThat(agent.run("Hi", stage.options()).answer()).isEqualTo("c");
    assertThat(agent.run("Hi", stage.options()).answer()).isEqualTo("d");
  }

  /// A model that may say what tells it from others of its name.
  private record Placed(Optional<ModelIdentity> identity, ChatModel model) implements ChatModel {
    @Override
    public ModelRef ref() {
      return new ModelRef("scripted", "same");
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      return model.call(request);
    }
  }

  private static Placed placed(String where, String... says) {
    return new Placed(Optional.of(ModelIdentity.of(where)), ScriptedModel.saying(says));
  }

  @Test
  void models_of_one_name_on_two_servers_share_no_replies() throws Exception {
    var caching = Caching.in(cache);
    assertThat(agent(placed("here", "I am here"), caching).build().run("Hi").answer())
        .isEqualTo("I am here");
    assertThat(agent(placed("there", "I am there"), caching).build().run("Hi").answer())
        .isEqualTo("I am there");
    assertThat(agent(placed("here"), caching).build().run("Hi").answer()).isEqualTo("I am here");
    // A space of its own makes no difference to that.
    var shared = caching.space("all");
    assertThat(agent(placed("here", "a"), shared).build().run("Hi").answer()).isEqualTo("a");
    assertThat(agent(placed("there", "b"), shared).build().run("Hi").answer()).isEqualTo("b");
  }

  @Test
  void a_model_without_an_identity_is_cached_in_a_named_space_only() throws Exception {
    var unknown = new Placed(Optional.empty(), ScriptedModel.saying("a", "b", "c", "never"));
    var agent = agent(unknown, Caching.in(cache)).build();
    assertThat(agent.run("Hi").answer()).isEqualTo("a");
    assertThat(agent.run("Hi").answer()).isEqualTo("b");
    assertThat(cache.size()).isZero();
    var spaced = agent(unknown, Caching.in(cache).space("mine")).build();
    assertThat(spaced.run("Hi").answer()).isEqualTo("c");
    assertThat(spaced.run("Hi").answer()).isEqualTo("c");
  }

  @Test
  void a_reply_of_another_server_with_the_same_model_name_is_not_used() throws Exception {
    var first = new Placed(placed("here").identity(), failing());
    var other = placed("there", "I am there", "still there");
    var agent = agent(first, Caching.in(cache), Fallback.to(other), Retrying.times(1)).build();
    assertThat(agent.run("Hi").answer()).isEqualTo("I am there");
    assertThat(cache.size()).isZero();
  }

  private static ChatModel failing() {
    return ScriptedModel.by(_ -> {
      throw new ModelException(Kind.TIMEOUT, "It took too long.");
    });
  }
}
