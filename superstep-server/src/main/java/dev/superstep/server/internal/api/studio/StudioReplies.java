package dev.superstep.server.internal.api.studio;

import dev.superstep.checkpoint.MissingCapability;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.InvalidStateUpdate;
import dev.superstep.error.ThreadError;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Routes;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The forms that requests and answers of the studio share.
final class StudioReplies {
  private StudioReplies() {}

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /// The tree of a value of the engine.
  static JsonNode tree(Json json) {
    return JsonMapper.shared().readTree(json.text());
  }

  /// A handler whose known errors have a status of their own.
  static Routes.Handler answering(Routes.Handler handler) {
    return call -> {
      try {
        return handler.handle(call);
      } catch (ThreadError e) {
        throw new HttpFailure(status(e.reason()), message(e));
      } catch (ThreadBusy e) {
        throw new HttpFailure(409, message(e));
      } catch (InvalidStateUpdate | MalformedJson e) {
        throw new HttpFailure(422, message(e));
      } catch (MissingCapability e) {
        throw new HttpFailure(501, message(e));
      }
    };
  }

  private static int status(ThreadError.Reason reason) {
    return switch (reason) {
      case UNKNOWN -> 404;
      case UNFINISHED, OTHER_GRAPH, MOVED_ON, TAKEN, MEMORY_LOST, ELSEWHERE -> 409;
    };
  }

  private static String message(RuntimeException error) {
    return String.valueOf(error.getMessage());
  }

  /// A text of the body.
  ///
  /// @throws HttpFailure 422 if it is there and no text
  static Optional<String> text(JsonNode body, String name) {
    var value = body.get(name);
    if (value == null || value.isNull()) return Optional.empty();
    if (value.isString()) return Optional.of(value.asString());
    throw new HttpFailure(422, "`" + name + "` must be a text, was " + value + ".");
  }

  /// A text that the body must have.
  static String need(JsonNode body, String name) {
    return text(body, name)
        .orElseThrow(() -> new HttpFailure(422, "The body must have a text `" + name + "`."));
  }

  /// A number of the query, within limits.
  static long number(Call call, String name, long otherwise, long most) {
    var text = call.query(name);
    if (text.isEmpty()) return otherwise;
    try {
      long number = Long.parseLong(text.get());
      if (number >= 0) return Math.min(number, most);
    } catch (NumberFormatException _) {
      // As for a negative one.
    }
    throw new HttpFailure(422, "`" + name + "` must be a number from 0, was " + text.get() + ".");
  }
}
