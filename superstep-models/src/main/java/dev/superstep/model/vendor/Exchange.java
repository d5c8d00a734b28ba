package dev.superstep.model.vendor;

import static dev.superstep.model.ModelException.Kind.BAD_REQUEST;
import static dev.superstep.model.ModelException.Kind.MALFORMED;
import static dev.superstep.model.ModelException.Kind.REFUSED;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// One model call: the HTTP client that LangChain4j is given for it, and the verdict on it.
///
/// LangChain4j's own client streams on another thread and drops the headers of errors. This one
/// stays on the calling thread, so that pieces arrive in order and an interrupt is a cancel. It
/// looks at each reply before LangChain4j does; what it finds wrong outranks whatever LangChain4j
/// makes of it. One thread at a time.
final class Exchange implements HttpClient, HttpClientBuilder {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String LAST_EVENT = "[DONE]";

  private final Endpoint at;
  private final Vendor vendor;
  private final ChatRequest request;
  private final Wire wire;
  private @Nullable Throwable failure;
  private @Nullable String finish;
  private boolean answered;
  private boolean streamed;
  private boolean sawLastEvent;

  Exchange(Endpoint at, Vendor vendor, ChatRequest request) {
    this.at = at;
    this.vendor = vendor;
    this.request = request;
    this.wire = new Wire(at, vendor.title(), request.timeout());
  }

  /// Whether the call is lost, whatever comes next.
  boolean isFailed() {
    return failure != null;
  }

  /// Ends the call with this error as it is. The first one counts.
  void stop(Throwable error) {
    if (failure == null) failure = error;
    wire.close();
  }

  /// Ends the call with an error of LangChain4j, unless there is a better reason already.
  void fail(Throwable error) {
    if (failure != null) return;
    if (error instanceof ModelException || error instanceof InterruptedException) {
      stop(error);
      return;
    }
    var why = at.key().hide(String.valueOf(error.getMessage())).lines().findFirst().orElse("");
    stop(
        answered
            ? wire.error(MALFORMED, "sent a reply that is not its protocol: " + why)
            : wire.error(BAD_REQUEST, "cannot be sent this request: " + why));
  }

  /// The end of the call.
  ///
  /// @param pieces the text as it was streamed; LangChain4j may join it differently in the end
  ChatReply reply(Optional<ChatResponse> parsed, Optional<String> pieces)
      throws InterruptedException {
    switch (failure) {
      case null -> {}
      case InterruptedException e -> throw e;
      case Error e -> throw e;
      case RuntimeException e -> throw e;
      default -> throw new IllegalStateException("model call failed", failure);
    }
    if (parsed.isEmpty() || (streamed && finish == null && !sawLastEvent)) {
      throw wire.error(MALFORMED, "ended its reply in the middle. Ask again");
    }
    return new Replies(at, vendor, wire).of(parsed.get(), pieces, Optional.ofNullable(finish));
  }

  @Override
  public SuccessfulHttpResponse execute(HttpRequest asked) {
    try (wire) {
      wire.open(completed(asked));
      answered = true;
      var text = wire.readAll();
      if (text.isBlank()) throw wire.error(MALFORMED, "sent an empty reply. Ask again");
      return SuccessfulHttpResponse.builder().statusCode(200).body(read(text)).build();
    } catch (IOException e) {
      throw failed(wire.broken(e));
    } catch (InterruptedException e) {
      throw failed(e);
    } catch (ModelException e) {
      throw failed(e);
    }
  }

  @Override
  public void execute(
      HttpRequest asked, ServerSentEventParser parser, ServerSentEventListener listener) {
    streamed = true;
    try (wire) {
      var body = wire.open(completed(asked));
      answered = true;
      listener.onOpen(SuccessfulHttpResponse.builder().statusCode(200).build());
      parser.parse(body, new CheckedEvents(listener));
      // At the deadline the body is closed from outside, which may look like a regular end.
      if (failure == null && wire.isLate()) stop(wire.tooLate());
      if (failure == null) listener.onClose();
    } catch (IOException e) {
      stop(wire.broken(e));
    } catch (InterruptedException | ModelException e) {
      stop(e);
    }
  }

  private RuntimeException failed(Exception error) {
    stop(error);
    return error instanceof ModelException known ? known : new Interrupted();
  }

  private HttpRequest completed(HttpRequest asked) {
    var body = (ObjectNode) JSON.readTree(asked.body());
    vendor.complete(body, request);
    return HttpRequest.builder()
        .method(asked.method())
        .url(asked.url())
        .headers(asked.headers())
        .body(body.toString())
        .build();
  }

  /// Looks at a reply or a part of one, stops at what is an error in any protocol, and gives back
  /// what LangChain4j is to read.
  private String read(String text) {
    JsonNode reply;
    try {
      reply = JSON.readTree(text);
    } catch (JacksonException _) {
      throw wire.error(MALFORMED, "sent a reply that is not JSON. Check the base URL");
    }
    if (reply.hasNonNull("error")) throw Refusals.inReply(wire, reply.get("error"));
    var refusal = vendor.refusal(reply);
    if (refusal.isPresent()) {
      throw wire.error(REFUSED, "declined to answer: " + refusal.get());
    }
    vendor.finish(reply).ifPresent(word -> finish = word);
    if (reply instanceof ObjectNode object) vendor.mend(object);
    return reply.toString();
  }

  /// Looks at each event before LangChain4j does, and keeps what goes wrong there.
  private final class CheckedEvents implements ServerSentEventListener {
    private final ServerSentEventListener inner;

    CheckedEvents(ServerSentEventListener inner) {
      this.inner = inner;
    }

    @Override
    public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
      if (failure != null || event.data().isBlank()) return;
      try {
        if (event.data().equals(LAST_EVENT)) {
          sawLastEvent = true;
          inner.onEvent(event, context);
        } else {
          inner.onEvent(new ServerSentEvent(event.event(), read(event.data())), context);
        }
      } catch (RuntimeException e) {
        fail(e);
      }
    }

    @Override
    public void onError(Throwable error) {
      if (failure != null) return;
      stop(error instanceof IOException e ? wire.broken(e) : error);
    }
  }

  /// Carries an interrupt through LangChain4j, which does not let the checked one pass.
  private static final class Interrupted extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public HttpClient build() {
    return this;
  }

  @Override
  public Duration connectTimeout() {
    return request.timeout();
  }

  @Override
  public HttpClientBuilder connectTimeout(Duration ignored) {
    return this;
  }

  @Override
  public Duration readTimeout() {
    return request.timeout();
  }

  @Override
  public HttpClientBuilder readTimeout(Duration ignored) {
    return this;
  }
}
