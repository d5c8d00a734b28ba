package dev.superstep.otel;

import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.EventListener;
import dev.superstep.node.NodeContext;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes OpenTelemetry spans and metrics of runs, from their events alone. The names are those of
/// the GenAI semantic conventions, and `superstep.` names for what these do not know.
///
/// ```java
/// var telemetry = Telemetry.of(openTelemetry);
/// agent.run("Where is my parcel?", RunOptions.defaults().listener(telemetry));
/// ```
///
/// ```text
/// run support
///   invoke_agent support
///     node begin
///     node model
///       chat gpt-5.2
///     node tools
///       execute_tool search
/// ```
///
/// The span of a run is inside the span that is current where the run starts. A run that resumes a
/// thread, also in another process, is a trace of its own: `gen_ai.conversation.id` finds all of a
/// thread, and within one process each is linked to the one before.
///
/// No payload is on a span, in a metric or in a status unless [TelemetryOptions#capture] says so.
/// Where nobody reads what it makes, as with [OpenTelemetry#noop], it is not listening, and a run
/// costs what it costs without it.
///
/// It hears on the runs' own threads; put it behind [dev.superstep.event.EventHub#deliver] to have
/// it on a thread of its own. One serves all runs of a process. Safe for many threads.
public final class Telemetry implements EventListener, AutoCloseable {
  private static final String SCOPE = "dev.superstep";

  /// Of how many runs and threads it is known for a while that they ended.
  private static final int ENDED_MOST = 1_000;

  private final TelemetryOutput output;

  // The run that has told nothing for longest comes first.
  private final LinkedHashMap<String, RunTrace> runs = new LinkedHashMap<>(16, 0.75f, true);
  private final Newest<Boolean> ended = new Newest<>();
  private final Newest<SpanContext> threads = new Newest<>();
  private volatile boolean closed;

  private Telemetry(TelemetryOutput output) {
    this.output = output;
  }

  /// Without payloads.
  public static Telemetry of(OpenTelemetry to) {
    return of(to, TelemetryOptions.defaults());
  }

  /// With these options.
  public static Telemetry of(OpenTelemetry to, TelemetryOptions options) {
    Tracer tracer = to.getTracer(SCOPE);
    var instruments = new Instruments(to.getMeter(SCOPE));
    var room = new SpanLimit(options.openSpans());
    return new Telemetry(new TelemetryOutput(tracer, instruments, room, options));
  }

  /// Returns the details that a run must add to its events, if captured payloads need them:
  /// `options.listener(telemetry, telemetry.details())`.
  public Detail[] details() {
    return output.options().capture().details();
  }

  @Override
  public boolean isListening() {
    return !closed && (output.tracer().isEnabled() || output.instruments().isEnabled());
  }

  /// In which spans are to be made that belong to a node, such as those of an HTTP client. Where
  /// the node's task is not known, in what is current.
  ///
  /// ```java
  /// try (var _ = telemetry.within(context).makeCurrent()) { ... }
  /// ```
  public Context within(NodeContext node) {
    RunTrace run;
    synchronized (this) {
      run = runs.get(node.run());
    }
    var current = Context.current();
    return run == null ? current : run.context(node.task()).orElse(current);
  }

  /// Returns the number of open spans.
  public int openSpans() {
    return output.room().used();
  }

  @Override
  public void on(Event event) {
    if (!isListening()) return;
    if (event instanceof Event.EventsDropped dropped) output.instruments().lost(dropped.count());
    var done = new ArrayList<RunTrace>();
    var run = find(event, done);
    for (var other : done) other.abandon(event.origin().at());
    if (run == null || !run.onEvent(event)) return;
    synchronized (this) {
      var id = event.origin().run();
      runs.remove(id);
      ended.put(id, true);
    }
  }

  /// @param done gets the runs whose end will not be heard
  private @Nullable RunTrace find(Event event, List<RunTrace> done) {
    var at = event.origin();
    synchronized (this) {
      var known = runs.get(at.run());
      if (closed || (known == null && !begins(event))) return null;
      if (event instanceof Event.RunStarted) {
        // A thread has one run at a time.
        at.thread().ifPresent(thread -> leave(thread, at.run(), done));
      }
      makeRoom(at.run(), done);
      if (known != null) return known;
      var made = new RunTrace(output, event, span(event));
      runs.put(at.run(), made);
      at.thread().ifPresent(thread -> threads.put(thread, made.link()));
      return made;
    }
  }

  /// Returns true if an event belongs to a run in progress: its start, or a later event if the
  /// start was missed.
  private boolean begins(Event event) {
    return switch (event) {
      case Event.RunStarted _ -> true;
      // Told between two runs, or of a run that may be over.
      case Event.StateUpdated _,
          Event.ThreadForked _,
          Event.EventsDropped _,
          Event.RunCompleted _,
          Event.RunInterrupted _,
          Event.RunStopped _,
          Event.RunFailed _ ->
          false;
      case Event _ -> !ended.has(event.origin().run());
    };
  }

  private void leave(String thread, String run, List<RunTrace> done) {
    var all = runs.entrySet().iterator();
    while (all.hasNext()) {
      var other = all.next();
      if (other.getKey().equals(run)) continue;
      if (!other.getValue().thread().filter(thread::equals).isPresent()) continue;
      done.add(other.getValue());
      all.remove();
      ended.put(other.getKey(), true);
    }
  }

  /// Closes the run that has been silent the longest, if no span can be opened. It gets a new span
  /// if it continues.
  private void makeRoom(String run, List<RunTrace> done) {
    if (!output.room().isFull()) return;
    var all = runs.entrySet().iterator();
    while (all.hasNext()) {
      var other = all.next();
      if (other.getKey().equals(run)) continue;
      done.add(other.getValue());
      all.remove();
      return;
    }
  }

  private OpenSpan span(Event first) {
    var at = first.origin();
    boolean isBegin = first instanceof Event.RunStarted;
    var attributes = Attributes.builder().put(AttributeKeys.RUN, at.run());
    var root = at.path().isEmpty() ? at.graph() : at.path().getFirst();
    if (at.path().isEmpty()) attributes.put(AttributeKeys.GRAPH, at.graph());
    if (!isBegin) attributes.put(AttributeKeys.PARTIAL, true);
    if (first instanceof Event.RunStarted begun)
      attributes.put(AttributeKeys.RESUMED, begun.resumed());
    at.thread()
        .ifPresent(thread ->
            attributes.put(AttributeKeys.THREAD, thread).put(AttributeKeys.CONVERSATION, thread));
    for (var name : output.options().labels()) {
      var value = at.labels().get(name);
      if (value != null) attributes.put(AttributeKeys.label(name), value);
    }
    var before = at.thread().map(threads::get).orElse(null);
    var parent = Context.current();
    var span =
        output
            .tracer()
            .spanBuilder("run " + root)
            .setSpanKind(SpanKind.INTERNAL)
            .setParent(parent)
            .setAllAttributes(attributes.build())
            .setStartTimestamp(at.at());
    if (before != null) span.addLink(before);
    output.room().force();
    return new OpenSpan(span.startSpan(), parent, at.at(), output.room());
  }

  /// Ends the spans of all runs that are at work. It hears nothing afterwards.
  @Override
  public void close() {
    List<RunTrace> all;
    synchronized (this) {
      closed = true;
      all = new ArrayList<>(runs.values());
      runs.clear();
    }
    var now = Instant.now();
    for (var run : all) run.abandon(now);
  }

  /// The newest of something. Guarded by the monitor of its telemetry.
  private static final class Newest<T> {
    private final LinkedHashMap<String, T> all = new LinkedHashMap<>();

    void put(String name, T value) {
      all.putLast(name, value);
      if (all.size() > ENDED_MOST) all.pollFirstEntry();
    }

    boolean has(String name) {
      return all.containsKey(name);
    }

    @Nullable T get(String name) {
      return all.get(name);
    }
  }

  @Override
  public String toString() {
    return "Telemetry[" + (closed ? "closed]" : "open]");
  }
}
