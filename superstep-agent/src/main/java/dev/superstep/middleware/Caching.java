package dev.superstep.middleware;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.RequestDigest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Gives a model's earlier reply to the same request without asking it again. That is nothing that
/// a vendor does: a vendor's cache of prompts makes calls cheaper, this one spares them.
///
/// Two requests are the same if the same model would be sent the same: messages, tools, form and
/// parameters; timeouts, labels and ids do not count. Of several runs that ask the same at once,
/// one asks and the others wait for its reply; if it fails, each asks for itself. A reply is kept
/// if it is whole and from the model that was to be asked first, not from a [Fallback]. What is
/// taken from the cache has the source CACHED, costs nothing, is handed to listeners as if it were
/// made now, and is reported as `cache.hit`.
///
/// ```java
/// Caching.in(InMemoryResponseCache.holding(1_000, 10_000_000)).ttl(Duration.ofHours(1))
/// ```
///
/// The same model is one of the same name and the same [ChatModel#identity]: the same server, asked
/// by the same account in the same way. A model that has no identity is not cached, unless there is
/// a [#space] or a [#spaceBy] for it.
///
/// A model that is to vary its answers must not be cached. Safe for many threads; the methods
/// return copies.
public final class Caching implements Middleware {
  private static final System.Logger LOG = System.getLogger(Caching.class.getName());

  private final ResponseCache cache;
  private final Function<AgentContext, @Nullable String> space;
  private final @Nullable Duration life;
  private final ConcurrentHashMap<ResponseCache.Key, Flight> flights = new ConcurrentHashMap<>();
  private final AtomicBoolean warned = new AtomicBoolean();

  /// A request that is under way. What came of it is written before the latch opens.
  private static final class Flight {
    private final CountDownLatch landed = new CountDownLatch(1);
    private volatile @Nullable ChatReply reply;
  }

  private Caching(
      ResponseCache cache,
      Function<AgentContext, @Nullable String> space,
      @Nullable Duration life) {
    this.cache = cache;
    this.space = space;
    this.life = life;
  }

  /// Looks there, and keeps replies there.
  public static Caching in(ResponseCache cache) {
    return new Caching(cache, _ -> "", null);
  }

  /// Sets the time for which a reply may be used; for ever unless set.
  public Caching ttl(Duration longest) {
    return new Caching(cache, space, SettingChecks.positive("ttl", longest));
  }

  /// Shares replies only with those that name the same space.
  public Caching space(String name) {
    var same = SettingChecks.notBlank("space", name);
    return new Caching(cache, _ -> same, life);
  }

  /// Shares replies only between runs of the same space, for an agent that serves several tenants:
  /// each has what it may see or a key of its own, and no reply of one is given to another.
  ///
  /// ```java
  /// Caching.in(cache).spaceBy(context -> context.node().metadata().get("tenant"))
  /// ```
  ///
  /// @param name of the run's space; if it is null or blank, the run has no part in the cache
  public Caching spaceBy(Function<AgentContext, @Nullable String> name) {
    return new Caching(cache, context -> orNull(name.apply(context)), life);
  }

  private static @Nullable String orNull(@Nullable String name) {
    return name == null || name.isBlank() ? null : name;
  }

  @Override
  public Touches touches() {
    return Touches.METADATA;
  }

  @Override
  public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    var in = space.apply(context);
    if (in == null) return next.call(request);
    var model = context.model().ref().url();
    var identity = identity(context.model());
    if (identity.isEmpty() && in.isEmpty()) {
      warnUnknown(model);
      return next.call(request);
    }
    var key = new ResponseCache.Key(in, model, identity, RequestDigest.whole(request));
    while (true) {
      var known = find(key, context);
      if (known.isPresent()) return hit(known.get(), model, context);
      var own = new Flight();
      var other = flights.putIfAbsent(key, own);
      if (other == null) return lead(own, key, request, context, next);
      other.landed.await();
      var reply = other.reply;
      if (reply != null) return hit(reply, model, context);
      // It failed, or its reply is not for others. Whoever is first now asks.
    }
  }

  private static String identity(ChatModel model) {
    return model.identity().map(ModelIdentity::digest).orElse("");
  }

  private void warnUnknown(String model) {
    if (!warned.compareAndSet(false, true)) return;
    LOG.log(
        System.Logger.Level.WARNING,
        "Replies of `{0}` are not cached: the model does not say what tells it from others of its"
            + " name. Give the cache a space for it, or the model an identity.",
        model);
  }

  /// Asks, while others wait.
  private ChatReply lead(
      Flight own, ResponseCache.Key key, ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    try {
      // Another flight may have landed since the last look.
      var known = find(key, context);
      if (known.isPresent()) return hit(known.get(), key.model(), context);
      context.emit(new AgentEvent.CacheMiss(context.agent(), key.model()));
      var reply = next.call(request);
      var asked = context.model();
      boolean isOfFirst =
          asked.ref().url().equals(key.model()) && identity(asked).equals(key.identity());
      if (isOfFirst && isWhole(reply)) {
        own.reply = reply;
        put(key, reply, context);
      }
      return reply;
    } finally {
      flights.remove(key, own);
      own.landed.countDown();
    }
  }

  private static boolean isWhole(ChatReply reply) {
    return switch (reply.finish()) {
      case STOP, TOOL_CALLS -> !reply.message().isEmpty();
      case LENGTH, FILTERED, PAUSED -> false;
    };
  }

  private static ChatReply hit(ChatReply known, String model, AgentContext context) {
    context.emit(new AgentEvent.CacheHit(context.agent(), model));
    var reply = known.withSource(ChatReply.Source.CACHED);
    context.publishReply(reply);
    return reply;
  }

  private Optional<ChatReply> find(ResponseCache.Key key, AgentContext context) {
    try {
      var now = context.node().clock().instant();
      return cache.get(key).filter(e -> e.isFresh(now)).map(ResponseCache.Entry::reply);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "The response cache could not be read.", e);
      return Optional.empty();
    }
  }

  private void put(ResponseCache.Key key, ChatReply reply, AgentContext context) {
    try {
      var now = context.node().clock().instant();
      cache.put(key, new ResponseCache.Entry(reply, now, Optional.ofNullable(life)));
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "The response cache could not be written.", e);
    }
  }

  @Override
  public String toString() {
    return "Caching[" + cache + ", " + life + "]";
  }
}
