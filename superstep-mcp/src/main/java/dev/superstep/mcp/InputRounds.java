package dev.superstep.mcp;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Answers what a server of revision 2026-07-28 asks in the result of a call: the next call has the
/// answers, and brings back the state that the server gave. For one call and one thread.
final class InputRounds {
  /// The most results of one call that ask.
  static final int MAX = 20;

  private static final String STATE = "requestState";
  private static final String RESPONSES = "inputResponses";
  private static final String OPEN = "open";
  private static final int STATE_MAX = 1 << 20;

  private final String server;
  private final ServerAnswers answers;

  InputRounds(String server, ServerAnswers answers) {
    this.server = server;
    this.answers = answers;
  }

  /// Puts the answers into the parameters of the next call.
  ///
  /// @return the end of this attempt, if a person has to be asked first
  Optional<CallOutcome> next(JsonNode result, ObjectNode params, @Nullable PreparedAnswers prepared)
      throws InterruptedException {
    params.remove(STATE);
    var state = result.path(STATE);
    if (state.isString() && state.asString().length() > STATE_MAX) {
      throw new McpFailed.Misbehaved(server, "gave a request state that is too long.");
    }
    if (state.isString()) params.put(STATE, state.asString());
    var responses = params.putObject(RESPONSES);
    for (var one : result.path("inputRequests").properties()) {
      var reply = reply(one.getValue());
      var open = prepared == null ? Optional.<McpElicitation>empty() : prepared.open();
      if (open.isPresent()) return Optional.of(CallOutcome.asked(open.get(), rest(one, params)));
      responses.set(one.getKey(), reply);
    }
    return Optional.empty();
  }

  private JsonNode reply(JsonNode request) throws InterruptedException {
    try {
      return answers.answer(Wire.text(request, "method"), request.path("params"));
    } catch (ServerRequests.Rejected e) {
      throw new McpFailed.Misbehaved(
          server, "asked in a result for what it was not granted: " + e.getMessage() + ".");
    }
  }

  /// The state that the next call needs beside its answer, without what only this attempt knows. A
  /// server that gave no state is called again from the start.
  private static Optional<Json> rest(
      java.util.Map.Entry<String, JsonNode> open, ObjectNode params) {
    if (!params.has(STATE)) return Optional.empty();
    var rest = Wire.object();
    rest.set(STATE, params.path(STATE));
    rest.set(RESPONSES, params.path(RESPONSES));
    rest.put(OPEN, open.getKey());
    return Optional.of(Wire.json(rest));
  }

  /// The parameters of the next call with one more answer.
  static Json answered(Json rest, McpElicitation asked, McpAnswer answer) {
    var params = (ObjectNode) Wire.tree(rest);
    var key = Wire.text(params, OPEN);
    params.remove(OPEN);
    params.withObjectProperty(RESPONSES).set(key, ElicitationForms.reply(asked, answer));
    return Wire.json(params);
  }
}
