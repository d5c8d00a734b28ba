package dev.superstep.agent.status;

import dev.superstep.event.Event;
import dev.superstep.event.EventListener;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// The statuses of the agents of the newest runs, while they are at work. In memory only;
/// [AgentStatuses#projection] makes an equal list from a journal, and lasts. Safe for many threads.
///
/// ```java
/// var watch = new AgentWatch(100);
/// agent.run("Where is my parcel?", options.listener(watch));
/// watch.newest(10).forEach(status -> System.out.println(status.agent() + " " + status.phase()));
/// ```
public final class AgentWatch implements EventListener {
  private final int most;

  // By thread, or by run where nothing is kept; what has told nothing for longest comes first.
  private final LinkedHashMap<String, AgentStatuses> statuses = new LinkedHashMap<>();

  /// @param most the number of threads, and of runs without one, whose agents are known
  public AgentWatch(int most) {
    if (most < 1) throw new IllegalArgumentException("most must be at least 1, was " + most);
    this.most = most;
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.TextArrived) return;
    var at = event.origin();
    var place = at.thread().map(thread -> "thread " + thread).orElse("run " + at.run());
    synchronized (this) {
      var before = statuses.getOrDefault(place, AgentStatuses.NONE);
      statuses.putLast(place, before.after(event));
      if (statuses.size() > most) statuses.pollFirstEntry();
    }
  }

  /// An agent by its id.
  public synchronized Optional<AgentStatus> find(String run) {
    return statuses.values().stream().flatMap(all -> all.find(run).stream()).findFirst();
  }

  /// The agents that were called last, newest first.
  public List<AgentStatus> newest(int count) {
    var all = new ArrayList<AgentStatus>();
    synchronized (this) {
      for (var one : statuses.sequencedValues().reversed()) all.addAll(one.all().reversed());
    }
    return all.stream().limit(count).toList();
  }

  @Override
  public String toString() {
    return "AgentWatch[at most " + most + " runs]";
  }
}
