package dev.superstep.model.wire;

import static dev.superstep.model.ModelException.Kind.BAD_REQUEST;

import dev.superstep.model.ChatModel.DeltaListener;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A model call by a vendor's client library whose HTTP client delegates to this class.
///
/// The library makes the request: its URL, its headers, the way to request a stream. The [Protocol]
/// writes and reads the bodies, because the libraries' types lose some of their fields (decision
/// 0039). So the library never receives the reply: once it has been read, [Over] ends the library's
/// call. Everything happens on the calling thread, so that pieces arrive in order and an interrupt
/// is a cancel. One thread at a time.
public final class Exchange {
  private static final ScopedValue<Exchange> CURRENT = ScopedValue.newInstance();

  private final ObjectNode body;
  private final Map<String, String> headers;
  private final boolean streamed;
  private final Wire wire;
  private final ReplyMeter intake;
  private final ReplyReader reader;
  private @Nullable Throwable failure;
  private boolean over;

  private Exchange(
      Endpoint endpoint,
      Protocol protocol,
      ChatRequest request,
      boolean streamed,
      DeltaListener listener) {
    this.streamed = streamed;
    var accepted = AcceptedRequest.of(request);
    this.body = protocol.body(accepted.request(), endpoint);
    this.headers = protocol.headers(accepted.request());
    this.wire = new Wire(endpoint, protocol.title(), TimeLimits.of(request, streamed));
    this.intake = new ReplyMeter(endpoint.limits(), ReplyMemory.PROCESS, wire::tooLarge);
    this.reader = new ReplyReader(wire, protocol, intake, accepted, listener);
  }

  /// A call for a whole reply that has not been sent. Its time begins now.
  ///
  /// @throws ModelException BAD_REQUEST if the protocol cannot say it
  public static Exchange whole(Endpoint endpoint, Protocol protocol, ChatRequest request) {
    return new Exchange(endpoint, protocol, request, false, _ -> {});
  }

  /// Makes a call whose reply is streamed.
  ///
  /// @throws ModelException BAD_REQUEST if the protocol cannot express the request
  public static Exchange streamed(
      Endpoint endpoint, Protocol protocol, ChatRequest request, DeltaListener listener) {
    return new Exchange(endpoint, protocol, request, true, listener);
  }

  /// Returns the call that the library is making on this thread.
  ///
  /// @throws IllegalStateException if there is none
  public static Exchange current() {
    return CURRENT.orElseThrow(() -> new IllegalStateException("no model is asked on this thread"));
  }

  /// The body of the request, without the fields that request a stream.
  public ObjectNode body() {
    return body;
  }

  /// Makes the library send its request, which calls [#send], and returns the reply.
  ///
  /// @throws ModelException typed by [ModelException.Kind]
  /// @throws InterruptedException if the calling thread is interrupted
  public ChatReply with(Runnable library) throws InterruptedException {
    try (intake) {
      return runLibrary(library);
    }
  }

  private ChatReply runLibrary(Runnable library) throws InterruptedException {
    try {
      ScopedValue.where(CURRENT, this).run(library);
    } catch (RuntimeException e) {
      // Libraries wrap what their HTTP client throws; once it is over, it is kept here.
      if (!over) throw unsent(e);
    }
    switch (failure) {
      case null -> {}
      case InterruptedException e -> throw e;
      case Error e -> throw e;
      case RuntimeException e -> throw e;
      default -> throw new IllegalStateException("model call failed", failure);
    }
    return reader.reply();
  }

  private ModelException unsent(RuntimeException error) {
    var why = String.valueOf(error.getMessage()).lines().findFirst().orElse("");
    return wire.error(BAD_REQUEST, "cannot be sent this request: " + why);
  }

  /// Sends the request of the library, and reads the whole reply.
  ///
  /// @return never: it throws [Over] once the reply or a failure is known
  public Over send(String url, Map<String, List<String>> given, String sent) {
    try (wire) {
      var reply = wire.open(url, withOwn(given), sent);
      if (streamed) {
        reader.stream(reply);
      } else {
        reader.whole(wire.readAll(intake));
      }
    } catch (IOException e) {
      failure = wire.broken(e, intake.received());
    } catch (InterruptedException | RuntimeException | Error e) {
      failure = e;
    }
    over = true;
    throw new Over();
  }

  private Map<String, List<String>> withOwn(Map<String, List<String>> given) {
    if (headers.isEmpty()) return given;
    var all = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(given);
    headers.forEach((name, value) -> {
      var values = new ArrayList<>(all.getOrDefault(name, List.of()));
      values.add(value);
      all.put(name, List.of(String.join(",", values)));
    });
    return all;
  }

  /// Ends the call of a library that has done its part.
  public static final class Over extends RuntimeException {
    private Over() {
      super("the reply has been heard", null, false, false);
    }
  }
}
