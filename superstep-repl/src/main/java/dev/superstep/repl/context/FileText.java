package dev.superstep.repl.context;

import dev.superstep.repl.host.TextSource;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/// A UTF-8 file as a text that is never whole in the heap. Opening it reads it once and notes the
/// byte of each 65,536th code point; what is no UTF-8 shows as U+FFFD, a code point for each byte.
///
/// The file must stay as it is while it is open. Safe for use by several threads.
public final class FileText implements TextSource, Closeable {
  private static final int STEP = 1 << 16;
  private static final int BLOCK = 1 << 18;

  private final FileChannel channel;
  private final long bytes;
  private final long points;
  private final long[] samples;

  private FileText(FileChannel channel, long bytes, long points, long[] samples) {
    this.channel = channel;
    this.bytes = bytes;
    this.points = points;
    this.samples = samples;
  }

  /// Opens a file.
  public static FileText open(Path file) throws IOException {
    var channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      return scan(channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static FileText scan(FileChannel channel) throws IOException {
    long size = channel.size();
    var samples = new long[(int) Math.min(Integer.MAX_VALUE - 8L, size / STEP + 2)];
    var block = ByteBuffer.allocate(BLOCK);
    long points = 0;
    int sampled = 0;
    long at = 0;
    while (at < size) {
      block.clear();
      fill(channel, block, at);
      int length = block.position();
      if (length == 0) throw new IOException("the file became shorter while it was read");
      int used = 0;
      while (used < length) {
        int width = Utf8.width(block.array(), used, length);
        if (width < 0 && at + length < size) break;
        if (points % STEP == 0) samples[sampled++] = at + used;
        points++;
        used += Math.max(1, width);
      }
      at += used;
    }
    return new FileText(channel, size, points, Arrays.copyOf(samples, sampled));
  }

  private static void fill(FileChannel channel, ByteBuffer into, long at) throws IOException {
    while (into.hasRemaining()) {
      if (channel.read(into, at + into.position()) < 0) return;
    }
  }

  @Override
  public long length() {
    return points;
  }

  @Override
  public String read(long from, long to) {
    if (from < 0 || to < from || to > points || to - from > 1 << 20) {
      throw new IndexOutOfBoundsException(from + " to " + to + " of " + points);
    }
    if (from == to) return "";
    long start = samples[(int) (from / STEP)];
    int last = (int) ((to - 1) / STEP) + 1;
    long end = last < samples.length ? samples[last] : bytes;
    var block = ByteBuffer.allocate((int) (end - start));
    try {
      fill(channel, block, start);
    } catch (IOException e) {
      throw new UncheckedIOException("the text cannot be read", e);
    }
    return decode(block.array(), block.position(), from % STEP, to - from);
  }

  private static String decode(byte[] raw, int length, long skip, long count) {
    int at = 0;
    for (long i = 0; i < skip && at < length; i++) at += Math.max(1, Utf8.width(raw, at, length));
    int from = at;
    boolean isWell = true;
    for (long i = 0; i < count && at < length; i++) {
      int width = Utf8.width(raw, at, length);
      isWell &= width > 0;
      at += Math.max(1, width);
    }
    if (isWell) return new String(raw, from, at - from, StandardCharsets.UTF_8);
    var text = new StringBuilder();
    for (int i = from; i < at; ) {
      int width = Utf8.width(raw, i, length);
      if (width > 0) text.append(new String(raw, i, width, StandardCharsets.UTF_8));
      else text.append('\uFFFD');
      i += Math.max(1, width);
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
