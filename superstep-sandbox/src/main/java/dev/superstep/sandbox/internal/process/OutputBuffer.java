package dev.superstep.sandbox.internal.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The beginning and the end of an output, in memory that does not grow with the output. One thread.
public final class OutputBuffer implements AutoCloseable {
  private static final int FIRST_BYTES = 1024;

  private final InputStream from;
  private final Limits limits;
  private final byte[] buffer = new byte[65_536];
  private byte[] head = new byte[0];
  private int headSize;
  private byte[] ring = new byte[0];
  private long afterHead;
  private long spooled;
  private final @Nullable OutputStream spool;

  /// @param head the most bytes kept of the beginning
  /// @param tail the most bytes kept of the end
  /// @param spooled the most bytes written to a file
  /// @param file the file; null for none
  public record Limits(int head, int tail, long spooled, @Nullable Path file) {}

  /// Reads an output.
  public OutputBuffer(InputStream from, Limits limits) throws IOException {
    this.from = from;
    this.limits = limits;
    this.spool = limits.file() == null ? null : PrivateFiles.create(limits.file());
  }

  /// Takes what is there without waiting for more.
  ///
  /// @return whether there was something
  public boolean readAvailable() throws IOException {
    try {
      return readOnce();
    } catch (IOException _) {
      // When the process ends, the JDK closes the pipe and puts what was left in its place.
      return readOnce();
    }
  }

  private boolean readOnce() throws IOException {
    int ready = from.available();
    if (ready <= 0) return false;
    int read = from.read(buffer, 0, Math.min(ready, buffer.length));
    if (read < 0) return false;
    add(read);
    return true;
  }

  private void add(int read) throws IOException {
    if (spool != null && spooled < limits.spooled()) {
      int more = (int) Math.min(read, limits.spooled() - spooled);
      spool.write(buffer, 0, more);
      spooled += more;
    }
    int toHead = Math.min(read, limits.head() - headSize);
    if (headSize + toHead > head.length) {
      int size = Math.clamp(2L * (headSize + toHead), FIRST_BYTES, limits.head());
      head = java.util.Arrays.copyOf(head, size);
    }
    System.arraycopy(buffer, 0, head, headSize, toHead);
    headSize += toHead;
    toTail(toHead, read - toHead);
  }

  private void toTail(int offset, int count) {
    int size = limits.tail();
    if (count > 0 && size > 0) {
      if (ring.length == 0) ring = new byte[size];
      int kept = Math.min(count, size);
      int from = offset + count - kept;
      int at = (int) ((afterHead + count - kept) % size);
      int first = Math.min(kept, size - at);
      System.arraycopy(buffer, from, ring, at, first);
      System.arraycopy(buffer, from + first, ring, 0, kept - first);
    }
    afterHead += count;
  }

  /// The number of bytes that were written so far.
  public long bytes() {
    return headSize + afterHead;
  }

  /// The number of bytes in neither part.
  public long leftOut() {
    return Math.max(0, afterHead - limits.tail());
  }

  /// The file, if there is one.
  public @Nullable Path file() {
    return limits.file();
  }

  /// The beginning; all of it, where nothing was left out.
  public String head() {
    if (leftOut() > 0) return text(head, 0, headSize, true);
    var all = java.util.Arrays.copyOf(head, headSize + (int) afterHead);
    System.arraycopy(ring, 0, all, headSize, (int) afterHead);
    return text(all, 0, all.length, false);
  }

  /// The end, where something was left out.
  public String tail() {
    if (leftOut() == 0 || limits.tail() == 0) return "";
    int size = limits.tail();
    int at = (int) (afterHead % size);
    var end = new byte[size];
    System.arraycopy(ring, at, end, 0, size - at);
    System.arraycopy(ring, 0, end, size - at, at);
    int start = 0;
    while (start < Math.min(3, size) && (end[start] & 0xc0) == 0x80) start++;
    return text(end, start, size - start, false);
  }

  /// Text without half a character at its end, where that was cut.
  private static String text(byte[] bytes, int offset, int length, boolean isCut) {
    var decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    var chars = CharBuffer.allocate(length + 1);
    decoder.decode(ByteBuffer.wrap(bytes, offset, length), chars, !isCut);
    if (!isCut) decoder.flush(chars);
    return chars.flip().toString();
  }

  @Override
  public void close() throws IOException {
    if (spool != null) spool.close();
  }
}
