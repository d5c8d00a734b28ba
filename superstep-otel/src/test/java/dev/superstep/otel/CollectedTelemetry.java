package dev.superstep.otel;

import static java.util.stream.Collectors.joining;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// A real SDK that keeps what it is given.
final class CollectedTelemetry {
  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
  private final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(metrics).build())
          .build();

  OpenTelemetrySdk sdk() {
    return sdk;
  }

  /// Those that have ended.
  List<SpanData> spans() {
    return spans.getFinishedSpanItems();
  }

  List<SpanData> named(String name) {
    return spans().stream().filter(span -> span.getName().equals(name)).toList();
  }

  SpanData one(String name) {
    var all = named(name);
    if (all.size() != 1) throw new AssertionError(all.size() + " spans `" + name + "`:\n" + tree());
    return all.getFirst();
  }

  Collection<MetricData> metrics() {
    return metrics.collectAllMetrics();
  }

  MetricData metric(String name) {
    return metrics().stream().filter(m -> m.getName().equals(name)).findFirst().orElseThrow();
  }

  /// The tree of names; siblings in the order in which they began.
  String tree() {
    var lines = new ArrayList<String>();
    for (var root : children("0000000000000000")) add(root, 0, lines);
    return lines.stream().collect(joining("\n", "", "\n"));
  }

  private void add(SpanData span, int depth, List<String> lines) {
    lines.add("  ".repeat(depth) + span.getName());
    for (var child : children(span.getSpanId())) add(child, depth + 1, lines);
  }

  private List<SpanData> children(String parent) {
    return spans().stream()
        .filter(span -> span.getParentSpanId().equals(parent))
        .sorted(
            Comparator.comparingLong(SpanData::getStartEpochNanos).thenComparing(SpanData::getName))
        .toList();
  }

  static <T> T get(SpanData span, AttributeKey<T> key) {
    return span.getAttributes().get(key);
  }

  /// All that is told, as text.
  String everything() {
    return spans() + "\n" + metrics();
  }
}
