package dev.superstep.server.internal.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;

/// A WebSocket of Jetty, which must see the type. Safe for many threads.
public final class JettySocket implements Session.Listener, Socket {
  private static final int REASON_BYTES_MAX = 120;

  private final SocketUpgrade upgrade;
  private final ReentrantLock sending = new ReentrantLock();
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private volatile @Nullable Session session;
  private volatile SocketUpgrade.@Nullable Listener listener;

  JettySocket(SocketUpgrade upgrade) {
    this.upgrade = upgrade;
  }

  @Override
  public void onWebSocketOpen(Session opened) {
    opened.setMaxTextMessageSize(upgrade.bytesMax());
    opened.setIdleTimeout(Duration.ZERO);
    session = opened;
    listener = upgrade.opened().apply(this);
    opened.demand();
  }

  @Override
  public void onWebSocketText(String message) {
    Thread.ofVirtual()
        .name("superstep-socket")
        .start(() -> {
          var to = listener;
          var from = session;
          if (to == null || from == null) return;
          to.message(message);
          if (from.isOpen()) from.demand();
        });
  }

  @Override
  public void onWebSocketBinary(ByteBuffer payload, Callback callback) {
    callback.succeed();
    close(1003, "Messages must be text.");
  }

  @Override
  public void onWebSocketError(Throwable cause) {
    ended();
  }

  @Override
  public void onWebSocketClose(int code, @Nullable String reason, Callback callback) {
    ended();
    callback.succeed();
  }

  private void ended() {
    var to = listener;
    if (isClosed.compareAndSet(false, true) && to != null) to.closed();
  }

  @Override
  public void send(String message) throws IOException, InterruptedException {
    sent(callback -> current().sendText(message, callback));
  }

  @Override
  public void ping() throws IOException, InterruptedException {
    sent(callback -> current().sendPing(ByteBuffer.allocate(0), callback));
  }

  private Session current() {
    var now = session;
    if (now == null) throw new IllegalStateException("the socket is not open yet");
    return now;
  }

  private void sent(Consumer<Callback.Completable> message)
      throws IOException, InterruptedException {
    sending.lockInterruptibly();
    try {
      Callback.Completable.with(message).get(upgrade.stall().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException slow) {
      current().disconnect();
      throw new IOException("the client takes nothing", slow);
    } catch (ExecutionException gone) {
      throw new IOException("the client is gone", gone.getCause());
    } finally {
      sending.unlock();
    }
  }

  @Override
  public void close(int code, String reason) {
    var now = session;
    if (now == null || !now.isOpen()) return;
    var bytes = reason.getBytes(StandardCharsets.UTF_8);
    var shown = bytes.length <= REASON_BYTES_MAX ? reason : reason.substring(0, 30) + "…";
    now.close(code, shown, Callback.NOOP);
  }
}
