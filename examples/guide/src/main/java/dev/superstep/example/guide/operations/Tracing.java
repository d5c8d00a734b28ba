package dev.superstep.example.guide.operations;

import dev.superstep.agent.Agent;
import dev.superstep.agent.status.AgentWatch;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.otel.Telemetry;
import dev.superstep.tool.Tool;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.Comparator;
import java.util.List;

/// An agent with a tool and another agent, as a tree of spans.
public final class Tracing {
  record Parcel(String number) {}

  private Tracing() {}

  static Agent<String> agent() {
    var find = Tool.of("find", "Finds a parcel.", Parcel.class, (_, _) -> "in Ghent");
    var writer =
        Agent.named("writer").model(ScriptedModel.saying("It is in Ghent, dear Ann.")).build();
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "find", "{\"number\":\"7\"}")),
            ScriptedModel.calls(new ToolCall("c2", "writer", "{\"task\":\"Tell Ann.\"}")),
            ScriptedModel.text("Done."));
    return Agent.named("support").model(model).tools(find).agent(writer, "Writes.").build();
  }

  static void run(OpenTelemetry openTelemetry) throws InterruptedException {
    var watch = new AgentWatch(100);
    try (var telemetry = Telemetry.of(openTelemetry)) {
      var options = RunOptions.defaults().listener(telemetry).listener(watch);
      agent().run("Where is parcel 7?", options);
    }
    for (var status : watch.newest(10)) {
      System.out.println(
          status.agent() + " " + status.stage() + ", " + status.counters().modelCalls() + " calls");
    }
  }

  /// Runs it, and prints what was traced.
  public static void main(String[] args) throws InterruptedException {
    var spans = InMemorySpanExporter.create();
    var tracing =
        SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build();
    try (var sdk = OpenTelemetrySdk.builder().setTracerProvider(tracing).build()) {
      run(sdk);
      print(spans.getFinishedSpanItems(), "0000000000000000", "");
    }
  }

  private static void print(List<SpanData> all, String parent, String indent) {
    all.stream()
        .filter(span -> span.getParentSpanId().equals(parent))
        .sorted(Comparator.comparingLong(SpanData::getStartEpochNanos))
        .forEach(span -> {
          System.out.println(indent + span.getName());
          print(all, span.getSpanId(), indent + "  ");
        });
  }
}
