package dev.superstep.repl.python;

import dev.superstep.json.Json;
import dev.superstep.repl.CellResult;
import dev.superstep.sandbox.FramedProcess;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// A Python that runs, and the order in which it may speak: it prints and calls while a cell runs,
/// tells what the cell changed, and says that the cell has ended. One thread; any may close it.
final class Interpreter implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(30);
  private static final Duration SEND = Duration.ofSeconds(20);
  private static final int VARIABLES_MOST = 20_000;

  private final FramedProcess process;

  private Interpreter(FramedProcess process) {
    this.process = process;
  }

  /// Takes what a cell does while it runs.
  interface Listener {
    void printed(String text);

    /// Answers a call.
    ///
    /// @return the field `value` or `error` of the answer, as JSON
    String called(ChildMessage.Call call) throws InterruptedException;
  }

  /// A cell that came to its end.
  ///
  /// @param digest of all that it said
  record Ran(Fields result, List<CellResult.Variable> changed, String digest) {}

  /// Starts one and gives it its names.
  ///
  /// @param names with their values as JSON
  static Interpreter start(PythonStart start, Map<String, String> names)
      throws InterruptedException {
    var made = new Interpreter(start.start());
    try {
      var first = made.process.receive(START);
      if (first.isEmpty()) throw new ProtocolBroken("it does not start");
      if (!(ChildMessage.of(first.get()) instanceof ChildMessage.Ready(var protocol))
          || protocol != 1) {
        throw new ProtocolBroken("it did not begin with `ready`");
      }
      for (var name : names.entrySet()) {
        made.send(
            "{\"op\":\"set_var\",\"name\":%s,\"value\":%s}"
                .formatted(Json.string(name.getKey()).text(), name.getValue()));
      }
      return made;
    } catch (RuntimeException | InterruptedException e) {
      made.close();
      throw e;
    }
  }

  private void send(String frame) throws InterruptedException {
    var bytes = frame.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > PythonStart.FRAME_MOST) {
      throw new CellEnded("frame-limit", "a value for the cell is larger than 16 MiB");
    }
    process.send(bytes, SEND);
  }

  /// Runs a cell. It must be closed if this throws.
  ///
  /// @param time for the cell, without that of its calls
  Ran run(int cell, String source, Duration time, Listener listener) throws InterruptedException {
    send("{\"op\":\"eval\",\"id\":%d,\"source\":%s}".formatted(cell, Json.string(source).text()));
    var said = sha256();
    var changed = new ArrayList<CellResult.Variable>();
    long deadline = System.nanoTime() + time.toNanos();
    int calls = 0;
    while (true) {
      long left = deadline - System.nanoTime();
      var frame = process.receive(Duration.ofNanos(Math.max(0, left)));
      if (frame.isEmpty()) {
        throw new CellEnded("timeout", "the cell ran longer than " + time.toMillis() + " ms");
      }
      said.update(frame.get());
      switch (ChildMessage.of(frame.get())) {
        case ChildMessage.Stream(var id, var text) -> {
          inOrder(id == cell && changed.isEmpty());
          listener.printed(text);
        }
        case ChildMessage.Call call -> {
          inOrder(call.cell() == cell && call.number() == ++calls && changed.isEmpty());
          long asked = System.nanoTime();
          var answer = listener.called(call);
          // What others take is not the time of the cell; reading a text is no call of others.
          if (!call.name().equals(HostTable.READ)) deadline += System.nanoTime() - asked;
          send("{\"op\":\"call_result\",\"call\":%d,%s}".formatted(calls, answer));
        }
        case ChildMessage.VarSet(var id, var variable) -> {
          inOrder(id == cell && changed.size() < VARIABLES_MOST);
          changed.add(variable);
        }
        case ChildMessage.Result(var id, var parts) -> {
          inOrder(id == cell);
          return new Ran(parts, changed, HexFormat.of().formatHex(said.digest()));
        }
        case ChildMessage.Ready _ -> inOrder(false);
      }
    }
  }

  private static void inOrder(boolean is) {
    if (!is) throw new ProtocolBroken("it sent a frame out of its order");
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
