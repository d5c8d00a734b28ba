package dev.superstep.journal;

import dev.superstep.event.Event;
import dev.superstep.event.RunStatus;
import java.util.Optional;

/// The status of a thread, computed from its journal. Contains nothing that nodes wrote, said or
/// were asked. Immutable.
///
/// @param runs how many runs began
/// @param newest the newest of them; its sequence is the offset of the last entry that it knows. A
///   run whose process died stays at work until another one begins
/// @param checkpoint the newest one of the thread's own graph in the journal
public record ThreadStatus(long runs, Optional<RunStatus> newest, Optional<String> checkpoint) {
  static final ThreadStatus NONE = new ThreadStatus(0, Optional.empty(), Optional.empty());

  ThreadStatus after(Event event) {
    return switch (event) {
      // Published between two runs, and by neither.
      case Event.StateUpdated e -> new ThreadStatus(runs, newest, Optional.of(e.checkpoint()));
      case Event.ThreadForked e -> new ThreadStatus(runs, newest, Optional.of(e.checkpoint()));
      case Event _ -> {
        var run = event.origin().run();
        var same = newest.filter(status -> status.run().equals(run));
        var status = same.map(s -> s.after(event)).orElseGet(() -> RunStatus.of(event));
        long begun = event instanceof Event.RunStarted ? runs + 1 : runs;
        yield new ThreadStatus(
            begun, Optional.of(status), status.checkpoint().or(() -> checkpoint));
      }
    };
  }
}
