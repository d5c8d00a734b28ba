package dev.superstep.mcp.internal.question;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.session.ServerRequests;
import dev.superstep.mcp.internal.transport.RequestFailed;
import dev.superstep.mcp.internal.wire.Wire;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Answers what a server of revision 2026-07-28 asks in the result of a call: the next call has the
/// answers, and brings back the state that the server gave. For one call and one thread.
public final class InputRounds {
  /// The most results of one call that ask.
  public static final int MAX = 20;

  private static final String STATE = "requestState";
  private static final String RESPONSES = "inputResponses";
  private static final String OPEN = "open";
  private static final int STATE_MAX = 1 << 20;

  private final ServerRequests answers;
  private final BooleanSupplier isOpen;

  /// A call that waits for a person.
  ///
  /// @param rest by which it goes on; empty if it is made again from the start
  public record Waiting(Optional<Json> rest) {}

  /// @param isOpen whether a person has to be asked what was asked last
  public InputRounds(ServerRequests answers, BooleanSupplier isOpen) {
    this.answers = answers;
    this.isOpen = isOpen;
  }

  /// Puts the answers into the parameters of the next call.
  ///
  /// @return the end of this attempt, if a person has to be asked first
  public Optional<Waiting> next(JsonNode result, ObjectNode params)
      throws InterruptedException, RequestFailed {
    params.remove(STATE);
    var state = result.path(STATE);
    if (state.isString() && state.asString().length() > STATE_MAX) {
      throw misbehaved("gave a request state that is too long.");
    }
    if (state.isString()) params.put(STATE, state.asString());
    var responses = params.putObject(RESPONSES);
    for (var one : result.path("inputRequests").properties()) {
      var reply = reply(one.getValue());
      if (isOpen.getAsBoolean()) return Optional.of(new Waiting(rest(one, params)));
      responses.set(one.getKey(), reply);
    }
    return Optional.empty();
  }

  private static RequestFailed misbehaved(String how) {
    return new RequestFailed(new RequestFailed.Misbehaved(how));
  }

  private JsonNode reply(JsonNode request) throws InterruptedException, RequestFailed {
    try {
      return answers.answer(Wire.text(request, "method"), request.path("params"));
    } catch (ServerRequests.Rejected e) {
      throw misbehaved("asked in a result for what it was not granted: " + e.getMessage() + ".");
    }
  }

  /// The state that the next call needs beside its answer, without what only this attempt knows. A
  /// server that gave no state is called again from the start.
  private static Optional<Json> rest(Map.Entry<String, JsonNode> open, ObjectNode params) {
    if (!params.has(STATE)) return Optional.empty();
    var rest = Wire.object();
    rest.set(STATE, params.path(STATE));
    rest.set(RESPONSES, params.path(RESPONSES));
    rest.put(OPEN, open.getKey());
    return Optional.of(Wire.json(rest));
  }

  /// The parameters of the next call with one more answer.
  public static Json answered(Json rest, ObjectNode reply) {
    var params = (ObjectNode) Wire.tree(rest);
    var key = Wire.text(params, OPEN);
    params.remove(OPEN);
    params.withObjectProperty(RESPONSES).set(key, reply);
    return Wire.json(params);
  }
}
