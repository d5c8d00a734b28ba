package dev.superstep.otel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whatever is not heard, all that begins ends.
@Timeout(120)
@Tag("T59")
class LostEventsTest {
  record City(String name) {}

  /// Counts what begins and ends.
  private static final class Counting implements SpanProcessor {
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    @Override
    public void onStart(io.opentelemetry.context.Context parent, ReadWriteSpan span) {
      begun.incrementAndGet();
    }

    @Override
    public boolean isStartRequired() {
      return true;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      ended.incrementAndGet();
    }

    @Override
    public boolean isEndRequired() {
      return true;
    }
  }

  private final Counting counting = new Counting();
  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(counting)
                  .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                  .build())
          .build();

  private static List<Event> events(String thread) throws InterruptedException {
    var tool = Tool.of("look", "Looks.", City.class, (city, _) -> city.name());
    var reader =
        Agent.named("reader").model(ScriptedModel.by(_ -> ScriptedModel.text("r"))).build();
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(
                new ToolCall("c1", "look", "{\"name\":\"Oslo\"}"),
                new ToolCall("c2", "reader", "{\"task\":\"x\"}"),
                new ToolCall("c3", "reader", "{\"task\":\"y\"}")),
            ScriptedModel.text("Done."));
    var agent = Agent.named("boss").model(model).tools(tool).agent(reader, "Reads.").build();
    var events = Collections.synchronizedList(new ArrayList<Event>());
    agent.run(
        "Go.",
        RunOptions.thread(thread).checkpoints(new InMemoryCheckpointer()).listener(events::add));
    return events;
  }

  private void assertAllEnded(Telemetry telemetry) {
    assertThat(telemetry.openSpans()).isZero();
    assertThat(counting.ended).hasValue(counting.begun.get());
  }

  @Test
  void a_run_whose_end_event_arrives_leaves_no_open_span_whatever_else_is_lost() throws Exception {
    var events = events("t");
    for (int lost = 0; lost < events.size() - 1; lost++) {
      var telemetry = Telemetry.of(sdk);
      for (int i = 0; i < events.size(); i++) if (i != lost) telemetry.on(events.get(i));
      assertAllEnded(telemetry);
    }
  }

  @Test
  void any_part_of_the_events_leaves_no_span_open_after_the_next_run_of_the_thread()
      throws Exception {
    var events = events("t");
    var next = events("t");
    var random = new Random(7);
    for (int round = 0; round < 200; round++) {
      var telemetry = Telemetry.of(sdk);
      for (var event : events) if (random.nextInt(3) > 0) telemetry.on(event);
      next.forEach(telemetry::on);
      assertAllEnded(telemetry);
    }
  }

  @Test
  void closing_ends_open_spans() throws InterruptedException {
    var events = events("t");
    for (int heard = 1; heard < events.size(); heard++) {
      var telemetry = Telemetry.of(sdk);
      events.subList(0, heard).forEach(telemetry::on);
      assertThat(telemetry.openSpans()).isPositive();
      telemetry.close();
      events.subList(heard, events.size()).forEach(telemetry::on);
      assertAllEnded(telemetry);
    }
  }

  @Test
  void runs_whose_end_event_is_lost_are_evicted() throws InterruptedException {
    var telemetry = Telemetry.of(sdk, TelemetryOptions.defaults().withOpenSpans(20));
    for (int run = 0; run < 60; run++) {
      var events = events("t" + run);
      events.subList(0, events.size() / 2).forEach(telemetry::on);
      assertThat(telemetry.openSpans()).isLessThanOrEqualTo(40);
    }
    assertThat(exporter.getFinishedSpanItems())
        .anySatisfy(span ->
            assertThat(CollectedTelemetry.get(span, AttributeKeys.OUTCOME)).isEqualTo("abandoned"));
    telemetry.close();
    assertAllEnded(telemetry);
  }

  @Test
  void a_single_run_with_too_many_spans_drops_some_and_reports_it() throws Exception {
    var telemetry = Telemetry.of(sdk, TelemetryOptions.defaults().withOpenSpans(4));
    events("t").forEach(telemetry::on);
    assertAllEnded(telemetry);
    assertThat(exporter.getFinishedSpanItems())
        .filteredOn(span -> span.getName().equals("run boss"))
        .singleElement()
        .satisfies(
            span -> assertThat(CollectedTelemetry.get(span, AttributeKeys.LEFT_OUT)).isPositive());
  }

  @Test
  void dropped_events_are_counted_on_the_span_of_the_run() throws InterruptedException {
    var events = events("t");
    var telemetry = Telemetry.of(sdk);
    telemetry.on(events.getFirst());
    Origin at = events.getFirst().origin();
    telemetry.on(new Event.EventsDropped(at, 12));
    telemetry.on(events.getLast());
    // Nobody knows whether the run is at work.
    telemetry.on(new Event.EventsDropped(at, 1));
    assertAllEnded(telemetry);
    assertThat(exporter.getFinishedSpanItems())
        .singleElement()
        .satisfies(
            span -> assertThat(CollectedTelemetry.get(span, AttributeKeys.LOST)).isEqualTo(12));
  }
}
