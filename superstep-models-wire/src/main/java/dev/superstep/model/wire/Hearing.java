package dev.superstep.model.wire;

import static dev.superstep.model.ModelException.Kind.MALFORMED;
import static dev.superstep.model.ModelException.Kind.REFUSED;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.model.ChatModel.DeltaListener;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatReply.Finish;
import dev.superstep.model.Usage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/// What is heard of one reply, whole or piece by piece, until it is complete. One thread at a time.
public final class Hearing {
  private static final String LAST_EVENT = "[DONE]";

  /// Numbers are not altered: arguments of tools are passed on.
  static final ObjectReader JSON =
      JsonMapper.shared().reader().with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private final Wire wire;
  private final Protocol protocol;
  private final Draft draft;
  private boolean streamed;
  private boolean sawLastEvent;

  /// The reply to a request that is sent over this wire.
  public Hearing(Wire wire, Protocol protocol, DeltaListener listener) {
    this.wire = wire;
    this.protocol = protocol;
    this.draft = new Draft(wire.at().ref().provider(), listener);
  }

  /// Reads a reply that is not streamed.
  ///
  /// @throws dev.superstep.model.ModelException if it is an error, or no reply
  public void whole(String reply) {
    if (reply.isBlank()) throw wire.error(MALFORMED, "sent an empty reply. Ask again");
    read(reply);
  }

  /// Reads a stream to its end: server-sent events, or JSON values line by line.
  ///
  /// @throws dev.superstep.model.ModelException if a part of it is an error, or no reply
  public void stream(InputStream body) throws IOException {
    streamed = true;
    // Not closed here: the body belongs to the wire.
    var lines = new BufferedReader(new InputStreamReader(body, UTF_8));
    var event = new StringBuilder();
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("{") || line.startsWith("[")) {
        event(line);
      } else if (line.startsWith("data:")) {
        event.append(event.isEmpty() ? "" : "\n").append(line.substring(5).strip());
      } else if (line.isEmpty() && !event.isEmpty()) {
        event(event.toString());
        event.setLength(0);
      }
    }
    // The last event may lack the empty line after it.
    if (!event.isEmpty()) event(event.toString());
    if (wire.isLate()) throw wire.tooLate();
  }

  private void event(String data) {
    if (data.equals(LAST_EVENT)) {
      sawLastEvent = true;
    } else if (!data.isBlank()) {
      read(data);
    }
  }

  private void read(String text) {
    JsonNode reply;
    try {
      reply = JSON.readTree(text);
    } catch (JacksonException _) {
      throw wire.error(MALFORMED, "sent a reply that is not JSON. Check the base URL");
    }
    var error = protocol.error(reply);
    if (error.isPresent()) throw Refusals.inReply(wire, error.get());
    try {
      protocol.read(reply, draft);
    } catch (Declined e) {
      throw wire.error(REFUSED, "declined to answer: " + e.why());
    }
  }

  /// The reply, once all of it has been read.
  ///
  /// @throws dev.superstep.model.ModelException MALFORMED if some of it is missing
  public ChatReply reply() {
    var word = draft.finishWord();
    if (!draft.hasBegun()) {
      throw wire.error(MALFORMED, "sent a reply that is not its protocol. Check the base URL");
    }
    if (streamed && word.isEmpty() && !sawLastEvent) {
      throw wire.error(MALFORMED, "ended its reply in the middle. Ask again");
    }
    var message = draft.message();
    var finish = finish(word, message.hasToolCalls());
    if (finish == Finish.FILTERED && message.isEmpty()) {
      throw wire.error(REFUSED, "stopped the answer: its filter said `" + word + "`");
    }
    var spent = draft.spent();
    var usage =
        new Usage(spent.input, spent.cached, spent.written, spent.output, spent.reasoning, false);
    var model = wire.at().ref();
    return new ChatReply(message, usage, finish, model, ChatReply.Source.LIVE, draft.receipt());
  }

  private Finish finish(String word, boolean hasCalls) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "length",
          "max_tokens",
          "max_output_tokens",
          "model_length",
          "model_context_window_exceeded" ->
          Finish.LENGTH;
      case "content_filter",
          "refusal",
          "safety",
          "blocklist",
          "prohibited_content",
          "recitation",
          "spii",
          "image_safety",
          "language" ->
          Finish.FILTERED;
      case "malformed_function_call", "unexpected_tool_call", "error" ->
          throw wire.error(MALFORMED, "gave up on its answer: `" + word + "`. Ask again");
      default -> hasCalls ? Finish.TOOL_CALLS : Finish.STOP;
    };
  }

  /// The model says that it will not answer.
  static final class Declined extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String why;

    Declined(String why) {
      super(why, null, false, false);
      this.why = why;
    }

    String why() {
      return why;
    }
  }
}
