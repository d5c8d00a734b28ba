package dev.superstep.sandbox.internal.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/// Three pipes for the first three descriptors of a process. The JVM opens its ends anew by their
/// names in `/proc`, so that streams of the JDK own these; all ends here are closed once the process
/// has started. One thread.
final class Pipes implements AutoCloseable {
  private static final int O_CLOEXEC = 0x80000;

  private final SystemCalls calls;
  private final List<Integer> ends;

  private Pipes(SystemCalls calls, List<Integer> ends) {
    this.calls = calls;
    this.ends = ends;
  }

  static Pipes open(SystemCalls calls) throws IOException {
    var pipes = new Pipes(calls, new ArrayList<>());
    try (var memory = Arena.ofConfined()) {
      var state = Libc.state(memory);
      var pair = memory.allocate(8, 4);
      for (int i = 0; i < 3; i++) {
        Libc.must("pipe2", state, calls.of("pipe2"), pair.address(), O_CLOEXEC);
        pipes.ends.add(Libc.int32(pair, 0));
        pipes.ends.add(Libc.int32(pair, 4));
      }
    } catch (IOException e) {
      pipes.close();
      throw e;
    }
    return pipes;
  }

  /// The end of the standard input that the JVM writes to.
  int input() {
    return ends.get(1);
  }

  /// The end of the standard output that the JVM reads.
  int output() {
    return ends.get(2);
  }

  /// The end of the error output that the JVM reads.
  int errors() {
    return ends.get(4);
  }

  /// The end that the process has as this descriptor.
  int ofChild(int descriptor) {
    return ends.get(descriptor == 0 ? 0 : 2 * descriptor + 1);
  }

  String path(int end) {
    return "/proc/self/fd/" + end;
  }

  @Override
  public void close() {
    try (var memory = Arena.ofConfined()) {
      var state = Libc.state(memory);
      for (int end : ends) Libc.call(state, calls.of("close"), end);
    }
  }
}
