package dev.superstep.otel;

import java.util.Set;

/// Options of [Telemetry]: additional payloads and labels, and a limit. Immutable.
///
/// @param capture the payloads on spans; nothing unless set
/// @param labels the names of those labels of runs that become attributes; none unless set, since
///   labels may name people
/// @param openSpans how many spans may be open at once, of all runs together
public record TelemetryOptions(Capture capture, Set<String> labels, int openSpans) {
  private static final int OPEN_SPANS = 10_000;

  public TelemetryOptions {
    labels = Set.copyOf(labels);
    if (openSpans < 1) {
      throw new IllegalArgumentException("openSpans must be at least 1, was " + openSpans);
    }
  }

  /// No payloads, no labels, 10,000 open spans.
  public static TelemetryOptions defaults() {
    return new TelemetryOptions(Capture.nothing(), Set.of(), OPEN_SPANS);
  }

  /// With these payloads on spans.
  public TelemetryOptions withCapture(Capture other) {
    return new TelemetryOptions(other, labels, openSpans);
  }

  /// With these labels of runs as attributes `superstep.label.NAME`.
  public TelemetryOptions withLabels(String... names) {
    return new TelemetryOptions(capture, Set.of(names), openSpans);
  }

  /// With at most so many open spans.
  public TelemetryOptions withOpenSpans(int most) {
    return new TelemetryOptions(capture, labels, most);
  }
}
