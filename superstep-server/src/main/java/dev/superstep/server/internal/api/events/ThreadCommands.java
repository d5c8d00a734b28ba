package dev.superstep.server.internal.api.events;

import dev.superstep.server.internal.api.RunCreation;
import dev.superstep.server.internal.api.Service;
import dev.superstep.server.internal.api.ThreadAccess;
import dev.superstep.server.internal.api.events.ProtocolFailure.Code;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.queue.ThreadEvents;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Carries out the commands on threads. Safe for many threads.
final class ThreadCommands {
  private static final int TOO_MANY = 429;

  private final Service service;
  private final RunCommands runs;
  private final StateCommands states;

  ThreadCommands(Service service, ThreadAccess access, RunCreation creation) {
    this.service = service;
    this.runs = new RunCommands(access, creation);
    this.states = new StateCommands(service, access);
  }

  /// Carries out a command.
  ///
  /// @return the reply, also if it is refused
  /// @throws HttpFailure if the server cannot do it now and a client may try again
  ObjectNode answer(Call call, String thread, JsonNode json) {
    try {
      return answer(call, thread, ProtocolCommand.read(json));
    } catch (ProtocolFailure noCommand) {
      return ProtocolCommand.id(json)
          .map(id -> ProtocolReplies.error(id, noCommand))
          .orElseGet(() -> ProtocolReplies.error(noCommand));
    }
  }

  /// Carries out a command.
  ObjectNode answer(Call call, String thread, ProtocolCommand command) {
    // Before the command: what a run that it makes tells comes after it.
    long seq = seq(thread);
    try {
      return ProtocolReplies.success(command.id(), result(call, thread, command), seq);
    } catch (ProtocolFailure failure) {
      return ProtocolReplies.error(command.id(), failure);
    } catch (HttpFailure failure) {
      if (failure.status() == TOO_MANY || failure.status() >= 500) throw failure;
      return ProtocolReplies.error(command.id(), ProtocolFailure.of(failure));
    }
  }

  /// The place of the last event of a thread.
  long seq(String thread) {
    return service.documents().read(in -> in.lastOffset(ThreadEvents.log(thread)));
  }

  /// The graphs of a run with their statuses: a list of `{namespace, status}`.
  ArrayNode namespaces(Call call, String thread, String run) {
    var params = JsonNodeFactory.instance.objectNode().put("run_id", run);
    var all = JsonNodeFactory.instance.arrayNode();
    add(states.tree(call, thread, new Fields(params)).path("tree"), all);
    return all;
  }

  private static void add(JsonNode node, ArrayNode all) {
    var entry = all.addObject();
    entry.set("namespace", node.path("namespace"));
    entry.set("status", node.path("status"));
    for (var child : node.path("children")) add(child, all);
  }

  private ObjectNode result(Call call, String thread, ProtocolCommand command) {
    var params = command.params();
    return switch (command.method()) {
      case "run.start" -> runs.start(call, thread, params);
      case "input.respond" -> runs.respond(call, thread, params);
      case "input.inject" -> runs.inject(call, thread, params);
      case "state.fork" -> runs.fork(call, thread, params);
      case "state.get" -> states.get(call, thread, params);
      case "state.listCheckpoints" -> states.checkpoints(call, thread, params);
      case "agent.getTree" -> states.tree(call, thread, params);
      case "subscription.subscribe", "subscription.unsubscribe", "subscription.reconnect" ->
          throw new ProtocolFailure(
              Code.NOT_SUPPORTED,
              command.method() + " is for WebSockets. Use POST /threads/{thread}/stream/events.");
      default ->
          throw new ProtocolFailure(
              Code.UNKNOWN_COMMAND, "There is no command `" + command.method() + "`.");
    };
  }
}
