package dev.superstep.workspace;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/// Takes the first bytes of a response and hangs up. For one response; the client calls it from one
/// thread at a time.
final class LimitedBody implements BodySubscriber<Beginning> {
  private final int most;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<Beginning> body = new CompletableFuture<>();
  private Flow.@Nullable Subscription from;

  LimitedBody(int most) {
    this.most = most;
  }

  @Override
  public CompletionStage<Beginning> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    from = subscription;
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (var buffer : buffers) {
      int take = Math.min(buffer.remaining(), most - bytes.size());
      var some = new byte[take];
      buffer.get(some);
      bytes.writeBytes(some);
      if (buffer.hasRemaining()) {
        if (from != null) from.cancel();
        body.complete(Beginning.of(bytes.toByteArray(), true));
        return;
      }
    }
  }

  @Override
  public void onError(Throwable error) {
    body.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    body.complete(Beginning.of(bytes.toByteArray(), false));
  }
}
