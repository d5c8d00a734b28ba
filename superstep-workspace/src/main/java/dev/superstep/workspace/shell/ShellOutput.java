package dev.superstep.workspace.shell;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.lock.Mutex;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.regex.Pattern;

/// The output of a shell since a command was sent: the beginning, the end, and how much is missing
/// between. The shell puts a trailer behind the output of each command: a nonce, the exit code, the
/// working directory, and the nonce again. Safe for many threads.
final class ShellOutput {
  /// A path has at most 4,096 bytes, and the nonces stand around it.
  private static final int TRAILER_MAX = 6_000;

  private static final Pattern TRAILER = Pattern.compile("(\\d{1,3}) ([^\\x00]*)", Pattern.DOTALL);

  private final int headMost;
  private final int tailMost;
  private final long writtenMost;
  private final Mutex lock = new Mutex();
  private final Condition changed = lock.newCondition();
  private final ByteArrayOutputStream head = new ByteArrayOutputStream();
  private byte[] tail = new byte[0];
  private long written;
  private boolean isEnded;
  private boolean isTrailed;
  private String nonce = "";

  ShellOutput(int headMost, int tailMost, long writtenMost) {
    this.headMost = headMost;
    this.tailMost = tailMost;
    this.writtenMost = writtenMost;
  }

  /// Why a wait is over.
  enum Reason {
    TRAILER,
    /// Something else than the shell wrote the trailer.
    SPOILT,
    ENDED,
    TOO_MUCH,
    TIME
  }

  /// The state at the end of a wait.
  ///
  /// @param code the exit code of a command with a trailer
  /// @param directory the working directory after it
  record Reading(Reason reason, int code, String directory, String text, long omitted) {}

  /// Forgets what was written before a command, and looks for its trailer from now on.
  void begin(String nextNonce) {
    try (var _ = lock.hold()) {
      head.reset();
      tail = new byte[0];
      written = 0;
      isTrailed = false;
      nonce = nextNonce;
    }
  }

  void append(byte[] bytes, int count) {
    try (var _ = lock.hold()) {
      written += count;
      int toHead = Math.min(count, headMost - head.size());
      head.write(bytes, 0, toHead);
      if (toHead < count) appendTail(bytes, toHead, count);
      isTrailed |= last(count).contains(endMark());
      changed.signalAll();
    }
  }

  private void appendTail(byte[] bytes, int from, int count) {
    int most = tailMost + TRAILER_MAX;
    var joined = Arrays.copyOf(tail, tail.length + count - from);
    System.arraycopy(bytes, from, joined, tail.length, count - from);
    int over = Math.max(0, joined.length - most);
    tail = Arrays.copyOfRange(joined, over, joined.length);
  }

  /// The newest bytes and as many before them as a mark may begin in.
  private String last(int count) {
    var kept = kept();
    int from = Math.max(0, kept.length - count - TRAILER_MAX);
    return new String(kept, from, kept.length - from, ISO_8859_1);
  }

  private byte[] kept() {
    var start = head.toByteArray();
    var joined = Arrays.copyOf(start, start.length + tail.length);
    System.arraycopy(tail, 0, joined, start.length, tail.length);
    return joined;
  }

  /// The shell writes no more.
  void end() {
    try (var _ = lock.hold()) {
      isEnded = true;
      changed.signalAll();
    }
  }

  /// Waits for the trailer of the command, for the shell's end, or until it has written too much.
  Reading await(Duration most) throws InterruptedException {
    long left = most.toNanos();
    try (var _ = lock.holdInterruptibly()) {
      while (true) {
        if (isTrailed) return finished();
        if (isEnded) return unfinished(Reason.ENDED);
        if (written > writtenMost) return unfinished(Reason.TOO_MUCH);
        if (left <= 0) return unfinished(Reason.TIME);
        left = changed.awaitNanos(left);
      }
    }
  }

  private String endMark() {
    return "\n" + nonce + ".\n";
  }

  private Reading finished() {
    var all = text();
    var beginMark = "\n" + nonce + " ";
    int end = all.lastIndexOf(endMark());
    int at = all.lastIndexOf(beginMark, end);
    if (at < 0) return unfinished(Reason.TOO_MUCH);
    var line = TRAILER.matcher(all.substring(at + beginMark.length(), end));
    // What the commands have left behind, such as a `printf` of their own, answers in its place.
    if (!line.matches()) return unfinished(Reason.SPOILT);
    return new Reading(
        Reason.TRAILER,
        Integer.parseInt(line.group(1)),
        line.group(2),
        all.substring(0, at),
        omitted());
  }

  private Reading unfinished(Reason reason) {
    return new Reading(reason, -1, "", text(), omitted());
  }

  private String text() {
    if (omitted() == 0) return new String(kept(), UTF_8);
    return "%s\n[%d bytes are left out here]\n%s"
        .formatted(head.toString(UTF_8), omitted(), new String(tail, UTF_8));
  }

  private long omitted() {
    return written - head.size() - tail.length;
  }
}
