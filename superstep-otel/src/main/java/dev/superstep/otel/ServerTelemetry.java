package dev.superstep.otel;

import dev.superstep.run.ThreadContext;
import dev.superstep.server.log.RequestLog;
import dev.superstep.server.log.ServerListener;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.ObservableLongGauge;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Makes OpenTelemetry spans and metrics of what a server does: of requests by the semantic
/// conventions of HTTP, and of the work on runs.
///
/// ```java
/// var runs = Telemetry.of(openTelemetry);
/// AgentServer.on(checkpointer, documents)
///     .serving(ServedGraph.of(desk).with(options -> options.listener(runs)))
///     .listener(ServerTelemetry.of(openTelemetry))
///     .start(2024);
/// ```
///
/// ```text
/// POST /threads/{thread}/runs/stream
///   work support
///     run support
/// ```
///
/// A request belongs to the trace that its `traceparent` names, and a run to the request that began
/// it, whichever process works on it: each process that takes it over adds a `work` of its own. No
/// id, path, question or answer is in a metric. Safe for many threads.
public final class ServerTelemetry implements ServerListener {
  private static final String SCOPE = "dev.superstep.server";
  private static final int SERVER_ERROR = 500;
  private static final TextMapPropagator W3C = W3CTraceContextPropagator.getInstance();

  private final Tracer tracer;
  private final ServerInstruments instruments;
  private final List<ObservableLongGauge> gauges = new CopyOnWriteArrayList<>();

  private ServerTelemetry(Tracer tracer, ServerInstruments instruments) {
    this.tracer = tracer;
    this.instruments = instruments;
  }

  /// Makes them with an SDK.
  public static ServerTelemetry of(OpenTelemetry to) {
    return new ServerTelemetry(to.getTracer(SCOPE), new ServerInstruments(to.getMeter(SCOPE)));
  }

  @Override
  public RequestSpan request(String method, Function<String, Optional<String>> header) {
    var parent = W3C.extract(Context.root(), header, Headers.HEADERS);
    var name = ServerInstruments.method(method);
    var span =
        tracer
            .spanBuilder(name)
            .setSpanKind(SpanKind.SERVER)
            .setParent(parent)
            .setAttribute(ServerInstruments.METHOD, name)
            .startSpan();
    return new Request(span, parent.with(span));
  }

  @Override
  public RunSpan run(RunBegin begin) {
    var parent = W3C.extract(Context.root(), begin.carried(), Carried.TEXTS);
    var span =
        tracer
            .spanBuilder("work " + begin.graph())
            .setSpanKind(SpanKind.CONSUMER)
            .setParent(parent)
            .setAttribute(AttributeKeys.GRAPH, begin.graph())
            .setAttribute(AttributeKeys.THREAD, begin.thread())
            .setAttribute(AttributeKeys.CONVERSATION, begin.thread())
            .setAttribute(ServerInstruments.SERVED_RUN, begin.run())
            .setAttribute(ServerInstruments.ATTEMPT, (long) begin.attempt())
            .startSpan();
    if (begin.attempt() > 1) instruments.takenOver(begin.graph());
    return new Work(begin.graph(), span, parent.with(span));
  }

  @Override
  public void streams(int change) {
    instruments.streams(change);
  }

  @Override
  public void waiting(LongSupplier runs) {
    gauges.add(instruments.waiting(runs));
  }

  @Override
  public void stopped() {
    for (var gauge : gauges) gauge.close();
  }

  @Override
  public ThreadContext context() {
    return work -> Context.current().wrap(work);
  }

  @Override
  public String toString() {
    return "ServerTelemetry";
  }

  private enum Headers implements TextMapGetter<Function<String, Optional<String>>> {
    HEADERS;

    @Override
    public Iterable<String> keys(Function<String, Optional<String>> carrier) {
      return W3C.fields();
    }

    @Override
    public @Nullable String get(@Nullable Function<String, Optional<String>> carrier, String key) {
      return carrier == null ? null : carrier.apply(key).orElse(null);
    }
  }

  private enum Carried implements TextMapGetter<Map<String, String>> {
    TEXTS;

    @Override
    public Iterable<String> keys(Map<String, String> carrier) {
      return carrier.keySet();
    }

    @Override
    public @Nullable String get(@Nullable Map<String, String> carrier, String key) {
      return carrier == null ? null : carrier.get(key);
    }
  }

  private final class Request implements RequestSpan {
    private final Span span;
    private final Context context;

    Request(Span span, Context context) {
      this.span = span;
      this.context = context;
    }

    @Override
    public Map<String, String> carried() {
      var texts = new HashMap<String, String>();
      W3C.inject(context, texts, (_, name, value) -> texts.put(name, value));
      return texts;
    }

    @Override
    public void ended(RequestLog.Served request) {
      var attributes = Attributes.builder();
      if (request.status() > 0) {
        attributes.put(ServerInstruments.STATUS, (long) request.status());
      }
      if (!request.route().isEmpty()) {
        attributes.put(ServerInstruments.ROUTE, request.route());
        span.updateName(ServerInstruments.method(request.method()) + " " + request.route());
      }
      if (isFailed(request)) {
        attributes.put(AttributeKeys.ERROR_TYPE, error(request));
        span.setStatus(StatusCode.ERROR);
      }
      span.setAllAttributes(attributes.build());
      span.setAttribute(ServerInstruments.PATH, request.path());
      span.setAttribute(ServerInstruments.CLIENT, request.address());
      span.end();
      attributes.put(ServerInstruments.METHOD, ServerInstruments.method(request.method()));
      instruments.request(attributes.build(), request.took());
    }

    private static boolean isFailed(RequestLog.Served request) {
      return request.status() >= SERVER_ERROR
          || request.ending() == RequestLog.Ending.FAILED
          || request.ending() == RequestLog.Ending.ABANDONED;
    }

    private static String error(RequestLog.Served request) {
      return request.ending() == RequestLog.Ending.ABANDONED
          ? "client_gone"
          : String.valueOf(request.status());
    }
  }

  /// For the thread of the run.
  private final class Work implements RunSpan {
    private final String graph;
    private final Span span;
    private final Scope scope;
    private final long began = System.nanoTime();
    private String status = "left";

    @SuppressWarnings("MustBeClosedChecker") // It is closed with this, on the same thread.
    Work(String graph, Span span, Context context) {
      this.graph = graph;
      this.span = span;
      this.scope = context.makeCurrent();
    }

    @Override
    public void ended(String how) {
      status = how;
    }

    @Override
    public void close() {
      scope.close();
      span.setAttribute(AttributeKeys.OUTCOME, status);
      if (status.equals("error")) span.setStatus(StatusCode.ERROR);
      span.end();
      instruments.run(graph, status, Duration.ofNanos(System.nanoTime() - began));
    }
  }
}
