package dev.superstep.rag.internal.binding;

import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.ChannelBlueprint;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Item;
import dev.superstep.message.Messages;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.component.TypedReducer;
import dev.superstep.rag.internal.run.RunErrors;
import dev.superstep.rag.internal.value.BoundTypes;
import dev.superstep.rag.internal.value.BoundTypes.BoundType;
import dev.superstep.rag.internal.value.JsonFields;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.state.Channel;
import dev.superstep.state.Reducer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Makes the channels of graphs. Channels of several graphs that are declared alike are the very
/// same, so that graphs can share them. One thread at a time.
public final class ChannelBinding {
  private static final List<String> LISTS = List.of("append", "by_id", "topic", "union", "barrier");

  private final Registry registry;
  private final BoundTypes types;
  private final Map<String, Channel<?, ?>> constants = new HashMap<>();
  private final Map<ChannelBlueprint, Channel<?, ?>> made = new HashMap<>();

  public ChannelBinding(Registry registry, BoundTypes types) {
    this.registry = registry;
    this.types = types;
    for (var component : registry.list(RagKind.CHANNEL)) {
      var channel = registry.get(RagKind.CHANNEL, component.id().local());
      constants.put(channel.name(), channel);
    }
  }

  /// The channels of a graph by name, in the order of declaration; those of fields of the input
  /// that no line declares come last.
  public Map<String, Channel<?, ?>> of(Blueprint blueprint, BindingProblems problems) {
    var all = new LinkedHashMap<String, Channel<?, ?>>();
    for (var declared : blueprint.channels()) {
      bind(typed(declared, blueprint), problems).ifPresent(c -> all.put(declared.name(), c));
    }
    for (var field : blueprint.input()) {
      if (all.containsKey(field.name())) continue;
      var implied =
          new ChannelBlueprint(
              field.name(), "overwrite", List.of(), Optional.of(field.type()), List.of());
      bind(implied, problems).ifPresent(c -> all.put(field.name(), c));
    }
    return all;
  }

  /// A channel with the type of the field of its name, if it says no other.
  private static ChannelBlueprint typed(ChannelBlueprint channel, Blueprint graph) {
    if (channel.type().isPresent()) return channel;
    if (isRecord(channel.name(), graph)) return with(channel, TypeName.of(BoundTypes.FAILURE));
    var fields = new ArrayList<>(graph.input());
    fields.addAll(graph.output());
    return fields.stream()
        .filter(field -> field.name().equals(channel.name()))
        .findFirst()
        .map(Value.Field::type)
        .flatMap(type -> LISTS.contains(channel.reducer()) ? type.element() : Optional.of(type))
        .filter(type -> !channel.reducer().equals("sum") && !channel.reducer().equals("messages"))
        .map(type -> with(channel, type))
        .orElse(channel);
  }

  /// Returns whether failures are recorded in a channel.
  private static boolean isRecord(String channel, Blueprint graph) {
    var handling = new ArrayList<Optional<Value.OnFailure>>();
    handling.add(graph.nodeDefaults().find(Item.ON_FAILURE, Value.OnFailure.class));
    graph.nodes().forEach(node -> handling.add(node.onFailure()));
    return handling.stream()
        .flatMap(each -> each.flatMap(Value.OnFailure::record).stream())
        .anyMatch(channel::equals);
  }

  private static ChannelBlueprint with(ChannelBlueprint channel, TypeName type) {
    return new ChannelBlueprint(
        channel.name(), channel.reducer(), channel.arguments(), Optional.of(type), channel.cuts());
  }

  private Optional<Channel<?, ?>> bind(ChannelBlueprint channel, BindingProblems problems) {
    var known = made.get(channel);
    if (known != null) return Optional.of(known);
    var path = "channel/" + channel.name();
    try {
      var bound = cut(create(channel), channel);
      var constant = constants.get(channel.name());
      if (constant != null) {
        if (!fits(constant, bound, channel)) {
          problems.unfit(
              path,
              "channel `%s` is registered as `%s`, and declared as `%s`"
                  .formatted(channel.name(), constant, bound),
              "declare it as it is registered");
          return Optional.empty();
        }
        bound = constant;
      }
      made.put(channel, bound);
      return Optional.of(bound);
    } catch (RuntimeException e) {
      problems.unfit(path, "the channel cannot be made: " + RunErrors.why(e), "");
      return Optional.empty();
    }
  }

  private static boolean fits(
      Channel<?, ?> constant, Channel<?, ?> bound, ChannelBlueprint declared) {
    if (!constant.kind().equals(bound.kind())) return false;
    return declared.type().isEmpty() || constant.toString().equals(bound.toString());
  }

  private Channel<?, ?> create(ChannelBlueprint channel) {
    var name = channel.name();
    var type = types.bound(channel.type().orElse(TypeName.JSON));
    return switch (channel.reducer()) {
      case "overwrite" -> Channel.latest(name, type.codec());
      case "any" -> Channel.any(name, type.codec());
      case "ephemeral" -> Channel.ephemeral(name, type.codec());
      case "untracked" ->
          Channel.untracked(name, channel.type().isEmpty() ? Object.class : type(type));
      case "topic" -> Channel.topic(name, type(type));
      case "append" -> Channel.append(name, type.codec());
      case "by_id" -> {
        var field = text(channel, 0);
        yield Channel.byId(name, type(type), v -> JsonFields.text(type.codec(), v, field));
      }
      case "merge" -> Channel.merge(name, type(type));
      case "union" -> Channel.union(name, type(type));
      case "sum" -> Channel.sum(name);
      case "min" -> least(name, type);
      case "max" -> most(name, type);
      case "messages" -> Messages.channel(name);
      case "token" -> Channel.token(name, type.codec());
      case "barrier" -> Channel.gather(name, type(type), number(channel, 0));
      case "named_barrier" -> Channel.barrier(name, Set.copyOf(texts(channel)));
      case "aggregate", "folding", "delta" -> reduced(channel, text(channel, 0), type);
      default -> reduced(channel, channel.reducer(), type);
    };
  }

  @SuppressWarnings("unchecked") // the codecs are those of the reducer, or the declared type
  private Channel<?, ?> reduced(ChannelBlueprint channel, String reducer, BoundType type) {
    var found = (Reducer<Object, Object>) registry.get(Kind.REDUCER, reducer);
    if (!(found instanceof TypedReducer<?, ?> own)) {
      return Channel.reducedBy(channel.name(), found, type.codec(), type.codec());
    }
    var typed = (TypedReducer<Object, Object>) own;
    var name = channel.name();
    if (channel.reducer().equals("delta")) {
      return Channel.delta(name, typed.values(), typed.writes(), typed.initial(), typed.fold());
    }
    return Channel.folding(name, typed.values(), typed.writes(), typed.initial(), typed.fold());
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a type that is not comparable is refused here
  private static Channel<?, ?> least(String name, BoundType type) {
    return Channel.min(name, (Class) comparable(type));
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a type that is not comparable is refused here
  private static Channel<?, ?> most(String name, BoundType type) {
    return Channel.max(name, (Class) comparable(type));
  }

  private static Class<Object> comparable(BoundType type) {
    var found = type(type);
    if (Comparable.class.isAssignableFrom(found)) return found;
    throw new IllegalArgumentException("values of type `" + type.name() + "` have no order");
  }

  private static Class<Object> type(BoundType type) {
    return type.of()
        .orElseThrow(() -> new IllegalArgumentException("the type must be no list here"));
  }

  @SuppressWarnings("unchecked") // a list channel, whose writes are of the declared type
  private Channel<?, ?> cut(Channel<?, ?> made, ChannelBlueprint declared) {
    var channel = (Channel<Object, Object>) made;
    for (var cut : declared.cuts()) {
      int many = cut.word().equals("dedup_by") ? 0 : number(cut.arguments(), 0);
      var field = cut.arguments().getLast() instanceof Literal.Text(var text) ? text : "";
      var codec = channel.writes();
      channel =
          switch (cut.word()) {
            case "keep_last" -> channel.keepLast(many);
            case "keep_within" ->
                channel.keepWithin(many, v -> JsonFields.number(codec, v, field).longValue());
            case "keep_top" ->
                channel.keepTop(
                    many, Comparator.comparing(v -> JsonFields.number(codec, v, field)));
            case "dedup_by" -> channel.dedupBy(v -> JsonFields.text(codec, v, field));
            default -> channel.snapshotEvery(many);
          };
    }
    return channel;
  }

  private static int number(ChannelBlueprint channel, int index) {
    return number(channel.arguments(), index);
  }

  private static int number(List<Literal> arguments, int index) {
    if (arguments.get(index) instanceof Literal.Decimal(var number)) return number.intValueExact();
    throw new IllegalArgumentException("a number is missing");
  }

  private static String text(ChannelBlueprint channel, int index) {
    return texts(channel).get(index);
  }

  private static List<String> texts(ChannelBlueprint channel) {
    var texts = new ArrayList<String>();
    for (var argument : channel.arguments()) {
      if (argument instanceof Literal.Text(var text)) texts.add(text);
    }
    return texts;
  }
}
