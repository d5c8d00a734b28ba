package dev.superstep.repl.internal.name;

import dev.superstep.language.Diagnostic;
import dev.superstep.language.Diagnostics;
import dev.superstep.language.Span;
import dev.superstep.language.Suggestion;
import dev.superstep.repl.host.Signature;
import dev.superstep.repl.internal.syntax.Expr;
import dev.superstep.repl.internal.syntax.RagshCode;
import dev.superstep.repl.internal.syntax.Stmt;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds out what each name of a cell means, and reports those that mean nothing, before anything
/// runs.
@SuppressWarnings("IdentityHashMapUsage") // Scopes belong to nodes, not to equal ones.
public final class Resolver {
  private static final int DEPTH_MAX = 260;

  private final Names names;
  private final Diagnostics diagnostics;
  private final Map<Object, Scope> scopes = new IdentityHashMap<>();
  private final Set<String> bound = new HashSet<>();
  private final List<Use> uses = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();
  private final Scope cell = new Scope(Scope.Kind.CELL, null);
  private int depth;
  private int sources;

  private record Use(Scope scope, String name, Span span) {}

  private record Call(Scope scope, Expr.Call call) {}

  private Resolver(Names names, Diagnostics diagnostics) {
    this.names = names;
    this.diagnostics = diagnostics;
  }

  /// The scopes of a cell, by the `def`, lambda or comprehension that opens them.
  ///
  /// @param bound the variables of the session that it sets
  public record Resolved(Scope cell, Map<Object, Scope> scopes, Set<String> bound) {}

  public static Resolved resolve(List<Stmt> cell, Names names, Diagnostics diagnostics) {
    var resolver = new Resolver(names, diagnostics);
    resolver.block(cell, resolver.cell);
    for (var use : resolver.uses) resolver.check(use);
    for (var call : resolver.calls) resolver.check(call);
    return new Resolved(resolver.cell, resolver.scopes, resolver.bound);
  }

  // --- names ---

  private void bind(Scope scope, String name, Span span, boolean isParameter) {
    forbidden(name, span);
    if (!isParameter && names.reserved().contains(name)) {
      diagnostics.add(
          RagshCode.RESERVED_NAME
              .at(span, "`" + name + "` is reserved and cannot be bound")
              .help("choose another name, such as `my_" + name + "`"));
    }
    scope.bind(name);
    if (scope.isCell()) bound.add(name);
  }

  private void forbidden(String name, Span span) {
    if (!name.startsWith("__")) return;
    diagnostics.add(
        RagshCode.FORBIDDEN_NAME
            .at(span, "names that begin with `__` are not part of this language")
            .help("there is no way to see into values; use their methods and `isinstance`"));
  }

  private void use(Scope scope, String name, Span span) {
    forbidden(name, span);
    uses.add(new Use(scope, name, span));
  }

  private boolean isKnown(Scope scope, String name) {
    return scope.reach(name)
        || bound.contains(name)
        || names.session().contains(name)
        || names.given().contains(name);
  }

  private void check(Use use) {
    if (use.name.startsWith("__") || isKnown(use.scope, use.name)) return;
    var help = Excluded.help(use.name);
    if (!help.isEmpty()) {
      diagnostics.add(
          RagshCode.UNSUPPORTED
              .at(use.span, "`" + use.name + "` is not part of this language")
              .help(help));
      return;
    }
    diagnostics.add(
        RagshCode.UNKNOWN_NAME
            .at(use.span, "there is no name `" + use.name + "`")
            .help(Suggestion.didYouMean(use.name, visible(use.scope))));
  }

  private Set<String> visible(Scope from) {
    var all = new HashSet<>(names.given());
    all.addAll(names.session());
    all.addAll(bound);
    for (Scope at = from; at != null; at = at.outer()) {
      at.variables().forEach(variable -> all.add(variable.name()));
    }
    return all;
  }

  /// Returns whether a name can only mean what the host or the language gives.
  private boolean isGiven(Scope scope, String name) {
    return !scope.reach(name)
        && !bound.contains(name)
        && !names.session().contains(name)
        && names.given().contains(name);
  }

  private void check(Call use) {
    if (!(use.call.function() instanceof Expr.Name name) || !isGiven(use.scope, name.id())) return;
    var signature = names.signatures().get(name.id());
    if (signature == null) return;
    int positional = 0;
    boolean isOpen = false;
    var named = new ArrayList<String>();
    for (var argument : use.call.arguments()) {
      if (argument.stars() > 0) isOpen = true;
      else if (argument.name().isEmpty()) positional++;
      else named.add(argument.name());
    }
    var misfit = signature.misfit(positional, named, isOpen);
    if (misfit.isEmpty()) look(use.call, name.id(), signature);
    else {
      diagnostics.add(RagshCode.ARGUMENTS.at(use.call.span(), misfit).help("it is " + signature));
    }
  }

  private void look(Expr.Call call, String name, Signature signature) {
    var host = names.hosts().get(name);
    if (host == null) return;
    for (var refusal : host.refusals(LiteralArguments.of(signature, call))) {
      diagnostics.add(
          Diagnostic.error("E-ragsh-" + refusal.code(), call.span(), refusal.message())
              .help(refusal.help()));
    }
  }

  // --- statements ---

  private void block(List<Stmt> all, Scope scope) {
    for (var stmt : all) statement(stmt, scope);
  }

  private void statement(Stmt stmt, Scope scope) {
    switch (stmt) {
      case Stmt.Run run -> visit(run.value(), scope);
      case Stmt.Assign assign -> {
        visit(assign.value(), scope);
        for (var target : assign.targets()) target(target, scope);
      }
      case Stmt.Change change -> {
        visit(change.value(), scope);
        if (change.target() instanceof Expr.Name name) use(scope, name.id(), name.span());
        target(change.target(), scope);
      }
      case Stmt.Declare declare -> {
        if (!(declare.target() instanceof Expr.Name)) visit(declare.target(), scope);
        else if (!scope.isCell()) target(declare.target(), scope);
      }
      case Stmt.If choice -> {
        for (var branch : choice.branches()) {
          visit(branch.test(), scope);
          block(branch.body(), scope);
        }
        block(choice.otherwise(), scope);
      }
      case Stmt.While loop -> {
        visit(loop.test(), scope);
        block(loop.body(), scope);
        block(loop.otherwise(), scope);
      }
      case Stmt.For loop -> {
        visit(loop.source(), scope);
        target(loop.target(), scope);
        block(loop.body(), scope);
        block(loop.otherwise(), scope);
      }
      case Stmt.Def def -> function(def, scope);
      case Stmt.Try attempt -> attempt(attempt, scope);
      case Stmt.Return value -> maybe(value.value(), scope);
      case Stmt.Throw error -> {
        maybe(error.error(), scope);
        maybe(error.cause(), scope);
      }
      case Stmt.Assert claim -> {
        visit(claim.test(), scope);
        maybe(claim.message(), scope);
      }
      case Stmt.Delete delete -> {
        for (var target : delete.targets()) {
          if (target instanceof Expr.Name name) use(scope, name.id(), name.span());
          target(target, scope);
        }
      }
      case Stmt.Nonlocal nonlocal -> nonlocal(nonlocal, scope);
      case Stmt.Break _, Stmt.Continue _, Stmt.Pass _ -> {}
    }
  }

  private void attempt(Stmt.Try attempt, Scope scope) {
    block(attempt.body(), scope);
    for (var handler : attempt.handlers()) {
      maybe(handler.type(), scope);
      var name = handler.name();
      if (name != null) bind(scope, name.id(), name.span(), false);
      block(handler.body(), scope);
    }
    block(attempt.otherwise(), scope);
    block(attempt.last(), scope);
  }

  private void nonlocal(Stmt.Nonlocal nonlocal, Scope scope) {
    for (var name : nonlocal.names()) {
      var outer = scope.outer();
      while (outer != null && !outer.binds(name.id())) outer = outer.outer();
      if (outer == null || scope.isCell()) {
        diagnostics.add(
            RagshCode.SYNTAX
                .at(name.span(), "no function around binds `" + name.id() + "`")
                .help("a variable of the session is set outside of functions only"));
      } else if (scope.binds(name.id())) {
        diagnostics.add(
            RagshCode.SYNTAX.at(name.span(), "`" + name.id() + "` is used before this line"));
      } else {
        scope.nonlocal(name.id());
        use(scope, name.id(), name.span());
      }
    }
  }

  private void function(Stmt.Def def, Scope scope) {
    bind(scope, def.name().id(), def.name().span(), false);
    var inner = open(def, Scope.Kind.FUNCTION, scope);
    parameters(def.parameters(), scope, inner);
    // What a function binds is known before what its inner functions say about it.
    Bindings.of(def.body(), inner);
    block(def.body(), inner);
  }

  private Scope open(Object opener, Scope.Kind kind, Scope outer) {
    var scope = new Scope(kind, outer);
    scopes.put(opener, scope);
    return scope;
  }

  private void parameters(Expr.Parameters parameters, Scope outer, Scope inner) {
    for (var parameter : parameters.all()) maybe(parameter.preset(), outer);
    // Those that take one argument come first, so that their places are their numbers.
    for (var parameter : parameters.all()) {
      if (parameter.stars() == 0) bind(inner, parameter.name(), parameter.span(), true);
    }
    for (var parameter : parameters.all()) {
      if (parameter.stars() > 0) bind(inner, parameter.name(), parameter.span(), true);
    }
  }

  // --- expressions ---

  private void target(Expr target, Scope scope) {
    switch (target) {
      case Expr.Name name -> bind(scope, name.id(), name.span(), false);
      case Expr.Tuple tuple -> tuple.items().forEach(item -> target(item, scope));
      case Expr.Items items -> items.items().forEach(item -> target(item, scope));
      case Expr.Starred starred -> target(starred.value(), scope);
      case Expr other -> visit(other, scope);
    }
  }

  private void maybe(@Nullable Expr expr, Scope scope) {
    if (expr != null) visit(expr, scope);
  }

  private void visit(Expr expr, Scope scope) {
    if (++depth > DEPTH_MAX) {
      if (depth == DEPTH_MAX + 1) {
        diagnostics.add(
            RagshCode.TOO_DEEP
                .at(expr.span(), "the expression is longer than " + DEPTH_MAX + " steps")
                .help("name its parts, or use `join` or `sum`"));
      }
    } else inside(expr, scope);
    depth--;
  }

  private void inside(Expr expr, Scope scope) {
    switch (expr) {
      case Expr.Constant _ -> {}
      case Expr.Name name -> use(scope, name.id(), name.span());
      case Expr.Joined joined -> parts(joined.parts(), scope);
      case Expr.Unary unary -> visit(unary.value(), scope);
      case Expr.Not not -> visit(not.value(), scope);
      case Expr.Binary binary -> {
        visit(binary.left(), scope);
        visit(binary.right(), scope);
      }
      case Expr.Logic logic -> logic.values().forEach(value -> visit(value, scope));
      case Expr.Compare compare -> {
        visit(compare.first(), scope);
        compare.rest().forEach(value -> visit(value, scope));
      }
      case Expr.Conditional choice -> {
        visit(choice.test(), scope);
        visit(choice.then(), scope);
        visit(choice.otherwise(), scope);
      }
      case Expr.Call call -> call(call, scope);
      case Expr.Attribute attribute -> attribute(attribute, scope);
      case Expr.Subscript subscript -> {
        visit(subscript.value(), scope);
        visit(subscript.key(), scope);
      }
      case Expr.Slice slice -> {
        maybe(slice.from(), scope);
        maybe(slice.to(), scope);
        maybe(slice.step(), scope);
      }
      case Expr.Tuple tuple -> tuple.items().forEach(item -> visit(item, scope));
      case Expr.Items items -> items.items().forEach(item -> visit(item, scope));
      case Expr.SetItems items -> items.items().forEach(item -> visit(item, scope));
      case Expr.Entries entries -> {
        for (var entry : entries.entries()) {
          maybe(entry.key(), scope);
          visit(entry.value(), scope);
        }
      }
      case Expr.Starred starred -> visit(starred.value(), scope);
      case Expr.Lambda lambda -> {
        var inner = open(lambda, Scope.Kind.FUNCTION, scope);
        parameters(lambda.parameters(), scope, inner);
        visit(lambda.body(), inner);
      }
      case Expr.Comprehension comprehension -> comprehension(comprehension, scope);
      case Expr.Walrus walrus -> {
        if (sources > 0) {
          diagnostics.add(
              RagshCode.SYNTAX.at(
                  walrus.span(), "`:=` cannot stand in what a comprehension goes through"));
        }
        visit(walrus.value(), scope);
        bind(scope.binding(), walrus.name().id(), walrus.name().span(), false);
        use(scope, walrus.name().id(), walrus.name().span());
      }
    }
  }

  private void call(Expr.Call call, Scope scope) {
    visit(call.function(), scope);
    for (var argument : call.arguments()) {
      forbidden(argument.name(), argument.span());
      visit(argument.value(), scope);
    }
    calls.add(new Call(scope, call));
  }

  private void attribute(Expr.Attribute attribute, Scope scope) {
    visit(attribute.value(), scope);
    forbidden(attribute.name(), attribute.nameSpan());
    if (!(attribute.value() instanceof Expr.Name name)) return;
    var members = names.members().get(name.id());
    if (members == null || scope.reach(name.id()) || bound.contains(name.id())) return;
    if (names.session().contains(name.id()) || members.contains(attribute.name())) return;
    if (attribute.name().startsWith("__")) return;
    diagnostics.add(
        RagshCode.UNKNOWN_NAME
            .at(
                attribute.nameSpan(),
                "the module `" + name.id() + "` has no `" + attribute.name() + "`")
            .help(Suggestion.didYouMean(attribute.name(), members)));
  }

  private void parts(List<Expr.Part> parts, Scope scope) {
    for (var part : parts) {
      if (part instanceof Expr.Field field) {
        visit(field.value(), scope);
        parts(field.spec(), scope);
      }
    }
  }

  private void comprehension(Expr.Comprehension comprehension, Scope scope) {
    var kind =
        comprehension.made() == Expr.Made.GENERATOR
            ? Scope.Kind.GENERATOR
            : Scope.Kind.COMPREHENSION;
    // The first source belongs to the scope around.
    source(comprehension.clauses().getFirst().source(), scope);
    var inner = open(comprehension, kind, scope);
    if (kind == Scope.Kind.GENERATOR) inner.bind(".source");
    boolean isFirst = true;
    for (var clause : comprehension.clauses()) Bindings.parameters(clause.target(), inner);
    for (var clause : comprehension.clauses()) {
      if (!isFirst) source(clause.source(), inner);
      isFirst = false;
      names(clause.target(), inner);
      for (var test : clause.tests()) visit(test, inner);
    }
    visit(comprehension.element(), inner);
    maybe(comprehension.value(), inner);
  }

  private void source(Expr source, Scope scope) {
    sources++;
    visit(source, scope);
    sources--;
  }

  private void names(Expr target, Scope scope) {
    switch (target) {
      case Expr.Name name -> bind(scope, name.id(), name.span(), true);
      case Expr.Tuple tuple -> tuple.items().forEach(item -> names(item, scope));
      case Expr.Items items -> items.items().forEach(item -> names(item, scope));
      case Expr.Starred starred -> names(starred.value(), scope);
      case Expr other -> visit(other, scope);
    }
  }
}
