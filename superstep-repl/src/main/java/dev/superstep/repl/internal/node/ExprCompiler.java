package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.name.Scope;
import dev.superstep.repl.internal.name.Variable;
import dev.superstep.repl.internal.node.CellCompiler.Compilation;
import dev.superstep.repl.internal.syntax.Expr;
import dev.superstep.repl.internal.syntax.Stmt;
import dev.superstep.repl.internal.value.Str;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes nodes of expressions. Keeps count of their parts, and of whether they may run code of the
/// script: then what stands before them is held in a place of the frame, where it can be measured.
final class ExprCompiler {
  private final Compilation context;
  private final Scope scope;
  private int cost = 1;
  private boolean runs;

  ExprCompiler(Compilation context, Scope scope) {
    this.context = context;
    this.scope = scope;
  }

  /// The number of nodes since it was last asked for.
  int takeCost() {
    int found = cost;
    cost = 1;
    return found;
  }

  int place() {
    return scope.place();
  }

  Node held(Node node) {
    return node instanceof Variables.Constant ? node : new Variables.Hold(node, scope.place());
  }

  /// Nodes of expressions that are evaluated one after another.
  Node[] nodes(List<Expr> all) {
    var made = new Node[all.size()];
    var doesRun = new boolean[made.length];
    boolean before = runs;
    boolean any = false;
    for (int i = 0; i < made.length; i++) {
      runs = false;
      made[i] = node(all.get(i));
      doesRun[i] = runs;
      any |= runs;
    }
    runs = before || any;
    boolean later = false;
    for (int i = made.length - 1; i >= 0; i--) {
      if (later) made[i] = held(made[i]);
      later |= doesRun[i];
    }
    return made;
  }

  private Node orNone(@Nullable Expr expr) {
    return expr == null ? Displays.NOTHING : node(expr);
  }

  Node node(Expr expr) {
    cost++;
    return switch (expr) {
      case Expr.Constant constant -> new Variables.Constant(constant.value());
      case Expr.Name name -> name(name.id());
      case Expr.Joined joined -> joined(joined.parts());
      case Expr.Unary unary -> unary(unary);
      case Expr.Not not -> new Operators.Not(node(not.value()));
      case Expr.Binary binary -> {
        var both = nodes(List.of(binary.left(), binary.right()));
        yield Operators.binary(binary.op(), both[0], both[1]);
      }
      case Expr.Logic logic ->
          new Operators.Logic(
              logic.isAnd(), logic.values().stream().map(this::node).toArray(Node[]::new));
      case Expr.Compare compare -> compare(compare);
      case Expr.Conditional choice ->
          new Operators.Conditional(
              node(choice.test()), node(choice.then()), node(choice.otherwise()));
      case Expr.Call call -> call(call);
      case Expr.Attribute attribute ->
          new Calls.Attribute(node(attribute.value()), attribute.name());
      case Expr.Subscript subscript -> {
        var both = nodes(List.of(subscript.value(), subscript.key()));
        yield new Displays.Subscript(both[0], both[1]);
      }
      case Expr.Slice slice ->
          new Displays.Slice(orNone(slice.from()), orNone(slice.to()), orNone(slice.step()));
      case Expr.Tuple tuple -> sequence(tuple.items(), true);
      case Expr.Items items -> sequence(items.items(), false);
      case Expr.SetItems items -> {
        runs = true;
        yield new Displays.SetOf(nodes(bare(items.items())), stars(items.items()));
      }
      case Expr.Entries entries -> entries(entries);
      case Expr.Starred starred -> node(starred.value());
      case Expr.Lambda lambda -> function(lambda, "<lambda>", lambda.parameters());
      case Expr.Comprehension comprehension -> comprehension(comprehension);
      case Expr.Walrus walrus -> {
        var value = node(walrus.value());
        var binding = new ExprCompiler(context, scope);
        yield new Displays.Walrus(binding.store(walrus.name()), value);
      }
    };
  }

  private Node name(String id) {
    var variable = scope.find(id);
    if (variable == null) {
      return new Variables.Global(context.globals().apply(id), context.given().get(id));
    }
    if (!variable.isShared()) return new Variables.Local(variable.slot(), id);
    return new Variables.Shared(variable.slot(), scope.frame().free().get(id) == variable);
  }

  private Node unary(Expr.Unary unary) {
    if (unary.op().equals("-")
        && unary.value() instanceof Expr.Constant(_, var value)
        && dev.superstep.repl.internal.value.Numbers.isNumber(value)) {
      return new Variables.Constant(dev.superstep.repl.internal.value.Arith.unary("-", value));
    }
    return new Operators.Unary(unary.op(), node(unary.value()));
  }

  private Node compare(Expr.Compare compare) {
    var all = new ArrayList<Expr>();
    all.add(compare.first());
    all.addAll(compare.rest());
    if (compare.ops().contains("in") || compare.ops().contains("not in")) runs = true;
    var made = nodes(all);
    if (made.length == 2) return Comparisons.of(compare.ops().getFirst(), made[0], made[1]);
    var rest = java.util.Arrays.copyOfRange(made, 1, made.length);
    return new Comparisons.Chain(made[0], compare.ops().toArray(String[]::new), rest);
  }

  private static List<Expr> bare(List<Expr> items) {
    return items.stream().map(i -> i instanceof Expr.Starred s ? s.value() : i).toList();
  }

  private static boolean[] stars(List<Expr> items) {
    var stars = new boolean[items.size()];
    for (int i = 0; i < stars.length; i++) stars[i] = items.get(i) instanceof Expr.Starred;
    return stars;
  }

  private Node sequence(List<Expr> items, boolean isTuple) {
    var stars = stars(items);
    for (boolean star : stars) runs |= star;
    return new Displays.Sequence(nodes(bare(items)), stars, isTuple);
  }

  private Node entries(Expr.Entries entries) {
    var flat = new ArrayList<Expr>();
    for (var entry : entries.entries()) {
      var key = entry.key();
      if (key != null) flat.add(key);
      flat.add(entry.value());
    }
    var made = nodes(flat);
    int count = entries.entries().size();
    var keys = new @Nullable Node[count];
    var values = new Node[count];
    int at = 0;
    for (int i = 0; i < count; i++) {
      if (entries.entries().get(i).key() != null) keys[i] = made[at++];
      values[i] = made[at++];
    }
    return new Displays.MapOf(keys, values);
  }

  private Node joined(List<Expr.Part> parts) {
    var made = new Node[parts.size()];
    for (int i = 0; i < made.length; i++) {
      made[i] =
          switch (parts.get(i)) {
            case Expr.Words words -> new Variables.Constant(new Str(words.text()));
            case Expr.Field field -> field(field);
          };
    }
    return new Displays.Joined(made);
  }

  private Node field(Expr.Field field) {
    cost++;
    var value = node(field.value());
    if (field.spec().isEmpty()) return new Displays.Field(value, field.conversion(), null);
    return new Displays.Field(held(value), field.conversion(), joined(field.spec()));
  }

  // --- calls ---

  private Node call(Expr.Call call) {
    boolean isPlain = call.arguments().stream().allMatch(a -> a.stars() == 0 && a.name().isEmpty());
    var all = new ArrayList<Expr>();
    boolean isMethod = call.function() instanceof Expr.Attribute;
    all.add(call.function() instanceof Expr.Attribute method ? method.value() : call.function());
    for (var argument : call.arguments()) all.add(argument.value());
    cost += 2;
    var made = nodes(all);
    runs = true;
    var args = java.util.Arrays.copyOfRange(made, 1, made.length);
    if (!isMethod) {
      return isPlain
          ? new Calls.Plain(made[0], args)
          : new Calls.General(made[0], mixed(call, args));
    }
    var name = ((Expr.Attribute) call.function()).name();
    return isPlain
        ? new Calls.OfMethod(made[0], name, args, null)
        : new Calls.OfMethod(made[0], name, null, mixed(call, args));
  }

  private static Calls.Mixed mixed(Expr.Call call, Node[] made) {
    var args = new ArrayList<Node>();
    var stars = new ArrayList<Boolean>();
    var names = new ArrayList<String>();
    var named = new ArrayList<Node>();
    for (int i = 0; i < made.length; i++) {
      var argument = call.arguments().get(i);
      if (argument.stars() == 2 || !argument.name().isEmpty()) {
        names.add(argument.name());
        named.add(made[i]);
      } else {
        args.add(made[i]);
        stars.add(argument.stars() == 1);
      }
    }
    var isStar = new boolean[args.size()];
    for (int i = 0; i < isStar.length; i++) isStar[i] = stars.get(i);
    return new Calls.Mixed(
        args.toArray(Node[]::new),
        isStar,
        names.toArray(String[]::new),
        named.toArray(Node[]::new));
  }

  // --- functions ---

  private Scope scope(Object opener) {
    var found = context.scopes().get(opener);
    if (found == null) throw new IllegalStateException("no scope for " + opener);
    return found;
  }

  Node function(Object opener, String name, Expr.Parameters parameters) {
    var inner = scope(opener);
    var ordered = ordered(parameters);
    var heads = heads(parameters, ordered);
    var presets = new @Nullable Node[heads.names().length];
    for (int i = 0; i < presets.length; i++) {
      var preset = ordered.get(i).preset();
      if (preset != null) presets[i] = node(preset);
    }
    return new Calls.Make(code(opener, name, heads, inner), outer(inner), presets);
  }

  private FunctionCode code(Object opener, String name, FunctionCode.Heads heads, Scope inner) {
    var code = new FunctionCode(name, heads, shared(inner), free(inner));
    var body =
        switch (opener) {
          case Stmt.Def def -> CellCompiler.body(context, inner, name, def.body());
          case Expr.Lambda lambda -> CellCompiler.body(context, inner, lambda.body());
          default -> throw new IllegalArgumentException(name);
        };
    code.finish(body, inner.slots());
    return code;
  }

  /// Parameters in the order of their places: the resolver bound them as they are written.
  private static List<Expr.Parameter> ordered(Expr.Parameters parameters) {
    return parameters.all().stream().filter(p -> p.stars() == 0).toList();
  }

  private static FunctionCode.Heads heads(Expr.Parameters parameters, List<Expr.Parameter> plain) {
    int next = plain.size();
    int rest = parameters.all().stream().anyMatch(p -> p.stars() == 1) ? next++ : -1;
    int namedRest = parameters.all().stream().anyMatch(p -> p.stars() == 2) ? next : -1;
    var names = plain.stream().map(Expr.Parameter::name).toArray(String[]::new);
    int positional = (int) plain.stream().filter(p -> !p.isNamedOnly()).count();
    return new FunctionCode.Heads(names, positional, parameters.positionalOnly(), rest, namedRest);
  }

  static Variable[] shared(Scope scope) {
    var all = new ArrayList<Variable>();
    for (var variable : scope.variables()) if (variable.isShared()) all.add(variable);
    return all.toArray(Variable[]::new);
  }

  private static int[] free(Scope inner) {
    return inner.free().values().stream().mapToInt(Variable::slot).toArray();
  }

  /// The places here of what a function inside closes over.
  private int[] outer(Scope inner) {
    return inner.free().keySet().stream()
        .mapToInt(name -> {
          var found = scope.find(name);
          if (found == null) throw new IllegalStateException("no cell for " + name);
          return found.slot();
        })
        .toArray();
  }

  // --- comprehensions ---

  private Node comprehension(Expr.Comprehension comprehension) {
    var inner = scope(comprehension);
    var inside = new ExprCompiler(context, inner);
    var clauses = new Comprehensions.Clause[comprehension.clauses().size()];
    for (int i = 0; i < clauses.length; i++) {
      var clause = comprehension.clauses().get(i);
      var from = i == 0 ? node(clause.source()) : inside.node(clause.source());
      var target = inside.store(clause.target());
      var tests = clause.tests().stream().map(inside::node).toArray(Node[]::new);
      boolean isLast = i == clauses.length - 1;
      if (isLast) {
        // The element is part of what each round costs.
        return finish(
            comprehension, clauses, new Comprehensions.Clause(from, target, tests, 0), inside);
      }
      clauses[i] = new Comprehensions.Clause(from, target, tests, inside.takeCost());
    }
    throw new IllegalStateException("a comprehension has a clause");
  }

  private Node finish(
      Expr.Comprehension comprehension,
      Comprehensions.Clause[] clauses,
      Comprehensions.Clause last,
      ExprCompiler inside) {
    var inner = scope(comprehension);
    var element = inside.node(comprehension.element());
    var entry = comprehension.value();
    var value = entry == null ? null : inside.node(entry);
    if (value != null) element = inside.held(element);
    clauses[clauses.length - 1] =
        new Comprehensions.Clause(last.source(), last.target(), last.tests(), inside.takeCost());
    runs = true;
    if (comprehension.made() == Expr.Made.GENERATOR) {
      var code = new GeneratorPlaces(inner, shared(inner), outer(inner), free(inner));
      return new Comprehensions.Generate(clauses[0].source(), clauses, element, code);
    }
    return new Comprehensions.Collect(comprehension.made(), clauses, element, value, shared(inner));
  }

  @SuppressWarnings("ArrayRecordComponent") // Never compared or shown.
  private record GeneratorPlaces(Scope scope, Variable[] shared, int[] outer, int[] free)
      implements Comprehensions.GeneratorCode {
    @Override
    public int slots() {
      return scope.slots();
    }
  }

  // --- targets ---

  Store store(Expr target) {
    return switch (target) {
      case Expr.Name name -> store(name.id());
      case Expr.Subscript item -> {
        var both = nodes(List.of(item.value(), item.key()));
        yield new Store.Item(both[0], both[1]);
      }
      case Expr.Tuple tuple -> unpack(tuple.items());
      case Expr.Items items -> unpack(items.items());
      case Expr.Starred starred -> store(starred.value());
      case Expr _ -> throw new IllegalArgumentException("no target");
    };
  }

  private Store unpack(List<Expr> items) {
    int star = -1;
    for (int i = 0; i < items.size(); i++) if (items.get(i) instanceof Expr.Starred) star = i;
    return new Store.Unpack(items.stream().map(this::store).toArray(Store[]::new), star);
  }

  private Store store(String name) {
    var variable = scope.find(name);
    if (variable == null) return new Store.Global(context.globals().apply(name));
    if (variable.isShared()) return new Store.Shared(variable.slot());
    return new Store.Local(variable.slot(), name);
  }
}
