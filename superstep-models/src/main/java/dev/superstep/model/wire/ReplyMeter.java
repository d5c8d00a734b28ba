package dev.superstep.model.wire;

import dev.superstep.model.ModelException;
import java.util.function.Function;

/// Counts the received data and the retained memory of one reply, and ends the call at the limits.
/// One thread at a time.
final class ReplyMeter implements AutoCloseable {
  /// The memory, in bytes, for each character of a growing text, spare capacity included.
  private static final int PER_CHARACTER = 3;

  private final ReplyLimits limits;
  private final ReplyMemory memory;
  private final Function<String, ModelException> error;
  private long received;
  private long kept;
  private long held;

  /// @param error makes the error of what the vendor did
  ReplyMeter(ReplyLimits limits, ReplyMemory memory, Function<String, ModelException> error) {
    this.limits = limits;
    this.memory = memory;
    this.error = error;
  }

  /// Returns the bytes that arrived so far.
  long received() {
    return received;
  }

  /// Bytes have arrived.
  void received(int bytes) {
    received += bytes;
    if (received > limits.received()) throw tooLarge("RECEIVED", limits.received() + " bytes");
  }

  /// Holds bytes until [#release].
  void hold(long bytes) {
    if (!memory.reserve(held, bytes)) {
      throw error.apply(
          "sent a reply for which no memory is left beside the others that are under way. Ask less"
              + " at once, or raise the system property superstep.replies.max");
    }
    held += bytes;
  }

  void release(long bytes) {
    held -= bytes;
    memory.give(bytes);
  }

  /// Counts characters that are retained as a part of the reply.
  void retain(long characters) {
    kept += characters;
    if (kept > limits.kept()) throw tooLarge("KEPT", limits.kept() + " characters of text");
    hold(PER_CHARACTER * characters);
  }

  /// A line has grown to this many bytes.
  void line(long bytes) {
    if (bytes > limits.line()) {
      throw error.apply(
          "sent a line of more than %d bytes. Raise %s if it may"
              .formatted(limits.line(), ReplyLimits.variable("LINE")));
    }
  }

  /// An event, or a whole reply, has grown to this many bytes.
  void event(long bytes) {
    int most = Math.min(limits.event(), memory.longest());
    if (bytes <= most) return;
    var more =
        most < limits.event()
            ? "Give the process more memory if it may"
            : "Raise " + ReplyLimits.variable("EVENT") + " if it may";
    throw error.apply("sent more than %d bytes at once. %s".formatted(most, more));
  }

  /// There is one more call.
  void calls(int number) {
    if (number > limits.calls()) throw tooLarge("CALLS", limits.calls() + " tool calls");
  }

  private ModelException tooLarge(String limit, String most) {
    return error.apply(
        "sent a reply of more than %s. Raise %s if it may"
            .formatted(most, ReplyLimits.variable(limit)));
  }

  /// Releases all retained memory.
  @Override
  public void close() {
    release(held);
  }
}
