package dev.superstep.event;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Holds the status of the newest runs, for a list of runs that a person looks at. In memory only.
/// Safe for many threads.
public final class RunStatuses implements EventListener {
  private final int most;
  // In the order in which the runs began to tell.
  private final LinkedHashMap<String, RunStatus> runs = new LinkedHashMap<>();

  /// @param most how many runs are retained; the oldest that has ended goes first
  public RunStatuses(int most) {
    if (most < 1) throw new IllegalArgumentException("most must be at least 1, was " + most);
    this.most = most;
  }

  @Override
  public synchronized void on(Event event) {
    var run = event.origin().run();
    var before = runs.get(run);
    runs.put(run, before == null ? RunStatus.of(event) : before.after(event));
    if (runs.size() > most) forget();
  }

  private void forget() {
    for (var status : runs.sequencedValues()) {
      if (!status.hasEnded()) continue;
      runs.remove(status.run());
      return;
    }
    runs.pollFirstEntry();
  }

  /// Returns the status of a run, if it is known.
  public synchronized Optional<RunStatus> find(String run) {
    return Optional.ofNullable(runs.get(run));
  }

  /// The newest runs, newest first.
  public List<RunStatus> newest(int count) {
    return page(0, count);
  }

  /// The newest runs that began before a known one, newest first: the next page after one that ends
  /// with it. Empty if the run is not known any more.
  public synchronized List<RunStatus> before(String run, int count) {
    int place = List.copyOf(runs.sequencedKeySet().reversed()).indexOf(run);
    return place < 0 ? List.of() : page(place + 1, count);
  }

  private synchronized List<RunStatus> page(int from, int count) {
    return runs.sequencedValues().reversed().stream().skip(from).limit(count).toList();
  }

  @Override
  public String toString() {
    return "RunStatuses[at most " + most + " runs]";
  }
}
