package dev.superstep.mcp.internal.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Sends requests whose answers have a limit in bytes and in time. The time limit of the JDK's
/// client ends with the headers: a server could send a body for ever, a byte at a time.
public final class BoundedHttp {
  private BoundedHttp() {}

  /// Sends a request, and waits for its answer with the body that the handler waits for.
  ///
  /// @param most the time for all of it
  /// @throws HttpTimeoutException if that is over; the connection is closed then
  public static <T> HttpResponse<T> send(
      HttpClient http, HttpRequest request, HttpResponse.BodyHandler<T> body, Duration most)
      throws IOException, InterruptedException {
    var answer = http.sendAsync(request, body);
    boolean isDone = false;
    try {
      var response = answer.get(most.toMillis(), TimeUnit.MILLISECONDS);
      isDone = true;
      return response;
    } catch (TimeoutException _) {
      throw new HttpTimeoutException("no whole answer within " + most.toMillis() + " ms");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) throw cause;
      throw new IOException("the request failed", e.getCause());
    } finally {
      if (!isDone) answer.cancel(true);
    }
  }

  /// Collects at most so many bytes of a body, and gives up on the rest.
  public static HttpResponse.BodySubscriber<byte[]> atMost(int bytes) {
    return new Collector(bytes);
  }

  private static final class Collector implements HttpResponse.BodySubscriber<byte[]> {
    private final int most;
    private final ByteArrayOutputStream collected = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    Collector(int most) {
      this.most = most;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
      subscription = begun;
      begun.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> items) {
      for (var item : items) {
        var bytes = new byte[Math.min(item.remaining(), most - collected.size())];
        item.get(bytes);
        collected.writeBytes(bytes);
      }
      if (collected.size() < most || body.isDone()) return;
      if (subscription != null) subscription.cancel();
      body.complete(collected.toByteArray());
    }

    @Override
    public void onError(Throwable failure) {
      body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      body.complete(collected.toByteArray());
    }
  }
}
