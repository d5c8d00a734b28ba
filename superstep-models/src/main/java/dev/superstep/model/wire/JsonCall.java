package dev.superstep.model.wire;

import static dev.superstep.model.ModelException.Kind.MALFORMED;

import dev.superstep.model.ModelException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A call that sends JSON and receives JSON, for what is no conversation, within the limits of
/// replies. Used once.
public final class JsonCall {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final Wire wire;
  private final ReplyMeter intake;

  /// A call that has not been made. Its time begins now.
  ///
  /// @param title who is asked, to begin a sentence with
  public JsonCall(Endpoint endpoint, String title) {
    wire = new Wire(endpoint, title, new TimeLimits(LIMIT, LIMIT, LIMIT));
    intake = new ReplyMeter(endpoint.limits(), ReplyMemory.PROCESS, wire::tooLarge);
  }

  /// Sends, and waits for the whole reply.
  ///
  /// @throws ModelException if the server answers with an error, late, or not with JSON
  public JsonNode post(String url, Map<String, List<String>> headers, JsonNode body)
      throws InterruptedException {
    try (wire;
        intake) {
      wire.open(url, headers, body.toString());
      return JsonMapper.shared().readTree(wire.readAll(intake));
    } catch (JacksonException _) {
      throw error(MALFORMED, "sent a reply that is not JSON. Check the base URL");
    } catch (IOException e) {
      switch (wire.broken(e, intake.received())) {
        case InterruptedException interrupt -> throw interrupt;
        case RuntimeException failure -> throw failure;
        case Exception other -> throw new IllegalStateException("call failed", other);
      }
    }
  }

  /// An error of this call.
  public ModelException error(ModelException.Kind kind, String what) {
    return wire.error(kind, what);
  }
}
