package dev.superstep.server.sdk;

import dev.superstep.server.AgentServerBuilder;
import dev.superstep.server.AgentServlet;
import java.net.URI;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/// A servlet container with a server of agents below a path: `/app/agents`.
final class ServletContainer implements AutoCloseable {
  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);

  private ServletContainer(AgentServerBuilder agents, boolean isAsynchronous) throws Exception {
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setStopTimeout(0);
    var context = new ServletContextHandler("/app");
    var holder = new ServletHolder(new AgentServlet(agents));
    holder.setAsyncSupported(isAsynchronous);
    holder.setInitOrder(1);
    context.addServlet(holder, "/agents/*");
    server.setHandler(context);
    server.start();
  }

  static ServletContainer start(AgentServerBuilder agents) throws Exception {
    return new ServletContainer(agents, true);
  }

  /// Starts one whose threads the requests keep.
  static ServletContainer startSynchronous(AgentServerBuilder agents) throws Exception {
    return new ServletContainer(agents, false);
  }

  /// The address of the API.
  String url() {
    return "http://127.0.0.1:" + port() + "/app/agents";
  }

  URI at(String path) {
    return URI.create(url() + path);
  }

  int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() throws Exception {
    server.stop();
  }
}
