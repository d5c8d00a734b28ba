package dev.superstep.otel;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.event.Event;
import dev.superstep.model.ModelUse;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Makes the spans of one run from its events. Safe for many threads: a run publishes one event at
/// a time, but another run may have to end this one.
final class RunTrace {
  /// The error type that the conventions have for an error without a code.
  static final String OTHER = "_OTHER";

  /// Where an error begins with the name of a class; anything else may be text of a program.
  private static final Pattern CLASS = Pattern.compile("^(\\w{1,80}(?:Exception|Error))(?::|$)");

  /// The error type of a task whose run is stopped.
  private static final String STOPPED = InterruptedException.class.getSimpleName();

  private final TelemetryOutput output;
  private final RunSpans spans;
  private final AgentTrace agents;
  private final Optional<String> thread;
  private final String graph;
  private boolean over;
  private long lost;

  /// @param run the span of the run
  RunTrace(TelemetryOutput output, Event first, OpenSpan run) {
    this.output = output;
    this.thread = first.origin().thread();
    this.graph = rootOf(first);
    this.spans = new RunSpans(output, run);
    this.agents = new AgentTrace(output, spans);
  }

  private static String rootOf(Event first) {
    var at = first.origin();
    return at.path().isEmpty() ? at.graph() : "";
  }

  Optional<String> thread() {
    return thread;
  }

  SpanContext link() {
    return spans.run().span().getSpanContext();
  }

  /// In which the spans are that a program makes in a task.
  synchronized Optional<Context> context(String task) {
    var open = over ? null : spans.task(task);
    return open == null ? Optional.empty() : Optional.of(spans.innermost(open).context());
  }

  /// Hears the next event.
  ///
  /// @return whether it was the last one
  synchronized boolean onEvent(Event event) {
    if (!over) record(event);
    return over;
  }

  /// Ends everything, since the end was not heard and will not be.
  synchronized void abandon(Instant at) {
    if (!over) end(Outcome.ABANDONED, at);
  }

  private void record(Event event) {
    var at = event.origin();
    switch (event) {
      case Event.NodeStarted e -> spans.begin(at, e.node(), e.task());
      case Event.NodeCached e -> cached(e);
      case Event.NodeFinished e -> finished(e);
      case Event.NodeRetried e -> retried(e);
      case Event.NodeFailed e -> failed(e);
      case Event.NodeEmitted e -> emitted(e);
      case Event.TextArrived e -> agents.onPiece(e, e.piece().text());
      case Event.InterruptRaised e -> asked(e);
      case Event.InterruptAnswered e -> answered(e);
      case Event.SubgraphStarted e -> spans.enter(at.path(), e.task());
      case Event.SubgraphCompleted _ -> spans.closeInside(at.path(), Outcome.COMPLETED, at.at());
      case Event.StepFinished _ -> spans.closeStep(at);
      case Event.TaskStarted e ->
          e.argument()
              .ifPresent(given ->
                  captured(spans.begin(at, e.node(), e.task()), Payload.ARGUMENTS, given.text()));
      case Event.NodeUpdated e -> captured(spans.task(e), Payload.WRITES, written(e));
      case Event.EventsDropped e -> dropped(e);
      case Event.RunCompleted _ -> end(Outcome.COMPLETED, at.at());
      case Event.RunInterrupted _ -> end(Outcome.INTERRUPTED, at.at());
      case Event.RunStopped e -> {
        spans.run().set(AttributeKeys.STOP_REASON, e.reason());
        end(Outcome.STOPPED, at.at());
      }
      case Event.RunFailed e -> failed(e);
      case Event.NodeSkipped e ->
          mark(event, Attributes.of(AttributeKeys.NODE, e.node()), "superstep.node.skipped");
      case Event.MatrixFailed e ->
          mark(event, Attributes.of(AttributeKeys.NODE, e.node()), "superstep.matrix.failed");
      case Event.RunStarted _,
          Event.StepStarted _,
          Event.StateUpdated _,
          Event.ThreadForked _,
          Event.StateValues _,
          Event.TaskRestored _,
          Event.TaskEnded _,
          Event.PieceArrived _,
          Event.CheckpointSaved _,
          Event.RoutesSelected _,
          Event.ContextForked _,
          Event.ContextJoined _,
          Event.MatrixObserved _,
          Event.MatrixRouted _ -> {}
    }
  }

  private void mark(Event event, Attributes attributes, String name) {
    spans.run().mark(name, attributes, event.origin().at());
  }

  private void cached(Event.NodeCached event) {
    var task = spans.begin(event.origin(), event.node(), event.task());
    if (task == null) return;
    task.isCached();
    task.attributes().put(AttributeKeys.CACHED, true);
  }

  private void finished(Event.NodeFinished event) {
    var at = event.origin();
    var task = spans.task(event);
    var outcome = task != null && task.hasFailed() ? Outcome.FAILED : Outcome.COMPLETED;
    if (task == null || !task.wasCached()) {
      output.instruments().node(at.graph(), event.node(), outcome, event.took());
    }
    if (task == null) {
      spans.closeInside(event, outcome);
      return;
    }
    if (!event.channels().isEmpty()) spans.span(task).set(AttributeKeys.CHANNELS, event.channels());
    spans.close(task, outcome, at.at());
  }

  private void retried(Event.NodeRetried event) {
    var at = event.origin();
    output.instruments().retry(at.graph(), event.node());
    var task = spans.task(event);
    if (task == null) return;
    if (event.point().isEmpty()) {
      // What it told is void, so what it called will not answer.
      spans.drop(task, Outcome.FAILED, at.at());
      var agent = spans.scope(at.path()).agent();
      if (agent != null) agent.reopen();
      spans.span(task).set(AttributeKeys.ATTEMPT, (long) event.attempt());
    }
    var error = codeOf(task, event.error());
    task.blame("");
    var attributes =
        Attributes.builder()
            .put(AttributeKeys.ATTEMPT, (long) event.attempt())
            .put(AttributeKeys.DELAY, event.delay().toNanos() / 1e9)
            .put(AttributeKeys.ERROR_TYPE, error);
    if (!event.point().isEmpty()) attributes.put(AttributeKeys.POINT, event.point());
    message(attributes, event.error());
    spans.span(task).mark("superstep.retry", attributes.build(), at.at());
  }

  private void failed(Event.NodeFailed event) {
    var at = event.origin();
    var task = spans.task(event);
    var error = task == null ? classOf(event.error()) : codeOf(task, event.error());
    var outcome = error.equals(STOPPED) ? Outcome.STOPPED : Outcome.FAILED;
    if (outcome == Outcome.FAILED) output.instruments().error(at.graph(), "node", error);
    if (task == null) {
      spans.closeInside(event, outcome);
      return;
    }
    task.blame(error);
    captured(task, Payload.ERRORS, event.error());
    if (event.then() != Event.NodeFailed.Then.ABORT) {
      task.handled();
      spans.span(task).set(AttributeKeys.HANDLED, event.then().name());
      return;
    }
    var agent = spans.scope(at.path()).agent();
    if (agent != null && outcome == Outcome.FAILED) agent.blame(error);
    var took = Duration.between(task.began(), at.at());
    output.instruments().node(at.graph(), event.node(), outcome, took);
    spans.close(task, outcome, at.at());
  }

  private static String codeOf(OpenTask task, String error) {
    return task.code().isEmpty() ? classOf(error) : task.code();
  }

  private static String classOf(String error) {
    var name = CLASS.matcher(error);
    return name.find() ? name.group(1) : OTHER;
  }

  private void emitted(Event.NodeEmitted event) {
    var agent = agentEvent(event);
    if (agent != null) {
      agents.onEvent(event, agent);
    } else if (event.name().equals(ModelUse.RECORDED)) {
      agents.used(event);
    }
  }

  /// Programs may emit what they like, also under our names.
  private static @Nullable AgentEvent agentEvent(Event.NodeEmitted event) {
    try {
      return AgentEvent.of(event).orElse(null);
    } catch (RuntimeException _) {
      return null;
    }
  }

  private void asked(Event.InterruptRaised event) {
    var at = event.origin();
    var asked = event.interrupt();
    output.instruments().interrupt(at.graph(), asked.question());
    var attributes =
        Attributes.builder()
            .put(AttributeKeys.INTERRUPT, asked.id())
            .put(AttributeKeys.QUESTION, asked.question());
    output
        .captured(Payload.QUESTIONS, asked.payload().text())
        .ifPresent(text -> attributes.put(AttributeKeys.PAYLOAD, text));
    var task = spans.task(event);
    var span = task == null ? spans.run() : spans.span(task);
    span.mark("superstep.interrupt.raised", attributes.build(), at.at());
    if (task == null) return;
    spans.drop(task, Outcome.INTERRUPTED, at.at());
    task.waitsSince(at.at());
  }

  private void answered(Event.InterruptAnswered event) {
    var attributes = Attributes.builder().put(AttributeKeys.INTERRUPT, event.interrupt());
    output
        .captured(Payload.QUESTIONS, event.answer().text())
        .ifPresent(text -> attributes.put(AttributeKeys.ANSWER, text));
    mark(event, attributes.build(), "superstep.interrupt.answered");
  }

  private void dropped(Event.EventsDropped event) {
    lost += event.count();
    spans.run().set(AttributeKeys.LOST, lost).set(AttributeKeys.PARTIAL, true);
  }

  private void captured(@Nullable OpenTask task, Payload payload, String text) {
    if (task == null) return;
    var told = output.captured(payload, text);
    if (told.isEmpty()) return;
    var key = keyOf(payload);
    // A span made now would not be inside of an agent that is about to begin.
    if (task.isShown()) spans.span(task).set(key, told.get());
    else task.attributes().put(key, told.get());
  }

  private static String written(Event.NodeUpdated event) {
    var all = new StringJoiner("\n");
    for (var write : event.writes()) {
      switch (write) {
        case SavedWrite.Put put -> all.add(put.channel() + ": " + put.value().text());
        case SavedWrite.Overwrite put -> all.add(put.channel() + " = " + put.value().text());
        case SavedWrite.Remove gone -> all.add(gone.channel() + " - " + gone.key());
      }
    }
    return all.toString();
  }

  private static AttributeKey<String> keyOf(Payload payload) {
    return switch (payload) {
      case ARGUMENTS -> AttributeKeys.ARGUMENT;
      case WRITES -> AttributeKeys.WRITES;
      case ERRORS -> AttributeKeys.MESSAGE;
      case ANSWERS -> AttributeKeys.OUTPUT_MESSAGES;
      case QUESTIONS -> AttributeKeys.PAYLOAD;
    };
  }

  private void message(AttributesBuilder attributes, String error) {
    var told = output.captured(Payload.ERRORS, error);
    told.ifPresent(text -> attributes.put(AttributeKeys.MESSAGE, text));
  }

  private void failed(Event.RunFailed event) {
    output
        .captured(Payload.ERRORS, event.message())
        .ifPresent(text -> spans.run().set(AttributeKeys.MESSAGE, text));
    spans.run().failed(event.code());
    output.instruments().error(event.origin().graph(), "run", event.code());
    end(Outcome.FAILED, event.origin().at());
  }

  private void end(Outcome outcome, Instant at) {
    over = true;
    var run = spans.run();
    spans.closeInside(List.of(), outcome, at);
    run.set(AttributeKeys.OUTCOME, outcome.text());
    if (spans.leftOut() > 0) run.set(AttributeKeys.LEFT_OUT, spans.leftOut());
    if (outcome != Outcome.ABANDONED) output.instruments().run(graph, outcome, run.age(at));
    run.end(at);
  }
}
