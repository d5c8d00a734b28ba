package dev.superstep.rag.internal.print;

import dev.superstep.graph.GraphParts.PolicyPart;
import dev.superstep.json.Json;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Item;
import dev.superstep.node.CachePolicy;
import dev.superstep.node.Failure;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import dev.superstep.state.Write;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Makes items of policies that were made in Java.
///
/// @param missing told of what has no name
public record PolicyPrinting(Consumer<String> missing) {
  public Items of(PolicyPart policy) {
    var items = Items.none();
    if (policy.retry().isPresent()) {
      items = items.with(Item.RETRY, new Value.Fields(retry(policy.retry().get())));
    }
    if (policy.timeout().isPresent()) {
      items = items.with(Item.TIMEOUT, new Value.Time(policy.timeout().get()));
    }
    if (policy.idleTimeout().isPresent()) {
      items = items.with(Item.IDLE_TIMEOUT, new Value.Time(policy.idleTimeout().get()));
    }
    if (policy.onFailure().isPresent()) {
      items = items.with(Item.ON_FAILURE, onFailure(policy.onFailure().get()));
    }
    if (policy.concurrency().isPresent()) {
      items = items.with(Item.CONCURRENCY, new Value.Count(policy.concurrency().getAsInt()));
    }
    if (policy.priority().isPresent()) {
      items = items.with(Item.PRIORITY, new Value.Count(policy.priority().getAsInt()));
    }
    if (policy.rate().isPresent()) {
      var rate = policy.rate().get();
      items = items.with(Item.RATE, new Value.Rate(rate.times(), rate.window()));
    }
    if (policy.visits().isPresent()) {
      items = items.with(Item.VISITS, new Value.Count(policy.visits().getAsInt()));
    }
    return policy.cache().isPresent() ? cache(items, policy.cache().get()) : items;
  }

  @SuppressWarnings("ReferenceEquality") // the rule that holds unless another is set
  private Map<String, Literal> retry(Retry retry) {
    var fields = new LinkedHashMap<String, Literal>();
    fields.put("max_attempts", Literal.of(retry.attempts()));
    boolean isFixed = retry.factor() == 1;
    fields.put("backoff", new Literal.Word(isFixed ? "fixed" : "exponential"));
    fields.put("initial", new Literal.Time(retry.base()));
    if (!isFixed) {
      var factor = BigDecimal.valueOf(retry.factor()).stripTrailingZeros();
      fields.put("factor", new Literal.Decimal(factor));
    }
    fields.put("max", new Literal.Time(retry.cap()));
    if (!retry.isJittered()) fields.put("jitter", new Literal.Word("none"));
    // A text has the standard rule; it captures nothing, so all retries share one object for it.
    boolean isStandard = retry.when() == Retry.of(1).when();
    if (!isStandard) missing.accept("what is retried is decided by a function without a name");
    if (!retry.others().isEmpty()) {
      missing.accept(
          "retries by %d rules, and a text says only the first"
              .formatted(retry.others().size() + 1));
    }
    return fields;
  }

  private Items cache(Items items, CachePolicy cache) {
    if (cache.key() != null) {
      missing.accept("the key of the cache is made by a function without a name");
      return items;
    }
    var fields = new LinkedHashMap<String, Literal>();
    fields.put("by", new Literal.Many(java.util.List.of()));
    cache.ttl().ifPresent(ttl -> fields.put("ttl", new Literal.Time(ttl)));
    if (!cache.version().isEmpty()) fields.put("version", Literal.of(cache.version()));
    return items.with(Item.CACHE, new Value.Fields(fields));
  }

  private Value.OnFailure onFailure(OnFailure then) {
    return switch (then) {
      case OnFailure.Abort _ ->
          new Value.OnFailure("abort", Optional.empty(), Map.of(), Optional.empty());
      case OnFailure.Skip(var record) ->
          new Value.OnFailure("skip", Optional.empty(), Map.of(), name(record));
      case OnFailure.Route(var handler, var record) ->
          new Value.OnFailure("route", Optional.of(handler.name()), Map.of(), name(record));
      case OnFailure.Fallback(var update, var record) ->
          new Value.OnFailure("fallback", Optional.empty(), literals(update), name(record));
    };
  }

  private static Optional<String> name(Optional<Channel<?, Failure>> channel) {
    return channel.map(Channel::name);
  }

  private Map<String, Literal> literals(Update update) {
    var fields = new LinkedHashMap<String, Literal>();
    for (var write : update.writes()) {
      if (write instanceof Write.Put<?> put && !fields.containsKey(put.channel().name())) {
        literal(put).ifPresent(value -> fields.put(put.channel().name(), value));
      } else missing.accept("the fallback writes what no literal can say");
    }
    return fields;
  }

  private <W> Optional<Literal> literal(Write.Put<W> put) {
    Json json = put.channel().writes().encode(put.value());
    var text = json.text();
    if (text.startsWith("\"")) return Optional.of(Literal.of(json.as(String.class)));
    if (text.equals("true") || text.equals("false")) {
      return Optional.of(new Literal.Bool(Boolean.parseBoolean(text)));
    }
    try {
      return Optional.of(new Literal.Decimal(new BigDecimal(text)));
    } catch (IllegalArgumentException _) {
      missing.accept("the fallback writes what no literal can say");
      return Optional.empty();
    }
  }
}
