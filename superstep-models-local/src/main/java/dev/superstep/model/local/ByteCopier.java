package dev.superstep.model.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// Copies bytes with progress, a limit and a way to stop.
final class ByteCopier {
  private static final int BUFFER = 1 << 18;

  private ByteCopier() {}

  /// Copies to the end of `in`.
  ///
  /// @param before how many bytes of the whole were there already
  /// @param total the size of the whole; more is an error
  /// @return how many bytes are there now
  static long copy(InputStream in, OutputStream out, long before, long total, PullListener listener)
      throws IOException, InterruptedException {
    var buffer = new byte[BUFFER];
    long bytes = before;
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      if (Thread.interrupted()) throw new InterruptedException();
      bytes += n;
      if (bytes > total) throw new IOException("it has more than " + total + " bytes");
      out.write(buffer, 0, n);
      listener.onProgress(bytes, total);
    }
    return bytes;
  }
}
