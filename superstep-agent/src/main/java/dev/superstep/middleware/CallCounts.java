package dev.superstep.middleware;

import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The counts of calls of models and tools, saved with the thread. All limits of an agent write
/// equal counts, so the larger of two is the newer. Immutable.
///
/// @param run the run that `inRun` is of
/// @param models the turns of the thread
/// @param inRun the calls of each tool in the run
/// @param inThread the calls of each tool in the thread
record CallCounts(
    String run, int models, Map<String, Integer> inRun, Map<String, Integer> inThread) {
  private static final CallCounts NONE = new CallCounts("", 0, Map.of(), Map.of());

  static final Channel<CallCounts, CallCounts> CHANNEL =
      Channel.reduce("call-counts", CallCounts.class, NONE, CallCounts::newer);

  CallCounts {
    inRun = Map.copyOf(inRun);
    inThread = Map.copyOf(inThread);
  }

  /// As of the start of the superstep.
  static CallCounts of(AgentContext context) {
    var known = context.find(CHANNEL).orElse(NONE);
    return known.run.equals(context.run())
        ? known
        : new CallCounts(context.run(), known.models, Map.of(), known.inThread);
  }

  /// With what a reply asks for.
  CallCounts and(ChatReply reply) {
    var calls = reply.message().calls();
    return new CallCounts(run, models + 1, plus(inRun, calls), plus(inThread, calls));
  }

  /// The calls in the thread of these tools; of all if none are named.
  int inThread(Set<String> tools) {
    return sum(inThread, tools);
  }

  /// The calls in the run of these tools; of all if none are named.
  int inRun(Set<String> tools) {
    return sum(inRun, tools);
  }

  private static int sum(Map<String, Integer> counts, Set<String> tools) {
    int sum = 0;
    for (var entry : counts.entrySet()) {
      if (tools.isEmpty() || tools.contains(entry.getKey())) sum += entry.getValue();
    }
    return sum;
  }

  private static Map<String, Integer> plus(Map<String, Integer> counts, List<ToolCall> calls) {
    var more = new TreeMap<>(counts);
    for (var call : calls) more.merge(call.tool(), 1, Integer::sum);
    return more;
  }

  private CallCounts newer(CallCounts other) {
    var inThisRun = run.equals(other.run) ? larger(inRun, other.inRun) : other.inRun;
    return new CallCounts(
        other.run, Math.max(models, other.models), inThisRun, larger(inThread, other.inThread));
  }

  private static Map<String, Integer> larger(Map<String, Integer> a, Map<String, Integer> b) {
    var all = new TreeMap<>(a);
    b.forEach((tool, count) -> all.merge(tool, count, Math::max));
    return all;
  }
}
