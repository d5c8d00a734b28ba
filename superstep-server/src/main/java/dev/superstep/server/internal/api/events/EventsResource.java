package dev.superstep.server.internal.api.events;

import dev.superstep.server.internal.api.Resource;
import dev.superstep.server.internal.api.RunCreation;
import dev.superstep.server.internal.api.Service;
import dev.superstep.server.internal.api.ThreadAccess;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.internal.run.RunService;
import dev.superstep.server.internal.run.ThreadEventReader;
import dev.superstep.server.internal.run.ThreadEventSource;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.internal.wire.stream.ProtocolFilter;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Access.Action;
import java.util.Map;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The event-streaming protocol of a thread: commands, and its events as they happen.
public final class EventsResource implements Resource {
  private static final long SEQ_MAX = (1L << 53) - 1;

  private final Service service;
  private final RunService runs;
  private final ThreadCommands commands;

  public EventsResource(Service service, ThreadAccess access, RunService runs) {
    this.service = service;
    this.runs = runs;
    this.commands = new ThreadCommands(service, access, new RunCreation(service, access, runs));
  }

  @Override
  public void addTo(Routes routes) {
    routes
        .on("POST", "/threads/{thread}/commands", this::command)
        .on("GET", "/threads/{thread}/stream/events", this::socket)
        .on("POST", "/threads/{thread}/stream/events", this::events);
  }

  private Reply command(Call call) {
    JsonNode body;
    try {
      body = call.body();
    } catch (HttpFailure unreadable) {
      var reply = ProtocolReplies.error(ProtocolFailure.of(unreadable));
      return new Reply.Value(unreadable.status(), reply, Map.of());
    }
    var reply = commands.answer(call, call.part("thread"), body);
    boolean isCommand = ProtocolCommand.id(body).isPresent();
    return new Reply.Value(isCommand ? 200 : 400, reply, Map.of());
  }

  private Reply events(Call call) {
    var fields = Fields.of(call.body());
    var filter = ProtocolFilter.read(fields);
    var reader = reader(call, since(fields));
    return new Reply.Events(new ThreadEventSource(reader, filter), Map.of());
  }

  private ThreadEventReader reader(Call call, OptionalLong since) {
    var reader = runs.events(call.part("thread"), granted(call), since);
    reader.follow();
    return reader;
  }

  private Reply socket(Call call) {
    boolean isUpgrade = call.header("Upgrade").filter("websocket"::equalsIgnoreCase).isPresent();
    if (!isUpgrade) {
      throw new HttpFailure(426, "This is for WebSockets. For server-sent events, use POST.")
          .with("Upgrade", "websocket");
    }
    var thread = call.part("thread");
    var reader = reader(call, OptionalLong.empty());
    var subscriptions = new Subscriptions(reader);
    return new Reply.Upgrade(
        call, socket -> new ThreadSocket(thread, socket, commands, subscriptions), Map.of());
  }

  private Granted granted(Call call) {
    var value = JsonNodeFactory.instance.objectNode().put("thread_id", call.part("thread"));
    return service
        .guard()
        .check(call, new Access(Access.Resource.THREADS, Action.READ, Trees.json(value, "body")));
  }

  private static OptionalLong since(Fields fields) {
    var value = fields.any("since");
    if (Fields.isNone(value)) return OptionalLong.empty();
    boolean isSeq = value.isIntegralNumber() && value.canConvertToLong();
    if (isSeq && value.longValue() >= 0 && value.longValue() <= SEQ_MAX) {
      return OptionalLong.of(value.longValue());
    }
    throw Fields.bad("since", "must be a whole number from 0");
  }
}
