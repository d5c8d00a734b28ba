package dev.superstep.otel;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongUpDownCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongGauge;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/// The metrics of a server, and the names of attributes that only it has. Safe for many threads.
final class ServerInstruments {
  static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
  static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
  static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
  static final AttributeKey<String> PATH = AttributeKey.stringKey("url.path");
  static final AttributeKey<String> CLIENT = AttributeKey.stringKey("client.address");
  static final AttributeKey<String> SERVED_RUN = AttributeKey.stringKey("superstep.server.run.id");
  static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("superstep.server.run.attempt");

  private static final Set<String> METHODS =
      Set.of("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE");

  // Those of the semantic conventions, and more for streams and runs.
  private static final List<Double> SECONDS =
      List.of(
          0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 60.0,
          300.0, 3600.0);

  private final Meter meter;
  private final DoubleHistogram requests;
  private final DoubleHistogram runs;
  private final LongUpDownCounter streams;
  private final LongCounter takeOvers;

  ServerInstruments(Meter meter) {
    this.meter = meter;
    requests = seconds("http.server.request.duration", "Duration of HTTP server requests.");
    runs = seconds("superstep.server.run.duration", "The work of one process on a run.");
    streams =
        meter
            .upDownCounterBuilder("superstep.server.streams")
            .setUnit("{stream}")
            .setDescription("Answers that clients are reading as they come.")
            .build();
    takeOvers =
        meter
            .counterBuilder("superstep.server.runs.taken_over")
            .setUnit("{run}")
            .setDescription("Runs that another process had begun.")
            .build();
  }

  private DoubleHistogram seconds(String name, String description) {
    return meter
        .histogramBuilder(name)
        .setDescription(description)
        .setUnit("s")
        .setExplicitBucketBoundariesAdvice(SECONDS)
        .build();
  }

  /// The name of a method, of which there are few.
  static String method(String asked) {
    return METHODS.contains(asked) ? asked : "_OTHER";
  }

  void request(Attributes attributes, Duration took) {
    requests.record(took.toNanos() / 1e9, attributes);
  }

  void run(String graph, String status, Duration took) {
    var attributes = Attributes.of(AttributeKeys.GRAPH, graph, AttributeKeys.OUTCOME, status);
    runs.record(took.toNanos() / 1e9, attributes);
  }

  void streams(int change) {
    streams.add(change);
  }

  void takenOver(String graph) {
    takeOvers.add(1, Attributes.of(AttributeKeys.GRAPH, graph));
  }

  ObservableLongGauge waiting(LongSupplier runs) {
    return meter
        .gaugeBuilder("superstep.server.runs.waiting")
        .ofLongs()
        .setUnit("{run}")
        .setDescription("Runs that could begin and have not, in all processes on the store.")
        .buildWithCallback(measurement -> measurement.record(runs.getAsLong()));
  }
}
