package dev.superstep.rag.internal.node;

import dev.superstep.graph.NodePolicy;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.Retries;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Item;
import dev.superstep.node.CachePolicy;
import dev.superstep.node.Failure;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Rate;
import dev.superstep.node.Retry;
import dev.superstep.node.Target;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.internal.run.Scene;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Makes the policies of nodes from their items.
public final class NodePolicies {
  private final Scene scene;
  private final boolean isCached;

  public NodePolicies(Scene scene) {
    this.scene = scene;
    this.isCached =
        !scene.blueprint().defaults().text(Item.RUN_CACHE).orElse("enabled").equals("disabled");
  }

  /// The policy of a node or of all nodes of a graph.
  public NodePolicy of(Items items) {
    var policy = NodePolicy.defaults();
    var retries = new NodeBlueprint("node", items).retry();
    if (retries.isPresent()) policy = policy.retry(retry(retries.get()));
    var timeout = items.duration(Item.TIMEOUT);
    if (timeout.isPresent()) policy = policy.timeout(timeout.get());
    var idle = items.duration(Item.IDLE_TIMEOUT);
    if (idle.isPresent()) policy = policy.idleTimeout(idle.get());
    var concurrency = items.count(Item.CONCURRENCY);
    if (concurrency.isPresent()) policy = policy.concurrency(concurrency.getAsInt());
    var priority = items.count(Item.PRIORITY);
    if (priority.isPresent()) policy = policy.priority(priority.getAsInt());
    var visits = items.count(Item.VISITS);
    if (visits.isPresent()) policy = policy.visits(visits.getAsInt());
    var rate = items.find(Item.RATE, Value.Rate.class);
    if (rate.isPresent()) policy = policy.rate(Rate.of(rate.get().times(), rate.get().per()));
    var failure = items.find(Item.ON_FAILURE, Value.OnFailure.class);
    if (failure.isPresent()) policy = policy.onFailure(onFailure(failure.get()));
    var cache = cache(items.fields(Item.CACHE));
    return cache.isPresent() && isCached ? policy.cache(cache.get()) : policy;
  }

  private static Retry retry(Retries retries) {
    var retry =
        Retry.of(retries.attempts()).backoff(retries.initial(), retries.factor(), retries.max());
    return retries.isJittered() ? retry : retry.withoutJitter();
  }

  private OnFailure onFailure(Value.OnFailure handling) {
    OnFailure then =
        switch (handling.then()) {
          case "skip" ->
              scene.meter().handled().<OnFailure>map(OnFailure::fallback).orElse(OnFailure.skip());
          case "fallback" -> {
            var update = scene.update(handling.update());
            yield OnFailure.fallback(scene.meter().handled().map(update::and).orElse(update));
          }
          case "route" -> OnFailure.route(handler(handling.to().orElseThrow()));
          default -> OnFailure.abort();
        };
    return then instanceof OnFailure.Handled handled && handling.record().isPresent()
        ? handled.recordedIn(failures(handling.record().get()))
        : then;
  }

  public static Target<Failure> handler(String node) {
    return Target.of(node, Failure.class);
  }

  @SuppressWarnings("unchecked") // such a channel has the type of failures
  private Channel<?, Failure> failures(String name) {
    var channel = scene.channel(name);
    if (!channel.writes().type().equals("Failure")) {
      throw new IllegalArgumentException(
          "channel `%s` records failures, so declare it `of failure`".formatted(name));
    }
    return (Channel<?, Failure>) (Channel<?, ?>) channel;
  }

  private Optional<CachePolicy> cache(Map<String, Literal> fields) {
    if (fields.isEmpty()) return Optional.empty();
    var policy = key(fields);
    if (fields.get("ttl") instanceof Literal.Time(var ttl)) policy = policy.ttl(ttl);
    if (fields.get("version") instanceof Literal.Text(var version)) {
      policy = policy.version(version);
    }
    return Optional.of(policy);
  }

  private CachePolicy key(Map<String, Literal> fields) {
    if (fields.get("key") instanceof Literal.Text(var name)) {
      var mapping = scene.component(RagKind.MAPPING, name);
      return CachePolicy.by(mapping::of);
    }
    var channels =
        fields.get("by") instanceof Literal.Many(var names)
            ? names.stream().map(NodePolicies::name).toList()
            : List.<String>of();
    if (channels.isEmpty()) return CachePolicy.byArgument();
    Function<State, ?> key =
        state -> String.join("\n", channels.stream().map(each -> key(state, each)).toList());
    return CachePolicy.by(key);
  }

  private static String name(Literal literal) {
    return switch (literal) {
      case Literal.Text(var text) -> text;
      case Literal.Word(var word) -> word;
      default -> throw new IllegalArgumentException("the name of a channel is missing");
    };
  }

  /// JSON holds no line break between its parts, so no two keys are alike by accident.
  private String key(State state, String name) {
    var channel = scene.channel(name);
    return state.find(channel).map(value -> channel.values().encode(value).text()).orElse("");
  }
}
