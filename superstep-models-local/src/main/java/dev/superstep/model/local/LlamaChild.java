package dev.superstep.model.local;

import dev.superstep.model.ModelException.Kind;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// The child process: loads the weights, then carries out one order a line until its standard input
/// closes, which it also does when the parent is killed.
final class LlamaChild {
  private static final int ORDERS_MAX = 16;
  private static final int DONE = 0;
  private static final int FAILED = 1;

  private LlamaChild() {}

  /// Arguments: the GGUF file, the context in tokens, the number of threads, the native library's
  /// own directory.
  public static void main(String[] args) {
    var out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));
    // The binding prints where it unpacked its library; standard output belongs to the protocol.
    System.setOut(System.err);
    var orders = new ArrayBlockingQueue<ChildRequest>(ORDERS_MAX);
    var directory = new File(args[3]);
    var _ = ModelThreads.start("in", () -> read(orders, directory));
    ChildExit.now(serve(args, orders, out), directory);
  }

  private static int serve(String[] args, BlockingQueue<ChildRequest> orders, OutputStream out) {
    try {
      var session = load(args);
      ChildProtocol.write(session.ready(), out);
      while (true) carryOut(session, orders.take(), out);
    } catch (StartFailed e) {
      ChildProtocol.write(
          new ChildReply.Failed(0, Kind.UNAVAILABLE, ChildProtocol.line(e.getMessage())), out);
      return FAILED;
    } catch (InterruptedException | UncheckedIOException _) {
      return DONE; // the parent is gone
    }
  }

  private static LlamaSession load(String[] args) throws StartFailed {
    try {
      var gguf = Path.of(args[0]);
      return LlamaSession.load(gguf, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    } catch (IOException | LinkageError | RuntimeException e) { // the binding's own is hidden
      throw new StartFailed(String.valueOf(e.getMessage()), e);
    } finally {
      // A loaded library needs its file no more on Linux and macOS; elsewhere the parent removes
      // it.
      ChildExit.empty(new File(args[3]));
    }
  }

  private static void carryOut(LlamaSession session, ChildRequest order, OutputStream out) {
    try {
      session.carryOut(order, answer -> ChildProtocol.write(answer, out));
    } catch (UncheckedIOException e) {
      throw e;
    } catch (RuntimeException e) { // the type that the binding throws is hidden
      var why = ChildProtocol.line(e.getMessage());
      ChildProtocol.write(new ChildReply.Failed(order.id(), Kind.BAD_REQUEST, why), out);
    }
  }

  private static void read(BlockingQueue<ChildRequest> orders, File directory) {
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try {
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        orders.put(ChildProtocol.order(line));
      }
    } catch (IOException | InterruptedException _) {
      // Ends like a closed pipe.
    }
    ChildExit.now(DONE, directory);
  }

  private static final class StartFailed extends Exception {
    StartFailed(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
