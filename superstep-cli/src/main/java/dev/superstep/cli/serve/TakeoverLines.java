package dev.superstep.cli.serve;

import dev.superstep.run.ThreadContext;
import dev.superstep.server.log.ServerListener;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Tells the operator of runs that go on here after another process, or an earlier start, had begun
/// them. Safe for many threads.
final class TakeoverLines implements ServerListener {
  private final Consumer<String> lines;
  private final ServerListener rest = ServerListener.none();

  TakeoverLines(Consumer<String> lines) {
    this.lines = lines;
  }

  @Override
  public RequestSpan request(String method, Function<String, Optional<String>> header) {
    return rest.request(method, header);
  }

  @Override
  public RunSpan run(RunBegin begin) {
    if (begin.attempt() > 1) {
      lines.accept(
          "goes on with run %s of thread %s, attempt %d"
              .formatted(begin.run(), begin.thread(), begin.attempt()));
    }
    return rest.run(begin);
  }

  @Override
  public void streams(int change) {
    rest.streams(change);
  }

  @Override
  public void waiting(LongSupplier runs) {
    rest.waiting(runs);
  }

  @Override
  public void stopped() {
    rest.stopped();
  }

  @Override
  public ThreadContext context() {
    return rest.context();
  }
}
