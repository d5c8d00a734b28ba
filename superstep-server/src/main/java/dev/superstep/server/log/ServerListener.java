package dev.superstep.server.log;

import dev.superstep.run.ThreadContext;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Hears of requests, runs and streams as they begin and end: the source of traces and metrics.
/// Safe for many threads. What it throws is logged, and harms nobody.
public interface ServerListener {
  /// Called when a request has come, on the thread that answers it.
  ///
  /// @param header finds the first value of a header, whatever the case of its name
  RequestSpan request(String method, Function<String, Optional<String>> header);

  /// Called when this process begins to work on a run, on the thread that will.
  RunSpan run(RunBegin begin);

  /// Called when a stream to a client has opened or closed.
  ///
  /// @param change 1 or -1
  void streams(int change);

  /// Called once, when the server starts.
  ///
  /// @param runs counts those that wait for their turn, in all processes on the store
  void waiting(LongSupplier runs);

  /// Called once, when the server has stopped.
  void stopped();

  /// Carries the context of a run from thread to thread, for what listens there.
  ThreadContext context();

  /// A request, from its start to its end.
  interface RequestSpan {
    /// Texts that are saved with the runs that the request begins, such as a `traceparent`, so that
    /// whichever process works on them knows where they belong.
    Map<String, String> carried();

    /// Called once, at the end.
    void ended(RequestLog.Served request);
  }

  /// The work on a run in this process.
  interface RunSpan extends AutoCloseable {
    /// Called before the work ends, if its end is known. Without, another process goes on with it.
    ///
    /// @param status of the run: `success`, `error`, `interrupted` or `timeout`
    void ended(String status);

    /// Called once, on the thread that began, after everything else.
    @Override
    void close();
  }

  /// A run that this process begins to work on. Immutable.
  ///
  /// @param attempt 1, or more if another process had it before
  /// @param carried what the request that began it gave
  record RunBegin(
      String run, String thread, String graph, int attempt, Map<String, String> carried) {
    public RunBegin {
      carried = Map.copyOf(carried);
    }
  }

  /// Hears nothing.
  static ServerListener none() {
    return NoListener.NONE;
  }
}
