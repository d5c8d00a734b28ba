package dev.superstep.flow;

import dev.superstep.json.SuperstepException;
import dev.superstep.run.ThreadState;
import java.util.function.Supplier;

/// Rejects a snapshot that the flow cannot continue from. Immutable.
record SnapshotCheck(Flow<?, ?> flow, FlowSnapshot.Form form) {
  /// Before anything of it is used.
  void definition() {
    if (!form.flow().equals(flow.name())) {
      throw new FlowError.SnapLoadError(
          "it is one of flow `" + form.flow() + "`, not of `" + flow.name() + "`.", null);
    }
    var diff = form.definition().diff(FlowDescription.of(flow.shape()));
    if (!diff.isEmpty()) {
      throw new FlowError.SnapLoadError(
          "flow `%s` has changed since it was taken:%n%s%nGo on with the old definition, or begin anew."
              .formatted(flow.name(), String.join("\n", diff))
              .replace("\r\n", "\n"),
          diff,
          null);
    }
    for (var key : form.states().keySet()) {
      if (!form.at().versions().containsKey(key)) {
        throw new FlowError.SnapLoadError("`states.%s` has no version.".formatted(key), null);
      }
    }
    for (var state : flow.states()) {
      var value = form.states().get(state.key());
      if (value == null) continue;
      try {
        state.codec().decode(value);
      } catch (SuperstepException e) {
        throw new FlowError.SnapLoadError(
            "`states.%s`: %s".formatted(state.key(), e.getMessage()), e);
      }
    }
  }

  /// After it was put into a thread: what it says it waits for is what it waits for.
  void content(Supplier<ThreadState> put) {
    try {
      var open = PendingWaits.of(put.get());
      if (open.equals(form.suspended())) return;
    } catch (SuperstepException e) {
      throw new FlowError.SnapLoadError(String.valueOf(e.getMessage()), e);
    }
    throw new FlowError.SnapLoadError(
        "what it says in `suspended` is not what the tasks in it wait for.", null);
  }
}
