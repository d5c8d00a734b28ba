package dev.superstep.documents.tika;

import dev.superstep.documents.DocumentFailed;
import dev.superstep.documents.DocumentLimits;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// The program of a parser's process: reads one document on its standard input, writes its blocks
/// on its standard output, and ends. It ends itself when its time is over, so that none is left if
/// the process that started it dies.
final class ParserMain {
  /// The exit status when the time is over.
  static final int TIME_OVER = 40;

  private ParserMain() {}

  public static void main(String[] args) throws Exception {
    var out =
        new DataOutputStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16));
    // A library that prints must not print into the messages.
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    out.writeInt(Wire.MAGIC);
    out.flush();
    var in = new DataInputStream(System.in);
    var id = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    var limits =
        new DocumentLimits(
            in.readInt(),
            in.readInt(),
            in.readInt(),
            in.readInt(),
            Duration.ofMillis(in.readLong()));
    endAfter(limits.maxTime());
    var bytes = in.readNBytes(in.readInt());
    var writer = new Wire.Writer(out);
    try {
      TikaParsing.parse(id, bytes, limits, writer);
      writer.end();
    } catch (DocumentFailed e) {
      writer.fail(e);
    }
    out.flush();
    Runtime.getRuntime().halt(0);
  }

  private static void endAfter(Duration time) {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            Thread.sleep(time);
          } catch (InterruptedException _) {
            // Nobody interrupts it; if so, the time is over, too.
          }
          Runtime.getRuntime().halt(TIME_OVER);
        });
  }
}
