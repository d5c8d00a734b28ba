package dev.superstep.repl.internal.node;

import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.repl.internal.name.Resolver;
import dev.superstep.repl.internal.name.Scope;
import dev.superstep.repl.internal.syntax.Expr;
import dev.superstep.repl.internal.syntax.Stmt;
import dev.superstep.repl.internal.value.CellValue;
import dev.superstep.repl.internal.value.Operands;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Value;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Makes of the statements of a cell what can run.
public final class CellCompiler {
  private final Source source;
  private final Compilation context;
  private final ExprCompiler expressions;
  private final String function;
  private int caught = -1;

  /// The things that all parts of a cell are made with.
  ///
  /// @param globals the place of a variable of the session, made when it is asked for
  /// @param given builtins and what the host granted
  record Compilation(
      Source source,
      Map<Object, Scope> scopes,
      Function<String, CellValue> globals,
      Map<String, Value> given) {}

  private CellCompiler(Compilation context, Scope scope, String function) {
    this.source = context.source();
    this.context = context;
    this.function = function;
    this.expressions = new ExprCompiler(context, scope);
  }

  public static CellCode compile(
      Source source,
      List<Stmt> cell,
      Resolver.Resolved resolved,
      Function<String, CellValue> globals,
      Map<String, Value> given) {
    var context = new Compilation(source, resolved.scopes(), globals, given);
    var compiler = new CellCompiler(context, resolved.cell(), "");
    var steps = new Step[cell.size()];
    for (int i = 0; i < steps.length; i++) {
      boolean isLast = i == steps.length - 1;
      steps[i] =
          isLast && cell.get(i) instanceof Stmt.Run run
              ? compiler.show(run)
              : compiler.step(cell.get(i));
    }
    return new CellCode(new Block(steps), resolved.cell().slots());
  }

  /// The body of a function.
  static Block body(Compilation context, Scope scope, String name, List<Stmt> body) {
    return new CellCompiler(context, scope, name).block(body);
  }

  /// The body of a lambda.
  static Block body(Compilation context, Scope scope, Expr value) {
    var compiler = new CellCompiler(context, scope, "<lambda>");
    var node = compiler.node(value);
    int cost = compiler.expressions.takeCost();
    return new Block(new Step[] {new Steps.Return(compiler.place(value.span()), cost, node)});
  }

  private Raise.Place place(Span span) {
    return new Raise.Place(source, span, function);
  }

  private Node node(Expr expr) {
    return expressions.node(expr);
  }

  private @Nullable Node maybe(@Nullable Expr expr) {
    return expr == null ? null : node(expr);
  }

  private int cost() {
    return expressions.takeCost();
  }

  private Block block(List<Stmt> all) {
    if (all.isEmpty()) return Block.EMPTY;
    var steps = new Step[all.size()];
    for (int i = 0; i < steps.length; i++) steps[i] = step(all.get(i));
    return new Block(steps);
  }

  private Step show(Stmt.Run run) {
    var value = node(run.value());
    return new Steps.Show(place(run.span()), cost(), value);
  }

  private Step step(Stmt stmt) {
    var at = place(stmt.span());
    return switch (stmt) {
      case Stmt.Run run -> {
        var value = node(run.value());
        yield new Steps.Run(at, cost(), value);
      }
      case Stmt.Assign assign -> assign(at, assign);
      case Stmt.Change change -> change(at, change);
      case Stmt.If choice -> choice(at, choice);
      case Stmt.While loop -> {
        var test = node(loop.test());
        int cost = cost();
        yield new Loops.While(at, cost, test, block(loop.body()), block(loop.otherwise()));
      }
      case Stmt.For loop -> {
        var from = node(loop.source());
        var target = expressions.store(loop.target());
        int cost = cost();
        int keep = expressions.place();
        yield new Loops.For(
            at, cost, from, target, keep, block(loop.body()), block(loop.otherwise()));
      }
      case Stmt.Def def -> {
        var made = expressions.function(def, def.name().id(), def.parameters());
        yield new Steps.Assign(at, cost(), expressions.store(def.name()), made);
      }
      case Stmt.Try attempt -> attempt(at, attempt);
      case Stmt.Return result -> {
        var value = Steps.orNone(maybe(result.value()));
        yield new Steps.Return(at, cost(), value);
      }
      case Stmt.Throw error -> {
        var made = maybe(error.error());
        yield new Steps.Throw(at, cost(), made, caught);
      }
      case Stmt.Assert claim -> {
        var test = node(claim.test());
        var message = maybe(claim.message());
        yield new Steps.Assert(at, cost(), test, message);
      }
      case Stmt.Delete delete -> {
        var targets = stores(delete.targets());
        yield new Steps.Delete(at, cost(), targets);
      }
      case Stmt.Break _ -> new Steps.Leave(at, Step.BREAK);
      case Stmt.Continue _ -> new Steps.Leave(at, Step.CONTINUE);
      case Stmt.Pass _, Stmt.Nonlocal _, Stmt.Declare _ -> new Steps.Leave(at, Step.NEXT);
    };
  }

  private Store[] stores(List<Expr> targets) {
    return targets.stream().map(expressions::store).toArray(Store[]::new);
  }

  private Step assign(Raise.Place at, Stmt.Assign assign) {
    var value = node(assign.value());
    if (assign.targets().size() > 1) {
      var targets = stores(assign.targets());
      return new Steps.AssignAll(at, cost(), targets, value);
    }
    var target = expressions.store(assign.targets().getFirst());
    if (target instanceof Store.Item) value = expressions.held(value);
    if (target instanceof Store.Local local) {
      return new Steps.AssignLocal(at, cost(), local.slot, value);
    }
    return new Steps.Assign(at, cost(), target, value);
  }

  private Step change(Raise.Place at, Stmt.Change change) {
    if (change.target() instanceof Expr.Subscript item) {
      var in = expressions.held(node(item.value()));
      var key = node(item.key());
      int inPlace = expressions.place();
      int keyPlace = expressions.place();
      var now =
          new Displays.Subscript(
              new Variables.Local(inPlace, ""), new Variables.Local(keyPlace, ""));
      var changed = new Operators.InPlace(change.op(), expressions.held(now), node(change.value()));
      return new Steps.ChangeItem(at, cost(), new Operands<>(in, key, inPlace, keyPlace), changed);
    }
    var before = expressions.held(node(change.target()));
    var changed = new Operators.InPlace(change.op(), before, node(change.value()));
    var target = expressions.store(change.target());
    if (target instanceof Store.Local local) {
      return new Steps.AssignLocal(at, cost(), local.slot, changed);
    }
    return new Steps.Assign(at, cost(), target, changed);
  }

  private Step choice(Raise.Place at, Stmt.If choice) {
    int count = choice.branches().size();
    var tests = new Node[count];
    for (int i = 0; i < count; i++) tests[i] = node(choice.branches().get(i).test());
    int cost = cost();
    var bodies = new Block[count];
    for (int i = 0; i < count; i++) bodies[i] = block(choice.branches().get(i).body());
    return new Loops.If(at, cost, tests, bodies, block(choice.otherwise()));
  }

  private Step attempt(Raise.Place at, Stmt.Try attempt) {
    var body = block(attempt.body());
    var handlers = new Loops.Handler[attempt.handlers().size()];
    for (int i = 0; i < handlers.length; i++) {
      var handler = attempt.handlers().get(i);
      var type = maybe(handler.type());
      var name = handler.name();
      var target = name == null ? null : expressions.store(name);
      int outer = caught;
      caught = expressions.place();
      handlers[i] = new Loops.Handler(type, target, block(handler.body()), caught);
      caught = outer;
    }
    return new Loops.Try(at, body, handlers, block(attempt.otherwise()), block(attempt.last()));
  }

  Compilation context() {
    return context;
  }
}
