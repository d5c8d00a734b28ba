package dev.superstep.language.check;

import dev.superstep.language.CodePoints;
import dev.superstep.language.Suggestion;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Durations;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.Production;
import dev.superstep.language.rag.RagCode;
import dev.superstep.language.rag.Scope;
import dev.superstep.language.rag.SyntaxNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Makes the values of items from the tree, and notes where each is.
final class ItemLowering {
  private static final int DURATION_DIGITS = 20;

  private final Literals literals;
  private final Places places;

  ItemLowering(Literals literals, Places places) {
    this.literals = literals;
    this.places = places;
  }

  /// Makes the items of a block. An item that stands twice is reported; the first one counts.
  Items items(String path, Scope scope, List<SyntaxNode> nodes) {
    var values = new EnumMap<Item, Value>(Item.class);
    var first = new HashMap<Item, SyntaxNode>();
    for (var node : nodes) {
      if (node.item().isEmpty()) continue;
      var item = node.item().get();
      var before = first.putIfAbsent(item, node);
      if (before != null) {
        twice(item, before, node);
        continue;
      }
      var at = path + "/" + item.word();
      places.put(at + "/keyword", literals.span(node));
      var child = node.children().isEmpty() ? node : node.children().getFirst();
      places.put(at, literals.span(child));
      var value = value(at, item, child);
      if (value != null) values.put(item, value);
    }
    return Items.of(values);
  }

  private void twice(Item item, SyntaxNode before, SyntaxNode again) {
    literals.add(
        RagCode.DUPLICATE_ITEM
            .at(literals.keyword(again), "`" + item.word() + "` is there twice")
            .also(literals.keyword(before), "first here")
            .help("keep one"));
  }

  private @Nullable Value value(String at, Item item, SyntaxNode node) {
    if (node.production() == Production.SKIPPED) return null;
    return switch (item.shape()) {
      case FLAG -> new Value.Flag();
      case WORD -> word(item, node);
      case TEXT -> text(item, node);
      case TEXTS -> new Value.Texts(strings(at, node));
      case NAME -> new Value.Name(literals.name(node));
      case NAMES -> new Value.Names(names(at, node));
      case TARGETS ->
          node.production() == Production.BLOCK
              ? new Value.Block(Scope.START, items(at, Scope.START, node.children()))
              : new Value.Names(names(at, node));
      case COUNT -> count(item, node);
      case DURATION -> duration(item, node);
      case OBJECT -> object(at, item, node);
      case PROMPT -> prompt(node);
      case TYPE -> type(node).map(Value.Type::new).orElse(null);
      case FIELDS -> fields(at, node);
      case ROUTER -> router(at, node);
      case ROUTES -> routes(at, node);
      case SENDS -> sends(at, node);
      case FAN_OUT -> fanOut(at, node);
      case COMMAND -> command(at, node);
      case STEERING -> steering(at, node);
      case ON_FAILURE -> onFailure(at, node);
      case RATE -> rate(node);
      case SOURCES -> sources(at, node);
      case BLOCK -> {
        var scope = item == Item.DEFAULTS ? Scope.DEFAULTS : Scope.NODE_DEFAULTS;
        yield new Value.Block(scope, items(at, scope, node.children()));
      }
    };
  }

  private @Nullable Value word(Item item, SyntaxNode node) {
    var text = node.production() == Production.STRING ? literals.string(node) : literals.text(node);
    if (node.production() == Production.WORD && item.words().contains(text)) {
      return new Value.Word(item == Item.KIND && text.equals("graph") ? "subgraph" : text);
    }
    var shown = CodePoints.quote(text, 40);
    var code = item == Item.KIND ? RagCode.INVALID_NODE_KIND : RagCode.INVALID_VALUE;
    var help = Suggestion.didYouMean(text, item.words());
    if (item.words().contains(text)) help = "write `" + text + "` without quotes";
    else if (help.isEmpty()) help = "use one of " + Literals.quoted(item.words());
    var message =
        item == Item.KIND
            ? "there is no kind `" + shown + "`"
            : "`" + item.word() + "` cannot be `" + shown + "`";
    literals.report(code, node, message, help);
    return null;
  }

  private @Nullable Value text(Item item, SyntaxNode node) {
    if (node.production() == Production.STRING) {
      var text = literals.string(node);
      return Literals.isWritable(text) ? new Value.Text(text) : null;
    }
    literals.report(
        RagCode.WRONG_TYPE,
        node,
        "`" + item.word() + "` must be a string",
        "write `\"" + literals.text(node) + "\"`");
    return null;
  }

  private @Nullable Value count(Item item, SyntaxNode node) {
    if (node.production() == Production.NUMBER) {
      var number = new BigDecimal(literals.text(node));
      if (number.stripTrailingZeros().scale() <= 0
          && number.compareTo(BigDecimal.valueOf(item.least())) >= 0
          && number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0) {
        return new Value.Count(number.intValueExact());
      }
    }
    var least = item.least() == Integer.MIN_VALUE ? "" : " of at least " + item.least();
    literals.report(
        RagCode.WRONG_TYPE, node, "`" + item.word() + "` must be a whole number" + least, "");
    return null;
  }

  /// A bare number after `timeout` counts seconds; nowhere else is a unit left out.
  private @Nullable Value duration(Item item, SyntaxNode node) {
    if (node.production() == Production.NUMBER && item == Item.TIMEOUT) {
      var seconds = Durations.ofSeconds(new BigDecimal(literals.text(node)));
      if (seconds.filter(Duration::isPositive).isPresent()) return new Value.Time(seconds.get());
    }
    var literal = literals.literal(node);
    if (literal == null) return null;
    return literals.positive(item.word(), node, literal) instanceof Literal.Time(var time)
        ? new Value.Time(time)
        : null;
  }

  private Value object(String at, Item item, SyntaxNode node) {
    var entries = node.children(Production.ENTRY);
    for (var entry : entries) {
      var value = entry.children().getLast();
      var path = at + "/" + literals.name(entry.children().getFirst());
      places.put(path, literals.span(value));
      if (value.production() == Production.LIST) {
        for (int i = 0; i < value.children().size(); i++) {
          places.put(path + "/" + i, literals.span(value.children().get(i)));
        }
      }
    }
    return new Value.Fields(literals.object(item, node));
  }

  private @Nullable Value prompt(SyntaxNode node) {
    boolean isTemplate = node.production() == Production.PROMPT;
    var string = isTemplate ? node.children().getFirst() : node;
    if (string.production() != Production.STRING) return null;
    var text = literals.string(string);
    return Literals.isWritable(text) ? new Value.Prompt(text, isTemplate) : null;
  }

  Optional<TypeName> type(SyntaxNode node) {
    if (node.production() != Production.TYPE) return Optional.empty();
    if (!node.children().isEmpty()) {
      return type(node.children().getFirst()).flatMap(inner -> listOf(node, inner));
    }
    var name = literals.name(node);
    if (TypeName.isName(name) && !name.equals("list")) return Optional.of(TypeName.of(name));
    literals.report(
        RagCode.UNKNOWN_TYPE,
        node,
        "`" + CodePoints.quote(name, 40) + "` is no type",
        name.equals("list") ? "say of what, as in `list<text>`" : "");
    return Optional.empty();
  }

  private Optional<TypeName> listOf(SyntaxNode node, TypeName inner) {
    try {
      return Optional.of(TypeName.listOf(inner));
    } catch (IllegalArgumentException _) {
      literals.report(RagCode.TOO_DEEP, node, "lists are nested too deep", "register a type");
      return Optional.empty();
    }
  }

  private Value fields(String at, SyntaxNode node) {
    var fields = new LinkedHashMap<String, Value.Field>();
    for (var each : node.children(Production.FIELD)) {
      var name = literals.name(each.children().getFirst());
      var type = type(each.children().getLast());
      if (type.isEmpty() || !Literals.isWritable(name)) continue;
      places.put(at + "/" + name, literals.span(each.children().getFirst()));
      places.put(at + "/" + name + "/type", literals.span(each.children().getLast()));
      boolean isOptional = literals.endsWith(each, '?');
      var before = fields.putIfAbsent(name, new Value.Field(name, type.get(), isOptional));
      if (before == null) continue;
      literals.report(
          RagCode.DUPLICATE_FIELD, each.children().getFirst(), "there are two `" + name + "`", "");
    }
    return new Value.TypedFields(List.copyOf(fields.values()));
  }

  private List<String> strings(String at, SyntaxNode node) {
    return list(at, node, Production.STRING, literals::string);
  }

  List<String> names(String at, SyntaxNode node) {
    var production = node.production() == Production.TARGETS ? Production.TARGET : Production.NAME;
    return list(at, node, production, literals::name);
  }

  private interface Reading {
    String of(SyntaxNode node);
  }

  /// Reads the elements of a list, of which each may be there once.
  private List<String> list(String at, SyntaxNode node, Production each, Reading reading) {
    var all = new ArrayList<String>();
    var seen = new HashSet<String>();
    for (var child : node.children(each)) {
      var text = reading.of(child);
      if (!Literals.isWritable(text)) continue;
      if (seen.add(text)) {
        places.put(at + "/" + all.size(), literals.span(child));
        all.add(text);
      } else {
        var shown = CodePoints.quote(text, 40);
        literals.report(RagCode.DUPLICATE_NAME, child, "`" + shown + "` is there twice", "");
      }
    }
    return all;
  }

  private @Nullable Value router(String at, SyntaxNode node) {
    var name = literals.string(node.children().getFirst());
    places.put(at, literals.span(node.children().getFirst()));
    if (!Literals.isWritable(name)) return null;
    return new Value.Router(name, literals.begins(node, "many"));
  }

  private Value routes(String at, SyntaxNode node) {
    var routes = new ArrayList<Value.Route>();
    var first = new HashMap<String, SyntaxNode>();
    for (var each : node.children(Production.ROUTE)) {
      var left = each.children().getFirst();
      boolean isBare = each.children().size() == 1;
      var right = each.children().getLast();
      if (right.production() == Production.SKIPPED) continue;
      var label = literals.name(left);
      if (!literals.isLabel(left, label)) continue;
      var before = first.putIfAbsent(label, left);
      if (before != null) {
        literals.add(
            RagCode.DUPLICATE_ROUTE
                .at(literals.span(left), "there are two routes for `" + label + "`")
                .also(literals.span(before), "first here")
                .help("keep one"));
        continue;
      }
      var to = literals.name(right);
      if (!Literals.isWritable(to)) continue;
      places.put(at + "/" + routes.size(), literals.span(left));
      places.put(at + "/" + routes.size() + "/to", literals.span(right));
      routes.add(new Value.Route(isBare ? "" : label, to));
    }
    return new Value.Routes(routes);
  }

  private Value sends(String at, SyntaxNode node) {
    var sends = new ArrayList<Value.Send>();
    for (var each : node.children(Production.SEND)) {
      var target = each.children().getFirst();
      if (target.production() == Production.SKIPPED) continue;
      var to = literals.name(target);
      if (each.children().size() == 1) {
        literals.add(
            RagCode.SEND_WITHOUT_MAPPING
                .at(literals.span(target), "`send " + CodePoints.quote(to, 40) + "` has no mapping")
                .label("sent what?")
                .help("name the mapping that makes its arguments, as in `send a \"per_item\"`"));
        continue;
      }
      var mapping = literals.string(each.children().getLast());
      if (!Literals.isWritable(to) || !Literals.isWritable(mapping)) continue;
      places.put(at + "/" + sends.size(), literals.span(target));
      places.put(at + "/" + sends.size() + "/mapping", literals.span(each.children().getLast()));
      sends.add(new Value.Send(to, mapping));
    }
    return new Value.Sends(sends);
  }

  private @Nullable Value fanOut(String at, SyntaxNode node) {
    if (node.children().size() < 2) return null;
    var router = literals.string(node.children().getFirst());
    places.put(at, literals.span(node.children().getFirst()));
    if (!Literals.isWritable(router)) return null;
    return new Value.FanOut(router, names(at, node.children().getLast()));
  }

  private Value command(String at, SyntaxNode node) {
    Optional<String> target = Optional.empty();
    Map<String, Literal> update = Map.of();
    var seen = new HashSet<Production>();
    for (var part : node.children()) {
      if (part.production() == Production.SKIPPED) continue;
      var child = part.children().getFirst();
      if (!seen.add(part.production())) {
        literals.report(RagCode.DUPLICATE_ITEM, part, "this is there twice", "keep one");
      } else if (part.production() == Production.GOTO) {
        if (child.production() == Production.SKIPPED) continue;
        places.put(at + "/goto", literals.span(child));
        target = Optional.of(literals.name(child)).filter(Literals::isWritable);
      } else if (part.production() == Production.UPDATE) {
        update = update(at + "/update", child);
      }
    }
    return new Value.Command(target, update);
  }

  private Map<String, Literal> update(String at, SyntaxNode object) {
    if (object.production() != Production.OBJECT) return Map.of();
    for (var entry : object.children(Production.ENTRY)) {
      var key = entry.children().getFirst();
      places.put(at + "/" + literals.name(key), literals.span(key));
    }
    return literals.object(object);
  }

  private Value steering(String at, SyntaxNode node) {
    var allowed = new LinkedHashMap<String, List<String>>();
    var delivery = "";
    for (var part : node.children()) {
      if (part.production() == Production.DELIVERY) {
        var child = part.children().getFirst();
        if (child.production() != Production.STRING) continue;
        places.put(at + "/delivery", literals.span(child));
        if (!delivery.isEmpty()) {
          literals.report(RagCode.DUPLICATE_ITEM, part, "`delivery` is there twice", "keep one");
        } else delivery = literals.string(child);
      } else if (part.production() == Production.ACTOR) {
        var word = part.children().getFirst();
        var actor = literals.text(word);
        if (allowed.containsKey(actor)) {
          literals.report(RagCode.DUPLICATE_ITEM, word, "`" + actor + "` is there twice", "");
          continue;
        }
        places.put(at + "/" + actor + "/actor", literals.span(word));
        allowed.put(actor, strings(at + "/" + actor, part.children().getLast()));
      }
    }
    return new Value.Steering(allowed, Literals.isWritable(delivery) ? delivery : "");
  }

  private @Nullable Value onFailure(String at, SyntaxNode node) {
    var then = literals.text(node.children().getFirst());
    Optional<String> to = Optional.empty();
    Optional<String> record = Optional.empty();
    Map<String, Literal> update = Map.of();
    for (var child : node.children().subList(1, node.children().size())) {
      switch (child.production()) {
        case TARGET -> {
          places.put(at + "/to", literals.span(child));
          to = Optional.of(literals.name(child)).filter(Literals::isWritable);
        }
        case OBJECT -> update = update(at + "/update", child);
        case NAME -> {
          places.put(at + "/record", literals.span(child));
          record = Optional.of(literals.name(child)).filter(Literals::isWritable);
        }
        default -> {}
      }
    }
    if (then.equals("route") && to.isEmpty()) return null;
    return new Value.OnFailure(then, to, update, record);
  }

  private @Nullable Value rate(SyntaxNode node) {
    var times = literals.text(node.children().getFirst());
    var per = node.children().getLast();
    var literal = literals.literal(per);
    var window = literal == null ? null : literals.positive("per", per, literal);
    var number = new BigDecimal(times);
    if (times.length() > DURATION_DIGITS
        || number.stripTrailingZeros().scale() > 0
        || number.signum() <= 0
        || number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
      literals.report(
          RagCode.WRONG_TYPE,
          node.children().getFirst(),
          "`rate` must be a whole number of at least 1",
          "");
      return null;
    }
    return window instanceof Literal.Time(var span)
        ? new Value.Rate(number.intValueExact(), span)
        : null;
  }

  private Value sources(String at, SyntaxNode node) {
    int needs = needs(node.children().getFirst());
    return new Value.Sources(needs, names(at, node.children().getLast()));
  }

  /// Reads the policy of a join: 0 for all sources.
  int needs(SyntaxNode policy) {
    if (policy.production() != Production.POLICY) return 0;
    var child = policy.children().getFirst();
    if (child.production() == Production.WORD) return literals.text(child).equals("any") ? 1 : 0;
    var number = new BigDecimal(literals.text(child));
    if (number.stripTrailingZeros().scale() <= 0
        && number.signum() > 0
        && number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0) {
      return number.intValueExact();
    }
    literals.report(RagCode.INVALID_JOIN, child, "a join needs at least 1 of its sources", "");
    return 0;
  }
}
