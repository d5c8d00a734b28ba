package dev.superstep.otel;

import dev.superstep.model.ChatReply;
import dev.superstep.model.Usage;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.api.metrics.Meter;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/// The metrics. Their attributes are names that programs give, never ids, so that there are few of
/// them. Safe for many threads.
final class Instruments {
  private static final List<Double> MODEL_SECONDS =
      List.of(
          0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92);
  private static final List<Long> TOKENS =
      LongStream.iterate(1, most -> most * 4).limit(14).boxed().toList();

  /// Buckets for the work of nodes, which may take a millisecond or days.
  private static final List<Double> WORK_SECONDS =
      List.of(
          0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0,
          86_400.0);

  private final LongHistogram tokens;
  private final DoubleHistogram model;
  private final DoubleHistogram firstChunk;
  private final DoubleHistogram agent;
  private final DoubleHistogram tool;
  private final DoubleHistogram run;
  private final DoubleHistogram node;
  private final LongCounter errors;
  private final LongCounter retries;
  private final LongCounter interrupts;
  private final LongCounter lost;

  Instruments(Meter meter) {
    tokens =
        meter
            .histogramBuilder("gen_ai.client.token.usage")
            .setDescription("Number of input and output tokens used.")
            .setUnit("{token}")
            .ofLongs()
            .setExplicitBucketBoundariesAdvice(TOKENS)
            .build();
    var first = "gen_ai.client.operation.time_to_first_chunk";
    model = seconds(meter, "gen_ai.client.operation.duration", MODEL_SECONDS, "A call of a model.");
    firstChunk = seconds(meter, first, MODEL_SECONDS, "Until the first piece of an answer.");
    agent = seconds(meter, "gen_ai.invoke_agent.duration", WORK_SECONDS, "A run of an agent.");
    tool = seconds(meter, "gen_ai.execute_tool.duration", WORK_SECONDS, "A call of a tool.");
    run = seconds(meter, "superstep.run.duration", WORK_SECONDS, "A run of a graph.");
    node = seconds(meter, "superstep.node.duration", WORK_SECONDS, "A task of a node.");
    errors = counter(meter, "superstep.errors", "{error}", "What failed.");
    retries = counter(meter, "superstep.retries", "{retry}", "Tasks that were tried again.");
    interrupts = counter(meter, "superstep.interrupts", "{question}", "Questions to people.");
    lost = counter(meter, "superstep.events.lost", "{event}", "Events that were not heard.");
  }

  private static DoubleHistogram seconds(
      Meter meter, String name, List<Double> buckets, String description) {
    return meter
        .histogramBuilder(name)
        .setDescription(description)
        .setUnit("s")
        .setExplicitBucketBoundariesAdvice(buckets)
        .build();
  }

  private static LongCounter counter(Meter meter, String name, String unit, String description) {
    return meter.counterBuilder(name).setUnit(unit).setDescription(description).build();
  }

  /// Returns true if anybody reads the metrics.
  boolean isEnabled() {
    return run.isEnabled();
  }

  void run(String graph, Outcome outcome, Duration took) {
    run.record(seconds(took), of(graph).put(AttributeKeys.OUTCOME, outcome.text()).build());
  }

  void node(String graph, String name, Outcome outcome, Duration took) {
    var attributes =
        of(graph).put(AttributeKeys.NODE, name).put(AttributeKeys.OUTCOME, outcome.text());
    node.record(seconds(took), attributes.build());
  }

  void agent(String name, String error, Duration took) {
    var attributes = Attributes.builder().put(AttributeKeys.AGENT_NAME, name);
    attributes.put(AttributeKeys.OPERATION, "invoke_agent");
    agent.record(seconds(took), with(attributes, error).build());
  }

  void tool(String name, String error, Duration took) {
    var attributes = Attributes.builder().put(AttributeKeys.TOOL_NAME, name);
    attributes.put(AttributeKeys.OPERATION, "execute_tool");
    tool.record(seconds(took), with(attributes, error).build());
  }

  void model(RequestedModel asked, String answered, String error, Duration took) {
    model.record(seconds(took), with(of(asked, answered), error).build());
  }

  void firstChunk(RequestedModel asked, Duration took) {
    firstChunk.record(seconds(took), of(asked, "").build());
  }

  /// Counts billed tokens; a reply from a recording or a cache is not billed.
  void tokens(RequestedModel asked, String answered, Usage usage, ChatReply.Source source) {
    boolean isBilled =
        switch (source) {
          case LIVE, BATCHED, SCRIPTED -> true;
          case RECORDED, CACHED -> false;
        };
    if (!isBilled || usage.total() == 0) return;
    var attributes = of(asked, answered);
    tokens.record(usage.input(), attributes.put(AttributeKeys.TOKEN_TYPE, "input").build());
    tokens.record(usage.output(), attributes.put(AttributeKeys.TOKEN_TYPE, "output").build());
  }

  void error(String graph, String of, String type) {
    errors.add(
        1, of(graph).put(AttributeKeys.ERROR_OF, of).put(AttributeKeys.ERROR_TYPE, type).build());
  }

  void retry(String graph, String name) {
    retries.add(1, of(graph).put(AttributeKeys.NODE, name).build());
  }

  void interrupt(String graph, String question) {
    interrupts.add(1, of(graph).put(AttributeKeys.QUESTION, question).build());
  }

  void lost(long count) {
    lost.add(count);
  }

  private static AttributesBuilder of(String graph) {
    return Attributes.builder().put(AttributeKeys.GRAPH, graph);
  }

  private static AttributesBuilder of(RequestedModel asked, String answered) {
    var attributes = asked.into(Attributes.builder());
    if (!answered.isEmpty()) attributes.put(AttributeKeys.RESPONSE_MODEL, answered);
    return attributes;
  }

  /// @param error empty if there was none
  private static AttributesBuilder with(AttributesBuilder attributes, String error) {
    return error.isEmpty() ? attributes : attributes.put(AttributeKeys.ERROR_TYPE, error);
  }

  private static double seconds(Duration took) {
    return took.toNanos() / 1e9;
  }
}
