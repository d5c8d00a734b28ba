package dev.superstep.otel;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where spans and metrics go. Safe for many threads.
record TelemetryOutput(
    Tracer tracer, Instruments instruments, SpanLimit room, TelemetryOptions options) {
  /// A span that has its name and kind, and needs a place and a time.
  record Draft(String name, SpanKind kind, Attributes attributes) {
    static Draft of(String name, Attributes attributes) {
      return new Draft(name, SpanKind.INTERNAL, attributes);
    }
  }

  /// Returns a payload as far as it may be told.
  Optional<String> captured(Payload payload, String text) {
    return options.capture().of(payload, text);
  }

  /// Begins a span, or none if no place is free.
  @Nullable OpenSpan start(Draft draft, Context parent, Instant at) {
    return room.tryAcquire() ? placed(draft, parent, at) : null;
  }

  /// Begins a span for which a place is reserved already.
  OpenSpan placed(Draft draft, Context parent, Instant at) {
    var span =
        tracer
            .spanBuilder(draft.name())
            .setSpanKind(draft.kind())
            .setParent(parent)
            .setAllAttributes(draft.attributes())
            .setStartTimestamp(at)
            .startSpan();
    return new OpenSpan(span, parent, at, room);
  }
}
