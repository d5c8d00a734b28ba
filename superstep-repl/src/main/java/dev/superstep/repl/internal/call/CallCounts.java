package dev.superstep.repl.internal.call;

import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.record.CallRecord;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// Counts the calls of a session against its limits. Owned by the thread of the cell.
public final class CallCounts {
  private final ReplLimits limits;
  private final Map<CallKind, Integer> used = new EnumMap<>(CallKind.class);

  public CallCounts(ReplLimits limits) {
    this.limits = limits;
  }

  public int concurrency() {
    return limits.concurrency();
  }

  private int most(CallKind kind) {
    return switch (kind) {
      case MODEL -> limits.models();
      case TOOL, STORE -> limits.tools();
      case AGENT -> limits.agents();
      case GRAPH -> limits.graphs();
      case DEFINITION -> limits.definitions();
      case EMIT, LANGUAGE -> Integer.MAX_VALUE;
    };
  }

  public int left(CallKind kind) {
    return most(kind) - used.getOrDefault(kind, 0);
  }

  /// Counts calls before they are made.
  public void take(CallKind kind, int many) throws HostFailure {
    if (many > left(kind)) {
      throw HostFailure.fatal(
          "call-limit",
          "the session may make %d calls of kind %s, %d are left, and this needs %d"
              .formatted(most(kind), kind.label(), left(kind), many));
    }
    used.merge(kind, many, Integer::sum);
  }

  /// Counts a call of a cell that is not run again.
  public void known(CallRecord call) {
    for (var kind : CallKind.values()) {
      if (kind.label().equals(call.kind())) used.merge(kind, call.answers().size(), Integer::sum);
    }
  }

  /// The calls that are left, by name.
  public Map<String, Long> all() {
    var all = new LinkedHashMap<String, Long>();
    for (var kind : CallKind.values()) {
      if (isTold(kind)) all.put(kind.label() + "_calls", (long) left(kind));
    }
    return all;
  }

  /// Leaves out kinds without a limit, and those that few sessions have.
  private static boolean isTold(CallKind kind) {
    return kind != CallKind.EMIT && kind != CallKind.LANGUAGE && kind != CallKind.STORE;
  }
}
