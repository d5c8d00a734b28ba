package dev.superstep.server.internal.http;

import dev.superstep.server.security.Principal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Gives the messages of a WebSocket to its handler, within the limits of requests. For one socket.
final class SocketMessages implements SocketUpgrade.Listener {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.server");
  private static final int APPLICATION = 4_000;
  private static final int FAILED = 500;

  private final Call opening;
  private final Socket socket;
  private final SocketHandler handler;
  private final Limits limits;

  /// The limits of a socket.
  ///
  /// @param rate checks whether its principal may send one more message
  /// @param place that it has among the streams of its principal
  record Limits(Consumer<Principal> rate, JsonBody json, OpenStreams.Place place) {}

  /// @param opening the request that opened it
  SocketMessages(Call opening, Socket socket, SocketHandler.Opener opener, Limits limits) {
    this.opening = opening;
    this.socket = socket;
    this.handler = opener.open(socket);
    this.limits = limits;
  }

  @Override
  public void message(String text) {
    try {
      limits.rate().accept(opening.principal());
      handler.answer(new Message(opening, UUID.randomUUID().toString(), text, limits.json()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      socket.close(APPLICATION + 503, "The server is stopping.");
    } catch (HttpFailure failure) {
      socket.close(APPLICATION + failure.status(), failure.text());
    } catch (Exception failed) {
      LOG.error("A message of the WebSocket of request {} failed", opening.id(), failed);
      socket.close(APPLICATION + FAILED, "The server failed; its log has the cause.");
    }
  }

  @Override
  public void closed() {
    try {
      handler.closed();
    } finally {
      limits.place().close();
    }
  }

  /// A message as a call of the client that opened the socket.
  private record Message(Call opening, String id, String text, JsonBody json) implements Call {
    @Override
    public String method() {
      return opening.method();
    }

    @Override
    public String path() {
      return opening.path();
    }

    @Override
    public String part(String name) {
      return opening.part(name);
    }

    @Override
    public Optional<String> query(String name) {
      return opening.query(name);
    }

    @Override
    public List<String> queries(String name) {
      return opening.queries(name);
    }

    @Override
    public Optional<String> header(String name) {
      return opening.header(name);
    }

    @Override
    public JsonNode body() {
      return json.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String address() {
      return opening.address();
    }

    @Override
    public Principal principal() {
      return opening.principal();
    }
  }
}
