package dev.superstep.repl.record;

import dev.superstep.json.Json;
import dev.superstep.repl.CellResult;
import dev.superstep.repl.internal.json.HostJson;
import java.util.List;
import java.util.Optional;

/// A cell that ran, with all that is needed to run it again without calling anything. Stored with
/// the thread: [dev.superstep.repl.agent.ReplAgent#CELLS]. Immutable.
///
/// @param run of the agent: each has a session of its own
/// @param code of the error that ended it; empty if it ran to its end
/// @param changed the variables that it changed
/// @param answer what it answered the question with, if it did; not in records of earlier versions
public record CellRecord(
    String run,
    String source,
    List<CallRecord> calls,
    String output,
    long printed,
    String code,
    List<Changed> changed,
    Optional<Json> answer) {
  private static final String TEXT = "context";

  public CellRecord {
    calls = List.copyOf(calls);
    changed = List.copyOf(changed);
  }

  /// A variable, without its value.
  ///
  /// @param type empty if it is gone
  /// @param digest of its value; empty if it is too large to be told
  public record Changed(String name, String type, long size, String digest) {}

  /// A step of a typed session that is no cell: `context` became another text.
  public static CellRecord ofText(String run, String name, String digest) {
    var call = new CallRecord(TEXT, name, digest, false, List.of());
    return new CellRecord(run, "", List.of(call), "", 0, "", List.of(), Optional.empty());
  }

  /// The text that `context` became, if this is such a step.
  public Optional<CallRecord> text() {
    return calls.stream().filter(call -> call.kind().equals(TEXT)).findFirst();
  }

  /// The record of a cell that ran.
  public static CellRecord of(
      String run, String source, List<CallRecord> calls, CellResult result) {
    var error = result.error();
    var answer = result.answer();
    return new CellRecord(
        run,
        source,
        calls,
        result.output().shown(),
        result.output().length(),
        error == null ? "" : error.code(),
        result.changed().stream()
            .map(v -> new Changed(v.name(), v.type(), v.size(), v.digest()))
            .toList(),
        Optional.ofNullable(answer).map(HostJson::of));
  }

  /// Returns whether the cell failed before it called, printed or changed anything.
  public boolean didNothing() {
    return !code.isEmpty() && calls.isEmpty() && printed == 0 && changed.isEmpty();
  }

  /// This record as far as another one tells: those of earlier versions have no answer.
  public CellRecord asFarAs(CellRecord other) {
    if (other.answer.isPresent() || answer.isEmpty()) return this;
    return new CellRecord(run, source, calls, output, printed, code, changed, other.answer);
  }
}
