package dev.superstep.server.log;

import dev.superstep.run.ThreadContext;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Hears nothing. Immutable.
final class NoListener
    implements ServerListener, ServerListener.RequestSpan, ServerListener.RunSpan {
  static final NoListener NONE = new NoListener();

  private NoListener() {}

  @Override
  public RequestSpan request(String method, Function<String, Optional<String>> header) {
    return this;
  }

  @Override
  public RunSpan run(RunBegin begin) {
    return this;
  }

  @Override
  public void streams(int change) {
    // Nobody counts them.
  }

  @Override
  public void waiting(LongSupplier runs) {
    // Nobody asks.
  }

  @Override
  public void stopped() {
    // Nothing was begun.
  }

  @Override
  public ThreadContext context() {
    return work -> work;
  }

  @Override
  public Map<String, String> carried() {
    return Map.of();
  }

  @Override
  public void ended(RequestLog.Served request) {
    // Nobody wants to know.
  }

  @Override
  public void ended(String status) {
    // Nobody wants to know.
  }

  @Override
  public void close() {
    // Nothing is open.
  }

  @Override
  public String toString() {
    return "ServerListener.none";
  }
}
