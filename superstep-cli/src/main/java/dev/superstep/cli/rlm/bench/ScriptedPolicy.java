package dev.superstep.cli.rlm.bench;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/// A way to find an answer by calls of tools, which is the same whether the calls are made one by
/// one, several a turn, or by a program. It is asked again after each turn, and says what it needs
/// to know by [Needs].
interface ScriptedPolicy {
  /// The answer, from what is known.
  ///
  /// @throws Needs if something is not known yet
  String answer(Known known) throws Needs;

  /// A call of a tool of [Shop].
  record Call(String tool, String id) {}

  /// Some calls have to be made first; they do not depend on each other.
  final class Needs extends Exception {
    private static final long serialVersionUID = 1;
    private final transient List<Call> calls;

    Needs(List<Call> calls) {
      super(calls.toString(), null, false, false);
      this.calls = calls;
    }

    List<Call> calls() {
      return calls;
    }
  }

  /// The results so far.
  record Known(Map<Call, String> results) {
    private List<Json> of(String tool, List<String> ids) throws Needs {
      var missing = new ArrayList<Call>();
      var found = new ArrayList<Json>();
      for (var id : ids) {
        var call = new Call(tool, id);
        var result = results.get(call);
        if (result == null) missing.add(call);
        else found.add(Json.parse(result));
      }
      if (!missing.isEmpty()) throw new Needs(missing);
      return found;
    }

    List<String> all(String tool, List<String> ids) throws Needs {
      var all = new ArrayList<String>();
      for (var list : of(tool, ids)) {
        for (var each : list.elements()) all.add(each.as(String.class));
      }
      return all;
    }

    List<Long> numbers(String tool, List<String> ids) throws Needs {
      return of(tool, ids).stream().map(each -> each.as(Long.class)).toList();
    }

    long sum(String tool, List<String> ids) throws Needs {
      ToLongFunction<Long> same = each -> each;
      return numbers(tool, ids).stream().mapToLong(same).sum();
    }
  }
}
