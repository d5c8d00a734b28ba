package dev.superstep.repl;

import dev.superstep.language.Diagnostic;
import dev.superstep.language.Diagnostics;
import dev.superstep.language.Severity;
import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.Signature;
import dev.superstep.repl.internal.builtin.Builtins;
import dev.superstep.repl.internal.name.Names;
import dev.superstep.repl.internal.name.Resolver;
import dev.superstep.repl.internal.node.CellCompiler;
import dev.superstep.repl.internal.node.Machine;
import dev.superstep.repl.internal.syntax.Parser;
import dev.superstep.repl.internal.syntax.RagshCode;
import dev.superstep.repl.internal.value.Halt;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.ModuleValue;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Repr;
import dev.superstep.repl.internal.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Takes a cell from its source to its result: reads it, checks it, runs it. Nothing runs of a cell
/// in which something was found. Owned by the thread of the cell.
final class CellRunner {
  private static final int VALUE_SHOWN = 2_000;
  private static final int MESSAGE_SHOWN = 2_000;

  private final Machine machine;
  private final SessionVariables variables;
  private final Map<String, Value> given;
  private final Set<String> reserved;
  private final Ends ends;
  private final Map<String, Signature> signatures = new LinkedHashMap<>();
  private final Map<String, Set<String>> members = new LinkedHashMap<>();
  private final Map<String, HostFunction> hosts = new LinkedHashMap<>();

  /// The collectors of the results of a cell, and its limits.
  record Ends(Output output, SessionFunctions functions, ReplPolicy policy) {}

  CellRunner(
      Machine machine,
      SessionVariables variables,
      Map<String, Value> given,
      Set<String> reserved,
      List<HostFunction> hosts,
      Ends ends) {
    for (var host : hosts) this.hosts.put(host.signature().name(), host);
    this.machine = machine;
    this.variables = variables;
    this.given = given;
    this.reserved = reserved;
    this.ends = ends;
    given.forEach((name, value) -> {
      var signature = Builtins.signature(value);
      if (signature != null) signatures.put(name, signature);
      if (value instanceof ModuleValue module) members.put(name, module.members().keySet());
    });
  }

  CellResult run(Source cell) {
    var found = new Diagnostics();
    var m = machine.meter();
    Value value = None.NONE;
    CellError error = null;
    try {
      m.begin(ends.policy().cellTime().toNanos());
      m.poll();
      value = checked(cell, found);
      if (found.hasErrors()) error = rejected(found.report().shown());
    } catch (Raise e) {
      error = raised(e);
    } catch (Halt e) {
      error = ended(e);
    }
    machine.reset();
    var shown = value instanceof None ? null : show(value);
    var diagnostics = new ArrayList<>(found.report().shown());
    if (error != null && error.kind() != CellError.Kind.REJECTED)
      diagnostics.add(diagnostic(cell, error));
    return new CellResult(
        ends.output().take(),
        shown,
        variables.changes(),
        diagnostics,
        error,
        ends.functions().takeAnswer(),
        new CellResult.Used(m.used(), m.aliveAtMost()));
  }

  private Value checked(Source cell, Diagnostics found) {
    long bytes = cell.bytes();
    if (bytes > ends.policy().scriptBytes()) {
      found.add(
          RagshCode.TOO_LONG
              .at(
                  Span.BEGINNING,
                  "the cell has " + bytes + " bytes, more than " + ends.policy().scriptBytes())
              .help("divide it into several cells"));
      return None.NONE;
    }
    var parsed = Parser.parse(cell, members.keySet(), found);
    if (found.hasErrors()) return None.NONE;
    var names =
        new Names(
            new HashSet<>(variables.names()), given.keySet(), signatures, reserved, members, hosts);
    var resolved = Resolver.resolve(parsed, names, found);
    if (found.hasErrors()) return None.NONE;
    return machine.run(CellCompiler.compile(cell, parsed, resolved, variables::cell, given));
  }

  private static CellError rejected(List<Diagnostic> found) {
    var first =
        found.stream().filter(d -> d.severity() == Severity.ERROR).findFirst().orElseThrow();
    return new CellError(first.code(), CellError.Kind.REJECTED, "", first.message(), List.of());
  }

  private static CellError raised(Raise e) {
    var look = look();
    String message;
    try {
      message = cut(Repr.message(look, e.error()), MESSAGE_SHOWN);
    } catch (Halt _) {
      message = "(too long to show)";
    }
    var places =
        e.places().stream()
            .map(p -> new CellError.Place(p.source(), p.span(), p.function()))
            .toList();
    var code = e.error().code().isEmpty() ? "raised" : e.error().code();
    return new CellError(
        "E-ragsh-" + code, CellError.Kind.RAISED, e.error().type().name(), message, places);
  }

  private static CellError ended(Halt e) {
    var message = e.getMessage() == null ? e.code() : e.getMessage();
    return new CellError("E-ragsh-" + e.code(), CellError.Kind.ENDED, "", message, List.of());
  }

  private static Diagnostic diagnostic(Source cell, CellError error) {
    var span = Span.BEGINNING;
    for (var place : error.places()) {
      if (place.cell() == cell) {
        span = place.span();
        break;
      }
    }
    var text = error.type().isEmpty() ? error.message() : error.type() + ": " + error.message();
    return Diagnostic.error(error.code(), span, text);
  }

  private static Meter look() {
    var look = new Meter(new Meter.Limits(100_000, 4 << 20, 200), m -> 0, () -> 0);
    look.begin(1);
    return look;
  }

  private static CellResult.@Nullable Shown show(Value value) {
    String text;
    try {
      text = cut(Repr.repr(look(), value), VALUE_SHOWN);
    } catch (Halt _) {
      text = "(too large to show)";
    }
    return new CellResult.Shown(value.typeName(), text);
  }

  private static String cut(String text, int most) {
    if (text.codePointCount(0, text.length()) <= most) return text;
    return text.substring(0, text.offsetByCodePoints(0, most)) + "…";
  }
}
