package dev.superstep.otel;

import dev.superstep.event.Redaction;
import dev.superstep.json.Json;
import java.time.Instant;

/// A model or a tool that was called and has not answered. For the thread that hears its run.
final class OpenCall {
  private static final int HELD_MOST = 4 * Capture.LONGEST;

  private final OpenSpan span;
  private final String id;
  private final boolean isModel;
  private final StringBuilder said = new StringBuilder();
  private boolean heard;

  /// @param id of a tool, its call; of a model, its URL
  OpenCall(OpenSpan span, String id, boolean isModel) {
    this.span = span;
    this.id = id;
    this.isModel = isModel;
  }

  OpenSpan span() {
    return span;
  }

  /// Returns the name of the model.
  RequestedModel asked() {
    return RequestedModel.of(id);
  }

  boolean isModel() {
    return isModel;
  }

  boolean is(boolean model, String other) {
    return isModel == model && id.equals(other);
  }

  /// A piece of the answer has come.
  ///
  /// @return whether it is the first one
  boolean onPiece(Instant at) {
    if (heard) return false;
    heard = true;
    span.set(AttributeKeys.REQUEST_STREAM, true);
    span.set(AttributeKeys.FIRST_CHUNK, span.age(at).toNanos() / 1e9);
    return true;
  }

  /// Holds what was said, for a program that wants it on the span.
  void hold(String text) {
    int left = HELD_MOST - said.length();
    said.append(text, 0, Math.min(left, text.length()));
  }

  /// Puts what was said on the span, as the conventions write messages.
  void recordMessages(Capture capture, String finish) {
    if (said.isEmpty()) return;
    var text = capture.of(Payload.ANSWERS, said.toString()).orElse(Redaction.REDACTED);
    var message =
        """
        [{"role":"assistant","parts":[{"type":"text","content":%s}],"finish_reason":%s}]\
        """
            .formatted(Json.string(text).text(), Json.string(finish).text());
    span.set(AttributeKeys.OUTPUT_MESSAGES, message);
  }
}
