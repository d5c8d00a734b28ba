package dev.superstep.language.check;

import dev.superstep.language.blueprint.ChannelBlueprint;
import dev.superstep.language.blueprint.ConventionalChannel;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.RagCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Checks the reducers of channels with their arguments, and that fields and channels of one name
/// have one type.
final class ChannelCheck {
  /// The forms of the arguments of the standard reducers.
  private enum Arguments {
    NONE("no argument"),
    NUMBER("a whole number of at least 1"),
    TEXT("one string"),
    TEXTS("strings, at least one"),
    NUMBER_AND_TEXT("a whole number of at least 1 and a string");

    private final String words;

    Arguments(String words) {
      this.words = words;
    }
  }

  private static final Map<String, Arguments> STANDARD = new LinkedHashMap<>();
  private static final Map<String, Arguments> CUTS =
      Map.of(
          "keep_last", Arguments.NUMBER,
          "keep_within", Arguments.NUMBER_AND_TEXT,
          "keep_top", Arguments.NUMBER_AND_TEXT,
          "dedup_by", Arguments.TEXT,
          "snapshot_every", Arguments.NUMBER);
  private static final Set<String> LISTS = Set.of("append", "by_id");
  private static final Set<String> UNTYPED = Set.of("messages", "named_barrier");

  static {
    for (var name :
        List.of("overwrite", "any", "ephemeral", "untracked", "topic", "append", "merge", "union"))
      STANDARD.put(name, Arguments.NONE);
    for (var name : List.of("sum", "min", "max", "messages", "token")) {
      STANDARD.put(name, Arguments.NONE);
    }
    STANDARD.put("by_id", Arguments.TEXT);
    STANDARD.put("barrier", Arguments.NUMBER);
    STANDARD.put("named_barrier", Arguments.TEXTS);
    for (var name : List.of("aggregate", "folding", "delta")) STANDARD.put(name, Arguments.TEXT);
  }

  private final Checked graph;

  ChannelCheck(Checked graph) {
    this.graph = graph;
  }

  static boolean isStandard(String reducer) {
    return STANDARD.containsKey(reducer);
  }

  /// The words that limit what a channel holds.
  static Set<String> cuts() {
    return CUTS.keySet();
  }

  static Set<String> standard() {
    return STANDARD.keySet();
  }

  /// The registered reducer that a channel refers to, if it refers to one: by its own word, or as
  /// the argument of a standard reducer.
  static Optional<String> registered(ChannelBlueprint channel) {
    if (!isStandard(channel.reducer())) return Optional.of(channel.reducer());
    return switch (channel.reducer()) {
      case "aggregate", "folding", "delta" ->
          channel.arguments().size() == 1
                  && channel.arguments().getFirst() instanceof Literal.Text(var name)
              ? Optional.of(name)
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  void check() {
    for (var channel : graph.blueprint.channels()) {
      var path = "channel/" + channel.name();
      var form = STANDARD.get(channel.reducer());
      if (form != null) arguments(path, channel.reducer(), form, channel.arguments());
      type(path, channel);
      cuts(path, channel);
      ConventionalChannel.of(channel.name()).ifPresent(each -> convention(path, each, channel));
    }
    fields("graph/input/", graph.blueprint.input());
    fields("graph/output/", graph.blueprint.output());
  }

  /// Tells that nodes write nothing to a channel of a conventional name, or cannot.
  private void convention(String path, ConventionalChannel known, ChannelBlueprint channel) {
    var name = Checked.show(channel.name());
    if (known == ConventionalChannel.CANDIDATES) {
      if (isNamed(channel.name())) return;
      graph.report(
          RagCode.CONVENTIONAL_CHANNEL,
          path,
          "no node writes " + name + ": a model gives one reply",
          "write it by `into candidates`, `update`, or a function with `writes [candidates]`");
    } else if (!known.hasReducer(channel)) {
      graph.report(
          RagCode.CONVENTIONAL_CHANNEL,
          graph.places().has(path + "/reducer") ? path + "/reducer" : path,
          "channel "
              + name
              + " is `"
              + channel.reducer()
              + "`, so nodes do not use it by themselves",
          "declare it as `" + known.reducers().getFirst() + "`, or choose another name");
    } else if (!known.hasType(graph.blueprint, channel)) {
      graph.report(
          RagCode.CONVENTIONAL_CHANNEL,
          graph.places().has(path + "/of") ? path + "/of" : path,
          "the type of channel " + name + " is not what nodes write to it, so they do not",
          "leave it out or make it `json`, or choose another name");
    }
  }

  /// Returns whether a node says that it writes a channel.
  private boolean isNamed(String channel) {
    return graph.blueprint.nodes().stream()
        .anyMatch(node ->
            node.into().filter(channel::equals).isPresent()
                || node.items().texts(Item.WRITES).contains(channel)
                || node.command().filter(c -> c.update().containsKey(channel)).isPresent());
  }

  private void arguments(String path, String word, Arguments form, List<Literal> arguments) {
    if (fits(form, arguments)) return;
    var at = graph.places().has(path + "/argument/0") ? path + "/argument/0" : path + "/reducer";
    graph.report(
        RagCode.REDUCER_ARGUMENTS, at, "`" + word + "` takes " + form.words, example(word));
  }

  private static String example(String word) {
    return switch (word) {
      case "barrier" -> "as in `barrier 3`";
      case "named_barrier" -> "as in `named_barrier \"a\" \"b\"`";
      case "by_id" -> "name the field that holds the id, as in `by_id \"id\"`";
      case "aggregate", "folding", "delta" ->
          "name a registered reducer, as in `" + word + " \"r\"`";
      default -> "";
    };
  }

  private static boolean fits(Arguments form, List<Literal> arguments) {
    return switch (form) {
      case NONE -> arguments.isEmpty();
      case NUMBER -> arguments.size() == 1 && isPositive(arguments.getFirst());
      case TEXT -> arguments.size() == 1 && arguments.getFirst() instanceof Literal.Text;
      case TEXTS ->
          !arguments.isEmpty() && arguments.stream().allMatch(a -> a instanceof Literal.Text);
      case NUMBER_AND_TEXT ->
          arguments.size() == 2
              && isPositive(arguments.getFirst())
              && arguments.getLast() instanceof Literal.Text;
    };
  }

  private static boolean isPositive(Literal literal) {
    return literal instanceof Literal.Decimal(var number)
        && number.stripTrailingZeros().scale() <= 0
        && number.signum() > 0
        && number.compareTo(java.math.BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0;
  }

  private void type(String path, ChannelBlueprint channel) {
    if (channel.type().isEmpty()) return;
    boolean isSum = channel.reducer().equals("sum");
    if (isSum && channel.type().get().equals(TypeName.INT)) return;
    if (!isSum && !UNTYPED.contains(channel.reducer())) return;
    graph.report(
        RagCode.REDUCER_ARGUMENTS,
        path + "/of",
        "`" + channel.reducer() + "` has a type of its own",
        "leave out `of`");
  }

  private void cuts(String path, ChannelBlueprint channel) {
    for (int i = 0; i < channel.cuts().size(); i++) {
      var cut = channel.cuts().get(i);
      var at = path + "/cut/" + i;
      var form = CUTS.getOrDefault(cut.word(), Arguments.NONE);
      boolean isDelta = cut.word().equals("snapshot_every");
      boolean fits =
          isDelta ? channel.reducer().equals("delta") : LISTS.contains(channel.reducer());
      if (!fits) {
        graph.report(
            RagCode.REDUCER_ARGUMENTS,
            at,
            "`" + cut.word() + "` goes with " + (isDelta ? "`delta`" : "`append` and `by_id`"),
            "the channel is `" + channel.reducer() + "`");
      } else if (!fits(form, cut.arguments())) {
        graph.report(RagCode.REDUCER_ARGUMENTS, at, "`" + cut.word() + "` takes " + form.words, "");
      }
    }
  }

  private void fields(String path, List<Value.Field> fields) {
    for (var field : fields) {
      var channel = graph.channels().get(field.name());
      if (channel == null) continue;
      var type = valueType(channel);
      if (type.isEmpty() || type.get().equals(field.type())) continue;
      graph.add(
          graph
              .at(
                  RagCode.WRONG_TYPE,
                  path + field.name() + "/type",
                  "field "
                      + Checked.show(field.name())
                      + " is `"
                      + field.type()
                      + "`, its channel `"
                      + type.get()
                      + "`")
              .also(graph.places().find("channel/" + channel.name()), "the channel")
              .help("give both one type"));
    }
  }

  /// The type of the value of a channel, as far as its declaration says.
  private static Optional<TypeName> valueType(ChannelBlueprint channel) {
    return switch (channel.reducer()) {
      case "overwrite", "any", "ephemeral", "untracked", "min", "max", "token" -> channel.type();
      case "append", "topic", "union", "by_id", "barrier" -> channel.type().map(TypeName::listOf);
      case "sum" -> Optional.of(TypeName.INT);
      default -> Optional.empty();
    };
  }
}
