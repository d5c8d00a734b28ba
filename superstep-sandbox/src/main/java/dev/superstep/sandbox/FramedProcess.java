package dev.superstep.sandbox;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A program in another process that is talked to in frames: four bytes with the length, the most
/// significant first, and then so many bytes. The program is not trusted: a frame above the limit,
/// and one that it does not take in time, end it with everything that it has started.
///
/// Nothing of a frame is interpreted here. At most two frames wait in memory; a program that writes
/// more has to wait. One thread talks at a time; any may close it.
public final class FramedProcess implements AutoCloseable {
  private static final int LENGTH_BYTES = 4;
  private static final int COMPLAINTS_KEPT = 4_096;
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private final String program;
  private final SandboxProcess process;
  private final int frameMost;
  private final ArrayBlockingQueue<Came> came = new ArrayBlockingQueue<>(1);
  private final SynchronousQueue<Going> going = new SynchronousQueue<>();
  private final Thread complaining;
  private volatile boolean isClosed;
  private volatile String complaints = "";
  private @Nullable SandboxError end;

  /// The bytes of a frame, which nobody changes.
  private interface Bytes {
    byte[] get();
  }

  /// Something that came from the program.
  private sealed interface Came {}

  private record Frame(Bytes bytes) implements Came {}

  private record End(long tooLarge) implements Came {}

  private record Going(Bytes bytes, CompletableFuture<Boolean> done) {}

  private FramedProcess(String program, SandboxProcess process, int frameMost) {
    this.program = program;
    this.process = process;
    this.frameMost = frameMost;
    thread("out", this::read);
    thread("in", this::write);
    this.complaining = thread("err", this::listen);
  }

  private static Thread thread(String name, Runnable work) {
    // Not virtual: reading a pipe holds the thread below it.
    return Thread.ofPlatform().daemon().name("superstep-frames-" + name).start(work);
  }

  /// Starts a program.
  ///
  /// @param frameMost the most bytes of a frame in either direction
  /// @throws SandboxError.TierUnavailable if its tier cannot be held here
  /// @throws SandboxError.NotStarted if its program cannot be started
  public static FramedProcess start(Sandbox sandbox, SandboxCommand command, int frameMost)
      throws InterruptedException {
    if (frameMost < 1) throw new IllegalArgumentException("frameMost must be at least 1");
    return new FramedProcess(command.words().getFirst(), sandbox.start(command), frameMost);
  }

  /// Sends a frame and waits until the program has room for it.
  ///
  /// @throws SandboxError.ProcessEnded if the program has ended or does not take it in time
  /// @throws IllegalArgumentException if the frame is too large
  public void send(byte[] frame, Duration atMost) throws InterruptedException {
    if (frame.length > frameMost) {
      throw new IllegalArgumentException(
          "a frame has at most " + frameMost + " bytes, was " + frame.length);
    }
    check();
    var done = new CompletableFuture<Boolean>();
    long began = System.nanoTime();
    if (!going.offer(new Going(() -> frame, done), atMost.toNanos(), TimeUnit.NANOSECONDS)) {
      throw ended("it does not read");
    }
    try {
      long left = Math.max(1, atMost.toNanos() - (System.nanoTime() - began));
      if (!done.get(left, TimeUnit.NANOSECONDS)) throw ended(how());
    } catch (TimeoutException _) {
      throw ended("it does not read");
    } catch (ExecutionException e) {
      throw new IllegalStateException("the writer of frames failed", e);
    }
  }

  /// Waits for the next frame.
  ///
  /// @return empty if none came in time
  /// @throws SandboxError.ProcessEnded if the program has ended, also in the midst of a frame
  /// @throws SandboxError.FrameTooLarge if the frame is above the limit; the program is killed
  public Optional<byte[]> receive(Duration atMost) throws InterruptedException {
    check();
    return switch (came.poll(Math.max(0, atMost.toNanos()), TimeUnit.NANOSECONDS)) {
      case null -> Optional.empty();
      case Frame(var bytes) -> Optional.of(bytes.get());
      case End _ when isClosed -> throw ended("it was closed");
      case End(var tooLarge) when tooLarge != 0 -> {
        close();
        end = new SandboxError.FrameTooLarge(program, tooLarge, frameMost);
        throw end;
      }
      case End _ -> throw ended(how());
    };
  }

  private void check() {
    if (end != null) throw end;
    if (isClosed) throw ended("it was closed");
  }

  private SandboxError ended(String how) {
    close();
    end = new SandboxError.ProcessEnded(program, how, complaints.strip());
    return end;
  }

  private String how() throws InterruptedException {
    var ended = process.await(LAST_WORDS);
    complaining.join(LAST_WORDS);
    return ended
        .map(how ->
            switch (how) {
              case SandboxResult.Ended.Exited(var code) -> "it exited with code " + code;
              case SandboxResult.Ended.Signaled(var signal) -> "signal " + signal + " ended it";
              case SandboxResult.Ended.TimedOut(var after) -> "it was killed after " + after;
              case SandboxResult.Ended.OutputExceeded(var bytes) ->
                  "it was killed after " + bytes + " bytes";
              case SandboxResult.Ended.Cancelled _ -> "it was closed";
            })
        .orElse("it closed its output");
  }

  private void read() {
    try (var in = new DataInputStream(process.output())) {
      long tooLarge = 0;
      try {
        while (tooLarge == 0) {
          int length = in.readInt();
          if (length < 0 || length > frameMost) tooLarge = Integer.toUnsignedLong(length);
          else {
            var bytes = bytes(in, length);
            if (!put(new Frame(() -> bytes))) return;
          }
        }
      } catch (IOException _) {
        tooLarge = 0; // its end, also in the midst of a frame
      }
      put(new End(tooLarge));
    } catch (IOException | InterruptedException _) {
      return; // closed
    }
  }

  /// Waits for room.
  ///
  /// @return whether somebody may still read it
  private boolean put(Came next) throws InterruptedException {
    while (!came.offer(next, 1, TimeUnit.SECONDS)) {
      if (isClosed) return false;
    }
    return true;
  }

  /// Grows with what comes, so that a length alone takes no memory.
  private static byte[] bytes(InputStream in, int length) throws IOException {
    var bytes = in.readNBytes(length);
    if (bytes.length < length) throw new java.io.EOFException();
    return bytes;
  }

  private void write() {
    try (OutputStream out = process.input()) {
      while (!isClosed) {
        var next = going.poll(1, TimeUnit.SECONDS);
        if (next == null) continue;
        boolean isDone = false;
        try {
          var frame = next.bytes().get();
          out.write(ByteBuffer.allocate(LENGTH_BYTES).putInt(frame.length).array());
          out.write(frame);
          out.flush();
          isDone = true;
        } finally {
          next.done().complete(isDone);
        }
      }
    } catch (IOException | InterruptedException _) {
      return; // it has ended, or reads no more
    }
  }

  /// Keeps the beginning of what it says on its error output, and reads the rest so that it is not
  /// held up.
  private void listen() {
    var bytes = new byte[COMPLAINTS_KEPT];
    var kept = new StringBuilder();
    try (var in = process.errors()) {
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        int room = COMPLAINTS_KEPT - kept.length();
        if (room <= 0) continue;
        kept.append(new String(bytes, 0, Math.min(room, count), StandardCharsets.UTF_8));
        complaints = kept.toString();
      }
    } catch (IOException _) {
      return; // closed
    }
  }

  /// Kills the program with everything that it has started. Does nothing after its end.
  @Override
  public void close() {
    isClosed = true;
    process.close();
    // Whoever waits for a frame goes on.
    came.clear();
    var _ = came.offer(new End(0));
  }

  @Override
  public String toString() {
    return "FramedProcess[" + program + "]";
  }
}
