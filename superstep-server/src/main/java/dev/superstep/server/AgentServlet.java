package dev.superstep.server;

import dev.superstep.server.internal.http.Dispatcher;
import dev.superstep.server.internal.http.ServletExchange;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Serves graphs and agents in a servlet container, from when the container starts it until that
/// destroys it. Safe for many threads.
///
/// ```java
/// var servlet = new AgentServlet(AgentServer.on(checkpointer, documents)
///     .serving(ServedGraph.of(desk))
///     .authenticator(ApiKeys.of(keys)));
/// var registration = context.addServlet("agents", servlet);
/// registration.addMapping("/agents/*");
/// registration.setAsyncSupported(true);
/// ```
///
/// With asynchronous requests, as above, each runs on a virtual thread and keeps none of the
/// container's; without, it keeps the container's thread until its stream ends.
public final class AgentServlet implements Servlet {
  private final AgentServerBuilder server;
  private final Map<Thread, ServletExchange> requests = new ConcurrentHashMap<>();
  private @Nullable ServletConfig config;
  private volatile @Nullable Running running;

  /// @param server what is served; it is started by the container
  public AgentServlet(AgentServerBuilder server) {
    this.server = server;
  }

  private record Running(ServerParts parts, Dispatcher dispatcher) {}

  /// Begins to work.
  ///
  /// @throws ServletException if there is no authenticator, and the options do not say that the
  ///   server is open: the container decides who reaches it
  @Override
  public void init(ServletConfig given) throws ServletException {
    config = given;
    try {
      server.checkReach(false, "the container");
    } catch (IllegalStateException open) {
      throw new ServletException(open.getMessage(), open);
    }
    var parts = server.parts();
    running = new Running(parts, server.dispatcher(parts, false));
    parts.start();
  }

  @Override
  public void service(ServletRequest request, ServletResponse response) throws IOException {
    var now = running;
    var asked = (HttpServletRequest) request;
    var answer = (HttpServletResponse) response;
    var exchange = ServletExchange.of(asked, answer);
    if (now == null || exchange.isEmpty()) {
      answer.sendError(
          now == null
              ? HttpServletResponse.SC_SERVICE_UNAVAILABLE
              : HttpServletResponse.SC_NOT_FOUND);
      return;
    }
    if (!request.isAsyncSupported()) {
      now.dispatcher().handle(exchange.get());
      return;
    }
    var async = request.startAsync();
    // Runs may take for long, and heartbeats show whether their clients are there.
    async.setTimeout(0);
    async.addListener(exchange.get());
    var _ =
        Thread.ofVirtual()
            .name("superstep-request")
            .start(() -> handle(now.dispatcher(), exchange.get(), async));
  }

  private void handle(Dispatcher dispatcher, ServletExchange exchange, AsyncContext async) {
    requests.put(Thread.currentThread(), exchange);
    try {
      dispatcher.handle(exchange);
    } finally {
      requests.remove(Thread.currentThread());
      complete(async);
    }
  }

  private static void complete(AsyncContext async) {
    try {
      async.complete();
    } catch (IllegalStateException _) {
      // The container has ended it, since the client left.
    }
  }

  /// Stops: refuses new runs, lets running supersteps end and be saved for as long as the options
  /// say, and ends the streams.
  @Override
  public void destroy() {
    var now = running;
    if (now == null) return;
    running = null;
    now.parts().drain(server.drain());
    requests.forEach((thread, exchange) -> {
      exchange.end();
      thread.interrupt();
    });
  }

  @Override
  public @Nullable ServletConfig getServletConfig() {
    return config;
  }

  @Override
  public String getServletInfo() {
    return "Superstep Server";
  }

  @Override
  public String toString() {
    return "AgentServlet[" + server + "]";
  }
}
