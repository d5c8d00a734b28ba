package bikes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.testkit.model.Answer;
import dev.superstep.testkit.model.WireFormat;
import dev.superstep.testkit.model.WireFormats;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// A hosted model that says a piece of its first reply and is then held until it is let go on.
final class HeldModel implements AutoCloseable {
  private final WireFormat format = WireFormats.OPENAI_COMPATIBLE.format();
  private final Queue<Answer.Says> replies;
  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final HttpServer server;

  private HeldModel(List<Answer.Says> replies) throws IOException {
    this.replies = new ConcurrentLinkedQueue<>(replies);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  static HeldModel replying(Answer.Says... replies) throws IOException {
    return new HeldModel(List.of(replies));
  }

  String url() {
    return "openai-compatible://http://127.0.0.1:%d/v1/bike-model"
        .formatted(server.getAddress().getPort());
  }

  int asked() {
    return asked.get();
  }

  /// The number of replies that nobody has asked for.
  int left() {
    return replies.size();
  }

  void release() {
    released.countDown();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      boolean isFirst = asked.incrementAndGet() == 1;
      var reply = replies.remove();
      exchange.getResponseHeaders().set("content-type", format.streamType());
      exchange.sendResponseHeaders(200, 0);
      for (var part : format.parts(reply)) {
        exchange.getResponseBody().write(part.getBytes(UTF_8));
        exchange.getResponseBody().flush();
        if (isFirst && part.contains(reply.text())) await();
      }
      exchange.getResponseBody().close();
    }
  }

  private void await() throws IOException {
    try {
      released.await();
    } catch (InterruptedException _) {
      throw new InterruptedIOException("the test is over");
    }
  }

  @Override
  public void close() {
    release();
    server.stop(0);
  }
}
