package dev.superstep.model.wire;

import static dev.superstep.model.ModelException.Kind.MALFORMED;
import static dev.superstep.model.ModelException.Kind.REFUSED;

import dev.superstep.model.ChatModel.DeltaListener;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatReply.Finish;
import dev.superstep.model.ModelException;
import dev.superstep.model.Usage;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/// Reads a reply, whole or piece by piece, until it is complete. One thread at a time.
public final class ReplyReader {
  private static final String LAST_EVENT = "[DONE]";

  /// The memory, in bytes, for each character of an event while it grows and becomes a text.
  private static final int PENDING = 4;

  private static final int PENDING_KEPT = 64 * 1024;

  /// Numbers are not altered: arguments of tools are passed on.
  static final ObjectReader JSON =
      JsonMapper.shared().reader().with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private final Wire wire;
  private final Protocol protocol;
  private final ReplyMeter intake;
  private final Draft draft;
  private final StringBuilder pending = new StringBuilder();
  private long pendingHeld;
  private boolean streamed;
  private boolean sawLastEvent;

  /// The reply to a request that is sent over this wire.
  ReplyReader(
      Wire wire,
      Protocol protocol,
      ReplyMeter intake,
      AcceptedRequest asked,
      DeltaListener listener) {
    this.wire = wire;
    this.protocol = protocol;
    this.intake = intake;
    this.draft = new Draft(wire.endpoint().ref().provider(), intake, asked, listener);
  }

  /// Reads a reply that is not streamed.
  ///
  /// @throws dev.superstep.model.ModelException if it is an error, or no reply
  void whole(String reply) throws InterruptedException {
    if (reply.isBlank()) throw wire.error(MALFORMED, "sent an empty reply. Ask again");
    read(reply);
  }

  /// Reads a stream to its end: server-sent events, or JSON values line by line.
  ///
  /// @throws dev.superstep.model.ModelException if a part of it is an error, or no reply
  void stream(InputStream body) throws IOException, InterruptedException {
    streamed = true;
    // Not closed here: the body belongs to the wire.
    var lines = new ReplyLines(body, intake);
    for (var line = lines.next(); line != null; line = lines.next()) {
      if (line.startsWith("{") || line.startsWith("[")) {
        intake.event(line.length());
        event(line);
      } else if (line.startsWith("data:")) {
        data(line.substring(5).strip());
      } else if (line.isEmpty()) {
        endEvent();
      }
    }
    // The last event may lack the empty line after it.
    endEvent();
    wire.checkTime();
  }

  private void data(String more) {
    // An event without data is none, so an empty line of data at its beginning says nothing.
    if (!pending.isEmpty()) pending.append('\n');
    intake.event((long) pending.length() + more.length());
    intake.hold(PENDING * (more.length() + 1L));
    pendingHeld += PENDING * (more.length() + 1L);
    pending.append(more);
  }

  private void endEvent() throws InterruptedException {
    if (!pending.isEmpty()) event(pending.toString());
    pending.setLength(0);
    if (pending.capacity() > PENDING_KEPT) pending.trimToSize();
    intake.release(pendingHeld);
    pendingHeld = 0;
  }

  private void event(String data) throws InterruptedException {
    if (data.equals(LAST_EVENT)) {
      sawLastEvent = true;
    } else if (!data.isBlank()) {
      read(data);
    }
  }

  private void read(String text) throws InterruptedException {
    int entered = ReplyMemory.PROCESS.enter(text.length(), wire.timeLeft());
    if (entered < 0) throw wire.tooLate();
    try {
      parsed(text);
    } finally {
      ReplyMemory.PROCESS.leave(entered);
    }
  }

  private void parsed(String text) {
    JsonNode reply;
    try {
      reply = JSON.readTree(text);
    } catch (JacksonException _) {
      throw notJson(text.length());
    }
    var error = protocol.error(reply);
    if (error.isPresent()) throw Refusals.inReply(wire, error.get());
    try {
      protocol.read(reply, draft);
    } catch (Declined e) {
      throw wire.error(REFUSED, "declined to answer: " + e.why());
    }
  }

  /// Another server answers with something else from the start; in the midst of a reply it is one
  /// piece that was cut or changed on its way.
  private ModelException notJson(int length) {
    if (!draft.isStarted()) {
      return wire.error(MALFORMED, "sent a reply that is not JSON", "Check the base URL.");
    }
    var what =
        "sent a broken piece of %,d characters in the middle of its reply, %,d bytes in"
            .formatted(length, intake.received());
    return wire.error(MALFORMED, what, "What arrived is void; ask again.");
  }

  /// The reply, once all of it has been read.
  ///
  /// @throws dev.superstep.model.ModelException MALFORMED if some of it is missing
  public ChatReply reply() {
    var word = draft.finishWord();
    if (!draft.isStarted()) {
      throw wire.error(MALFORMED, "sent a reply that is not its protocol. Check the base URL");
    }
    if (streamed && word.isEmpty() && !sawLastEvent) {
      var what = "ended its reply in the middle, after %,d bytes".formatted(intake.received());
      throw wire.error(MALFORMED, what, "What arrived is void; ask again.");
    }
    var message = draft.message();
    var finish = finish(word, message.hasToolCalls());
    if (finish == Finish.FILTERED && message.isEmpty()) {
      throw wire.error(REFUSED, "stopped the answer: its filter said `" + word + "`");
    }
    var spent = draft.spent();
    var usage =
        new Usage(spent.input, spent.cached, spent.written, spent.output, spent.reasoning, false);
    var model = wire.endpoint().ref();
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
      case "pause_turn" -> hasCalls ? Finish.TOOL_CALLS : Finish.PAUSED;
      default -> hasCalls ? Finish.TOOL_CALLS : Finish.STOP;
    };
  }

  /// The model says that it will not answer.
  static final class Declined extends RuntimeException {
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
