package dev.superstep.otel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.tool.Tool;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("T60")
class MetricsTest {
  record City(String name) {}

  private final CollectedTelemetry collected = new CollectedTelemetry();
  private final Telemetry telemetry = Telemetry.of(collected.sdk());
  private final RunOptions options = RunOptions.defaults().listener(telemetry);

  private void run(ChatReply.Source source) throws InterruptedException {
    var call = new ToolCall("c1", "look", "{\"name\":\"Oslo\"}");
    var first = ScriptedModel.calls(call);
    var last = ScriptedModel.text("Sunny.");
    var model =
        ScriptedModel.replying(
            ScriptedModel.reply(first.message(), new Usage(100, 0, 7, 0), first.finish())
                .withSource(source),
            ScriptedModel.reply(last.message(), new Usage(120, 0, 3, 0), last.finish())
                .withSource(source));
    var tool = Tool.of("look", "Looks.", City.class, (city, _) -> city.name());
    Agent.named("weather").model(model).tools(tool).build().run("Weather?", options);
  }

  private Collection<HistogramPointData> points(String name) {
    return collected.metric(name).getHistogramData().getPoints();
  }

  @Test
  void tokens_are_counted_once_by_type_in_the_buckets_of_the_conventions() throws Exception {
    run(ChatReply.Source.LIVE);
    var tokens = collected.metric("gen_ai.client.token.usage");
    assertThat(tokens.getUnit()).isEqualTo("{token}");
    assertThat(points("gen_ai.client.token.usage"))
        .hasSize(2)
        .allSatisfy(point -> {
          boolean isInput = "input".equals(point.getAttributes().get(AttributeKeys.TOKEN_TYPE));
          assertThat(point.getSum()).isEqualTo(isInput ? 220 : 10);
          assertThat(point.getCount()).isEqualTo(2);
          assertThat(point.getBoundaries())
              .startsWith(1.0, 4.0, 16.0)
              .endsWith(67_108_864.0)
              .hasSize(14);
          assertThat(point.getAttributes().get(AttributeKeys.PROVIDER)).isEqualTo("scripted");
          assertThat(point.getAttributes().get(AttributeKeys.REQUEST_MODEL)).isEqualTo("test");
        });
  }

  @Test
  @Tag("T20")
  void recorded_and_cached_replies_are_not_billed() throws InterruptedException {
    run(ChatReply.Source.RECORDED);
    run(ChatReply.Source.CACHED);
    assertThat(collected.metrics())
        .extracting(MetricData::getName)
        .contains("gen_ai.client.operation.duration")
        .doesNotContain("gen_ai.client.token.usage");
  }

  @Test
  void everything_that_takes_time_has_a_histogram_and_none_has_an_id() throws Exception {
    run(ChatReply.Source.LIVE);
    assertThat(points("gen_ai.client.operation.duration"))
        .singleElement()
        .satisfies(point -> {
          assertThat(point.getCount()).isEqualTo(2);
          assertThat(point.getBoundaries()).startsWith(0.01, 0.02).endsWith(81.92).hasSize(14);
        });
    assertThat(points("gen_ai.invoke_agent.duration")).hasSize(1);
    assertThat(points("gen_ai.execute_tool.duration"))
        .singleElement()
        .satisfies(point ->
            assertThat(point.getAttributes().get(AttributeKeys.TOOL_NAME)).isEqualTo("look"));
    assertThat(points("superstep.run.duration"))
        .singleElement()
        .satisfies(point -> {
          assertThat(point.getAttributes().get(AttributeKeys.GRAPH)).isEqualTo("weather");
          assertThat(point.getAttributes().get(AttributeKeys.OUTCOME)).isEqualTo("completed");
        });
    assertThat(points("superstep.node.duration"))
        .extracting(point -> point.getAttributes().get(AttributeKeys.NODE))
        .containsExactlyInAnyOrder("begin", "model", "tools", "finish");
    var run = CollectedTelemetry.get(collected.one("run weather"), AttributeKeys.RUN);
    assertThat(collected.metrics().toString()).doesNotContain(run);
  }

  @Test
  void a_model_that_fails_is_in_the_histogram_with_its_code() {
    var model =
        ScriptedModel.by(_ -> {
          throw new ModelException(ModelException.Kind.AUTH, "no");
        });
    assertThatThrownBy(() -> Agent.named("a").model(model).build().run("?", options))
        .isInstanceOf(ModelException.class);
    var code = CollectedTelemetry.get(collected.one("chat test"), AttributeKeys.ERROR_TYPE);
    for (var name : List.of("gen_ai.client.operation.duration", "gen_ai.invoke_agent.duration")) {
      assertThat(points(name))
          .singleElement()
          .satisfies(point ->
              assertThat(point.getAttributes().get(AttributeKeys.ERROR_TYPE)).isEqualTo(code));
    }
    assertThat(collected.metric("superstep.errors").getLongSumData().getPoints())
        .extracting(point -> point.getAttributes().get(AttributeKeys.ERROR_OF))
        .containsExactlyInAnyOrder("model", "node", "run");
  }
}
