package dev.superstep.server.internal.api.events;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.server.internal.api.events.ProtocolFailure.Code;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Socket;
import dev.superstep.server.internal.http.SocketHandler;
import dev.superstep.server.internal.wire.stream.ProtocolEvent;
import dev.superstep.server.internal.wire.stream.ProtocolFilter;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A WebSocket of a thread: its commands, and the events of its subscriptions. Commands come one
/// after the other; events are sent from a thread of its own.
final class ThreadSocket implements SocketHandler {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.server");
  private static final Duration PING = Duration.ofSeconds(15);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final String thread;
  private final Socket socket;
  private final ThreadCommands commands;
  private final Subscriptions subscriptions;
  private final Thread sender;

  ThreadSocket(String thread, Socket socket, ThreadCommands commands, Subscriptions subscriptions) {
    this.thread = thread;
    this.socket = socket;
    this.commands = commands;
    this.subscriptions = subscriptions;
    this.sender = Thread.ofVirtual().name("superstep-socket-events").start(this::sendAll);
  }

  private void sendAll() {
    try {
      while (!Thread.interrupted()) {
        try {
          if (!subscriptions.sendNext(socket, PING)) socket.ping();
        } catch (StoreFailed down) {
          LOG.warn("The events of thread {} cannot be read; they are tried again", thread, down);
          Thread.sleep(PAUSE);
        }
      }
    } catch (InterruptedException _) {
      // It is closed.
    } catch (IOException gone) {
      LOG.debug("The client of a WebSocket of thread {} is gone", thread, gone);
    } catch (RuntimeException failed) {
      LOG.error("The events of thread {} cannot be sent", thread, failed);
      socket.close(4_500, "The server failed; its log has the cause.");
    }
  }

  @Override
  public void answer(Call message) throws Exception {
    try {
      var command = command(message);
      if (command != null) answer(message, command);
    } catch (IOException gone) {
      LOG.debug("The client of a WebSocket of thread {} is gone", thread, gone);
    }
  }

  private void answer(Call message, ProtocolCommand command)
      throws IOException, InterruptedException {
    try {
      switch (command.method()) {
        case "subscription.subscribe" -> subscribe(command);
        case "subscription.unsubscribe" -> unsubscribe(command);
        case "subscription.reconnect" -> reconnect(message, command);
        default -> socket.send(commands.answer(message, thread, command).toString());
      }
    } catch (ProtocolFailure failure) {
      socket.send(ProtocolReplies.error(command.id(), failure).toString());
    } catch (HttpFailure failure) {
      socket.send(ProtocolReplies.error(command.id(), ProtocolFailure.of(failure)).toString());
    } catch (StoreFailed down) {
      var failure =
          new ProtocolFailure(Code.UNKNOWN_ERROR, "The store does not answer; try again.");
      LOG.warn("A command on thread {} is refused", thread, down);
      socket.send(ProtocolReplies.error(command.id(), failure).toString());
    }
  }

  /// Reads a command; what is none is answered without an id.
  private @org.jspecify.annotations.Nullable ProtocolCommand command(Call message)
      throws IOException, InterruptedException {
    JsonNode body;
    try {
      body = message.body();
    } catch (HttpFailure unreadable) {
      socket.send(ProtocolReplies.error(ProtocolFailure.of(unreadable)).toString());
      return null;
    }
    try {
      return ProtocolCommand.read(body);
    } catch (ProtocolFailure noCommand) {
      var id = ProtocolCommand.id(body);
      var reply =
          id.isPresent()
              ? ProtocolReplies.error(id.get(), noCommand)
              : ProtocolReplies.error(noCommand);
      socket.send(reply.toString());
      return null;
    }
  }

  private void subscribe(ProtocolCommand command) throws IOException, InterruptedException {
    var filter = ProtocolFilter.read(command.params());
    long seq = commands.seq(thread);
    subscriptions.subscribe(
        filter,
        socket,
        id -> {
          var result = JsonNodeFactory.instance.objectNode().put("subscription_id", id);
          return ProtocolReplies.success(command.id(), result, seq);
        });
  }

  private void unsubscribe(ProtocolCommand command) throws IOException, InterruptedException {
    var id = command.params().required("subscription_id");
    if (!subscriptions.unsubscribe(id)) {
      throw new ProtocolFailure(Code.NO_SUCH_SUBSCRIPTION, "There is no subscription " + id + ".");
    }
    success(command, JsonNodeFactory.instance.objectNode());
  }

  private void reconnect(Call message, ProtocolCommand command)
      throws IOException, InterruptedException {
    var params = command.params();
    var run = params.required("run_id");
    var last = params.text("last_event_id");
    var after = last.map(ProtocolEvent::seq);
    if (after.isPresent() && after.get().isEmpty()) {
      throw Fields.bad("last_event_id", "is the id of no event");
    }
    var namespaces = commands.namespaces(message, thread, run);
    long from = after.map(place -> place.getAsLong()).orElse(commands.seq(thread));
    int missed = subscriptions.restore(params.texts("subscriptions"), from, socket);
    var result = JsonNodeFactory.instance.objectNode().put("restored", missed >= 0);
    if (missed >= 0) result.put("missed_events", missed);
    result.set("current_namespaces", namespaces);
    success(command, result);
  }

  private void success(ProtocolCommand command, ObjectNode result)
      throws IOException, InterruptedException {
    var reply = ProtocolReplies.success(command.id(), result, commands.seq(thread));
    socket.send(reply.toString());
  }

  @Override
  public void closed() {
    sender.interrupt();
    subscriptions.close();
  }
}
