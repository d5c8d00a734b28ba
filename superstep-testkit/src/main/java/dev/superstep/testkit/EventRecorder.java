package dev.superstep.testkit;

import dev.superstep.event.Event;
import dev.superstep.event.EventListener;
import dev.superstep.lock.Mutex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Keeps the events of one or more runs, in order, for a test to look at or to wait for. Safe for
/// many threads.
///
/// ```java
/// var recorder = new EventRecorder();
/// graph.invoke(input, options.listener(recorder));
/// assertThat(recorder.kinds()).endsWith("run.completed");
/// ```
public final class EventRecorder implements EventListener {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<Event> heard = new ArrayList<>();
  private final Mutex lock = new Mutex();
  private final Condition news = lock.newCondition();

  /// A recorder that has heard nothing.
  public EventRecorder() {}

  @Override
  public void on(Event event) {
    try (var _ = lock.hold()) {
      heard.add(event);
      news.signalAll();
    }
  }

  /// Returns the events so far.
  public List<Event> events() {
    try (var _ = lock.hold()) {
      return List.copyOf(heard);
    }
  }

  /// Returns the events of one kind so far.
  public <E extends Event> List<E> events(Class<E> kind) {
    return events().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /// The kinds of what was heard so far, such as `node.finished`.
  public List<String> kinds() {
    return events().stream().map(EventRecorder::kind).toList();
  }

  /// Waits until an event was heard, before or after this call.
  ///
  /// @return the first such event
  /// @throws AssertionError if it does not come within half a minute
  public <E extends Event> E await(Class<E> kind) throws InterruptedException {
    return kind.cast(await(kind.getSimpleName(), kind::isInstance));
  }

  /// Waits until an event was heard, before or after this call.
  ///
  /// @param what names the event if it does not come
  /// @return the first such event
  /// @throws AssertionError if it does not come within half a minute
  public Event await(String what, Predicate<Event> wanted) throws InterruptedException {
    long left = PATIENCE.toNanos();
    try (var _ = lock.holdInterruptibly()) {
      for (int next = 0; ; next++) {
        while (next == heard.size()) {
          if (left <= 0) throw new AssertionError("no " + what + " came, only " + kinds());
          left = news.awaitNanos(left);
        }
        if (wanted.test(heard.get(next))) return heard.get(next);
      }
    }
  }

  /// Returns the events so far, one JSON object on each line, in a form that is equal for equal
  /// runs: without times and durations, and with ids numbered as they first appear. Events of
  /// different tasks stay in the order in which they came, so run with concurrency 1 to compare.
  public String log() {
    var events = events();
    var names = names(events);
    var log = new StringBuilder();
    for (var event : events) {
      var line = event.json().text();
      for (var name : names.entrySet()) line = line.replace(name.getKey(), name.getValue());
      line = line.replaceAll("\"at\":\"[^\"]*\",?", "").replaceAll(",?\"took\":\"[^\"]*\"", "");
      log.append(line).append('\n');
    }
    return log.toString();
  }

  private static Map<String, String> names(List<Event> events) {
    var names = new LinkedHashMap<String, String>();
    int[] given = new int[3];
    for (var event : events) {
      var run = event.origin().run();
      if (!names.containsKey(run)) names.put(run, "run-" + ++given[0]);
      var checkpoint =
          switch (event) {
            case Event.StepFinished e -> e.checkpoint();
            case Event.NodeStarted e -> checkpoint(e.task());
            case Event.NodeCached e -> checkpoint(e.task());
            default -> "";
          };
      if (!checkpoint.isEmpty() && !names.containsKey(checkpoint)) {
        names.put(checkpoint, "checkpoint-" + ++given[1]);
      }
      if (event instanceof Event.InterruptRaised asked) {
        names.putIfAbsent(asked.interrupt().id(), "question-" + ++given[2]);
      }
    }
    return longestFirst(names);
  }

  private static String checkpoint(String task) {
    return task.substring(0, task.indexOf('/'));
  }

  /// So that `id-1` is not replaced inside `id-12`.
  private static Map<String, String> longestFirst(Map<String, String> names) {
    return names.entrySet().stream()
        .sorted((a, b) -> Integer.compare(b.getKey().length(), a.getKey().length()))
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, Map.Entry::getValue, (a, _) -> a, LinkedHashMap::new));
  }

  private static String kind(Event event) {
    var json = event.json().text();
    int from = json.indexOf(":\"") + 2;
    return json.substring(from, json.indexOf('"', from));
  }
}
