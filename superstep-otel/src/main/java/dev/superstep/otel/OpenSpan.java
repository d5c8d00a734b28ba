package dev.superstep.otel;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.time.Instant;

/// A span that has begun. It holds a place until it ends. For the thread that hears its run.
final class OpenSpan {
  private final Span span;
  private final Context context;
  private final Instant began;
  private final SpanLimit room;
  private boolean ended;

  OpenSpan(Span span, Context parent, Instant began, SpanLimit room) {
    this.span = span;
    this.context = parent.with(span);
    this.began = began;
    this.room = room;
  }

  /// The context for spans inside this one.
  Context context() {
    return context;
  }

  Span span() {
    return span;
  }

  <T> OpenSpan set(AttributeKey<T> key, T value) {
    span.setAttribute(key, value);
    return this;
  }

  void mark(String name, Attributes attributes, Instant at) {
    span.addEvent(name, attributes, at);
  }

  /// Marks the span as failed. Only the code is recorded: messages may contain anything.
  OpenSpan failed(String code) {
    span.setAttribute(AttributeKeys.ERROR_TYPE, code);
    span.setStatus(StatusCode.ERROR, code);
    return this;
  }

  Duration age(Instant at) {
    return Duration.between(began, at);
  }

  /// Ends it; once.
  void end(Instant at) {
    if (ended) return;
    ended = true;
    room.give();
    span.end(at);
  }
}
