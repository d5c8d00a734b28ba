package dev.superstep.model.local;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/// A model hub, over HTTP. A connection that breaks is taken up again where it broke, in this pull
/// or in a later one.
///
/// @param stall how long the server may send nothing; the JDK's newer client has no such limit
record HubSource(URI url, Duration connect, Duration stall) implements PullSource {
  private static final int TRIES = 5;
  private static final int RANGE_NOT_SATISFIABLE = 416;

  static HubSource of(URI url) {
    return new HubSource(url, Duration.ofSeconds(20), Duration.ofSeconds(60));
  }

  @Override
  public String title(KnownModel model) {
    return "hub " + url;
  }

  @Override
  public String suffix() {
    return "hub";
  }

  @Override
  public void fetch(KnownModel model, Path part, PullListener listener)
      throws IOException, InterruptedException {
    var last = new IOException("nothing was tried");
    for (int attempt = 0; attempt < TRIES; attempt++) {
      long before = size(part);
      if (before == model.bytes()) return;
      try {
        download(model, part, before, listener);
        last = new IOException("the connection broke at byte " + size(part));
      } catch (Refused e) {
        throw e;
      } catch (IOException e) {
        last = e;
      }
      // Without any progress another try is no better than this one.
      if (size(part) == before && attempt > 0) break;
    }
    if (size(part) != model.bytes()) throw new IOException(reason(last), last);
  }

  private void download(KnownModel model, Path part, long before, PullListener listener)
      throws IOException, InterruptedException {
    var connection = (HttpURLConnection) url.toURL().openConnection();
    try {
      connection.setConnectTimeout((int) connect.toMillis());
      connection.setReadTimeout((int) stall.toMillis());
      connection.setRequestProperty("Accept-Encoding", "identity");
      if (before > 0) connection.setRequestProperty("Range", "bytes=" + before + "-");
      long start = start(connection, part, before);
      long announced = connection.getContentLengthLong();
      if (announced >= 0 && start + announced != model.bytes()) {
        throw new Refused(
            "the file there has " + (start + announced) + " bytes, not " + model.bytes());
      }
      try (var in = connection.getInputStream();
          var out =
              Files.newOutputStream(part, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
        ByteCopier.copy(in, out, start, model.bytes(), listener);
      }
    } finally {
      connection.disconnect();
    }
  }

  /// Where the body begins. A server may ignore the range and send everything.
  private static long start(HttpURLConnection connection, Path part, long before)
      throws IOException {
    int status = connection.getResponseCode();
    if (status == HttpURLConnection.HTTP_PARTIAL) {
      var range = connection.getHeaderField("Content-Range");
      if (range != null && range.startsWith("bytes " + before + "-")) return before;
      throw new Refused("the server sent another range than it was asked for");
    }
    if (status == HttpURLConnection.HTTP_OK || status == RANGE_NOT_SATISFIABLE) {
      Files.deleteIfExists(part);
      if (status == HttpURLConnection.HTTP_OK) return 0;
      throw new IOException("the server could not go on where the last pull stopped");
    }
    throw new Refused("the server answered with status " + status);
  }

  private static long size(Path part) throws IOException {
    return Files.exists(part) ? Files.size(part) : 0;
  }

  private static String reason(IOException e) {
    if (e instanceof UnknownHostException) return "the host " + e.getMessage() + " is not known";
    if (e instanceof FileNotFoundException) return "the file is not there";
    return ChildProtocol.line(e.getMessage());
  }

  /// Another try would get the same answer.
  private static final class Refused extends IOException {
    Refused(String message) {
      super(message);
    }
  }
}
