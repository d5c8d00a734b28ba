package dev.superstep.example.guide.cookbook;

import dev.superstep.agent.Agent;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ScriptedModel;
import dev.superstep.otel.Telemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;

/// The spans of a run.
public final class Spans {
  private Spans() {}

  static void run(OpenTelemetry openTelemetry) throws InterruptedException {
    try (var telemetry = Telemetry.of(openTelemetry)) { // one for the whole process
      var agent = Agent.named("greeter").model(ScriptedModel.saying("Hello.")).build();
      agent.run("Hi.", RunOptions.defaults().listener(telemetry));
    }
  }

  public static void main(String[] args) throws InterruptedException {
    var spans = InMemorySpanExporter.create();
    var tracing =
        SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build();
    try (var sdk = OpenTelemetrySdk.builder().setTracerProvider(tracing).build()) {
      run(sdk);
      spans.getFinishedSpanItems().stream()
          .map(SpanData::getName)
          .sorted()
          .forEach(System.out::println);
    }
  }
}
