package dev.superstep.model.wire;

import static dev.superstep.model.ModelException.Kind.MALFORMED;
import static dev.superstep.model.ModelException.Kind.TIMEOUT;
import static dev.superstep.model.ModelException.Kind.TOO_LARGE;
import static dev.superstep.model.ModelException.Kind.TRANSPORT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.superstep.model.ModelException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// An HTTP request and its reply, within one deadline. Used by the calling thread only, except for
/// the alarm, which closes the body from outside.
public final class Wire implements AutoCloseable {
  private static final int CHUNK = 8 * 1024;
  private static final int ERROR_BODY_MAX = 64 * 1024;
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final Endpoint endpoint;
  private final String title;
  private final TimeLimits limits;
  private final long start = System.nanoTime();
  private volatile long lastByte = start;
  private volatile boolean isIdle;
  private volatile boolean isClosed;
  private InputStream body = new ByteArrayInputStream(new byte[0]);
  private volatile @Nullable Future<?> alarm;

  /// A request that has not been sent. Its time begins now.
  ///
  /// @param title the vendor's name, to begin a sentence with
  public Wire(Endpoint endpoint, String title, TimeLimits limits) {
    this.endpoint = endpoint;
    this.title = title;
    this.limits = limits;
  }

  /// Sends, and waits until the reply begins.
  ///
  /// @throws ModelException if the server answers with an error or not at all
  public InputStream open(String url, Map<String, List<String>> headers, String sent)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> reply;
    try {
      var asked = request(URI.create(url), headers, sent);
      reply = Shared.CLIENT.send(asked, HttpResponse.BodyHandlers.ofInputStream());
    } catch (HttpConnectTimeoutException _) {
      throw error(TRANSPORT, "cannot be reached at " + endpoint.base() + ": no answer");
    } catch (HttpTimeoutException _) {
      throw isLate() ? tooLate() : mute("did not begin its reply", limits.first());
    } catch (IOException e) {
      throw unreached(e);
    }
    body = new Heard(reply.body());
    lastByte = System.nanoTime();
    watch();
    if (reply.statusCode() / 100 == 2) return body;
    var text = new String(body.readNBytes(ERROR_BODY_MAX), UTF_8);
    throw Refusals.of(this, reply.statusCode(), reply.headers(), text);
  }

  /// The error for a request that got no reply.
  private ModelException unreached(IOException error) {
    var at = "cannot be reached at " + endpoint.base() + ": ";
    if (!(error instanceof ConnectException)) {
      // The JDK's word for a server that hung up: its parser of headers got no bytes.
      if (hungUp(error)) {
        return error(TRANSPORT, "closed the connection before it replied", "Ask again.");
      }
      return error(TRANSPORT, at + text(error));
    }
    if (error.getCause() instanceof ConnectException e
        && e.getCause() instanceof UnresolvedAddressException) {
      return error(TRANSPORT, at + "no such host", "Check the base URL.");
    }
    return error(TRANSPORT, at + "connection refused", isRunning());
  }

  private static boolean hungUp(IOException error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof EOFException || text(e).contains("received no bytes")) return true;
    }
    return false;
  }

  private String isRunning() {
    return endpoint.ref().provider().equals("ollama")
        ? "Is Ollama running? `ollama serve` starts it."
        : "Is the server running, and is this its port?";
  }

  private static String text(Throwable error) {
    var message = error.getMessage();
    return message == null ? error.getClass().getSimpleName() : message;
  }

  private HttpRequest request(URI uri, Map<String, List<String>> headers, String sent) {
    // An offer of HTTP/2 over plain text confuses local model servers.
    var version =
        "https".equals(uri.getScheme()) ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1;
    var request =
        HttpRequest.newBuilder(uri)
            .version(version)
            .timeout(Duration.ofNanos(Math.max(1, Math.min(left(), limits.first().toNanos()))))
            .POST(HttpRequest.BodyPublishers.ofString(sent));
    headers.forEach((name, values) -> values.forEach(v -> request.header(name, v)));
    return request.build();
  }

  /// The rest of the reply.
  String readAll(ReplyMeter intake) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var chunk = new byte[CHUNK];
    for (int read = body.read(chunk); read >= 0; read = body.read(chunk)) {
      intake.received(read);
      intake.event((long) bytes.size() + read);
      // Room to grow, and the text that is made of it.
      intake.hold(3L * read);
      bytes.write(chunk, 0, read);
    }
    checkTime();
    return bytes.toString(UTF_8);
  }

  /// Returns whether the time of the call is over.
  public boolean isLate() {
    return left() <= 0;
  }

  private long left() {
    return limits.whole().toNanos() - (System.nanoTime() - start);
  }

  /// The time that is left for the call.
  Duration timeLeft() {
    return Duration.ofNanos(Math.max(0, left()));
  }

  /// The error for a reply that is larger than it may be.
  ModelException tooLarge(String what) {
    return error(TOO_LARGE, what);
  }

  /// The error for a call whose time is over.
  public ModelException tooLate() {
    return error(
        TIMEOUT,
        "gave no whole answer within %s s. Allow more time or ask for less"
            .formatted(limits.whole().toMillis() / 1000.0));
  }

  private ModelException mute(String what, Duration limit) {
    return error(TIMEOUT, "%s within %s s. Ask again".formatted(what, limit.toMillis() / 1000.0));
  }

  /// Throws the error for a reply that ended because its time was over, if it did.
  void checkTime() {
    if (isLate()) throw tooLate();
    if (isIdle) throw mute("fell silent in its reply and sent nothing more", limits.idle());
  }

  /// Looks again when the time of the call, or of a silence, would be over.
  private void watch() {
    long silence = limits.idle().toNanos() - (System.nanoTime() - lastByte);
    long next = Math.min(left(), silence);
    if (isClosed) return;
    if (next > 0) {
      alarm = ForkJoinPool.commonPool().schedule(this::watch, next, NANOSECONDS);
      return;
    }
    isIdle = left() > 0;
    giveUp();
  }

  /// Returns the error for a reply that broke off.
  ///
  /// @param received the bytes of it that arrived
  public Exception broken(IOException error, long received) {
    if (error.getCause() instanceof InterruptedException interrupt) {
      // The stream sets the flag again; the exception stands for it.
      Thread.interrupted();
      return interrupt;
    }
    if (isLate()) return tooLate();
    if (isIdle) return mute("fell silent in its reply and sent nothing more", limits.idle());
    var what = "broke off its reply after %,d bytes: %s".formatted(received, text(error));
    return error(MALFORMED, what, "What arrived is void; ask again.");
  }

  /// An error in the house order: what, where, what to do.
  public ModelException error(ModelException.Kind kind, String what) {
    return error(kind, what, (Duration) null);
  }

  /// An error whose advice is a sentence of its own.
  ModelException error(ModelException.Kind kind, String what, String advice) {
    var text = "%s %s (`%s`). %s".formatted(title, what, endpoint.ref(), advice);
    return new ModelException(kind, endpoint.key().hide(text), null, null);
  }

  ModelException error(ModelException.Kind kind, String what, @Nullable Duration retryAfter) {
    var end = what.endsWith(".") ? "" : ".";
    var text = endpoint.key().hide("%s %s (`%s`)%s".formatted(title, what, endpoint.ref(), end));
    return new ModelException(kind, text, retryAfter, null);
  }

  /// The key that is sent.
  Key key() {
    return endpoint.key();
  }

  @Override
  public void close() {
    isClosed = true;
    var set = alarm;
    if (set != null) set.cancel(false);
    giveUp();
  }

  private void giveUp() {
    try {
      body.close();
    } catch (IOException _) {
      // Closing only gives up what is left of the reply.
    }
  }

  /// Where the request goes.
  Endpoint endpoint() {
    return endpoint;
  }

  /// The body of a reply, which notes when something arrives.
  private final class Heard extends FilterInputStream {
    Heard(InputStream body) {
      super(body);
    }

    @Override
    public int read(byte[] to, int from, int most) throws IOException {
      int read = super.read(to, from, most);
      lastByte = System.nanoTime();
      return read;
    }
  }

  /// The HTTP client of the process, made on first use: it holds a thread and the open connections.
  private static final class Shared {
    static final HttpClient CLIENT =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .executor(
                Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("superstep-model-http-", 0).factory()))
            .build();
  }
}
