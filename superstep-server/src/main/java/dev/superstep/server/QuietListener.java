package dev.superstep.server;

import dev.superstep.run.ThreadContext;
import dev.superstep.server.log.RequestLog;
import dev.superstep.server.log.ServerListener;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A listener whose failures are logged, and harm nobody. Safe for many threads.
final class QuietListener implements ServerListener {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.server");

  private static final ServerListener NONE = ServerListener.none();

  private final ServerListener to;

  private QuietListener(ServerListener to) {
    this.to = to;
  }

  /// Passes everything on.
  static ServerListener of(ServerListener to) {
    return to.equals(NONE) ? to : new QuietListener(to);
  }

  private static void quietly(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException failed) {
      LOG.warn("The listener of the server failed", failed);
    }
  }

  private static <T> T quietly(Supplier<T> call, T otherwise) {
    try {
      return call.get();
    } catch (RuntimeException failed) {
      LOG.warn("The listener of the server failed", failed);
      return otherwise;
    }
  }

  @Override
  public RequestSpan request(String method, Function<String, Optional<String>> header) {
    var span = quietly(() -> to.request(method, header), NONE.request(method, header));
    return new RequestSpan() {
      @Override
      public Map<String, String> carried() {
        return quietly(span::carried, Map.of());
      }

      @Override
      public void ended(RequestLog.Served request) {
        quietly(() -> span.ended(request));
      }
    };
  }

  @Override
  public RunSpan run(RunBegin begin) {
    var span = quietly(() -> to.run(begin), NONE.run(begin));
    return new RunSpan() {
      @Override
      public void ended(String status) {
        quietly(() -> span.ended(status));
      }

      @Override
      public void close() {
        quietly(span::close);
      }
    };
  }

  @Override
  public void streams(int change) {
    quietly(() -> to.streams(change));
  }

  @Override
  public void waiting(LongSupplier runs) {
    quietly(() -> to.waiting(runs));
  }

  @Override
  public void stopped() {
    quietly(to::stopped);
  }

  @Override
  public ThreadContext context() {
    return to.context();
  }

  @Override
  public String toString() {
    return to.toString();
  }
}
