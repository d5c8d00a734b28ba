package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.AgentLabels;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.NodeFailed;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
@Tag("T7")
@Tag("T8")
class AgentLabelsTest {
  private final Map<String, Map<String, String>> asked = new ConcurrentHashMap<>();
  private final Map<String, Map<String, String>> told = new ConcurrentHashMap<>();
  private final AtomicBoolean fails = new AtomicBoolean();

  private ScriptedModel calling(String agent, String helper) {
    return ScriptedModel.by(request -> {
      asked.put(agent, request.labels());
      return request.messages().size() == 1
          ? ScriptedModel.calls(new ToolCall("c", helper, "{\"task\":\"x\"}"))
          : ScriptedModel.text("Done.");
    });
  }

  private Agent<String> threeDeep() {
    var last =
        ScriptedModel.by(request -> {
          asked.put("inner", request.labels());
          if (fails.get()) throw new IllegalStateException("a bug");
          return ScriptedModel.text("Done.");
        });
    var inner = Agent.named("inner").model(last).label("i", "1").localLabel("i_local", "1").build();
    var middle =
        Agent.named("middle")
            .model(calling("middle", "inner"))
            .agent(inner, "Helps.")
            .label("m", "1")
            .localLabel("m_local", "1")
            .build();
    return Agent.named("outer")
        .model(calling("outer", "middle"))
        .agent(middle, "Helps.")
        .label("o", "1")
        .localLabel("o_local", "1")
        .middleware(Retrying.times(1))
        .build();
  }

  private RunOptions options() {
    var labels = AgentLabels.none().with("tenant", "7").withLocal("attempt", "2");
    return RunOptions.thread("t")
        .checkpoints(new InMemoryCheckpointer())
        .metadata("order", "9")
        .with(AgentLabels.KEY, labels)
        .listener(
            AgentEvent.listener(event -> {
              if (event instanceof AgentEvent.AgentLabelled(var agent, _, var has)) {
                told.put(agent, has);
              }
            }));
  }

  private static Map<String, String> labels(String... names) {
    var all = new LinkedHashMap<String, String>();
    for (var name : names) all.put(name, "1");
    all.put("tenant", "7");
    all.put("order", "9");
    return all;
  }

  private void check() {
    var outer = labels("o", "o_local");
    outer.put("attempt", "2");
    var all =
        Map.of(
            "outer", outer,
            "middle", labels("o", "m", "m_local"),
            "inner", labels("o", "m", "i", "i_local"));
    assertThat(asked).isEqualTo(all);
    assertThat(told).isEqualTo(all);
  }

  @Test
  void agents_inherit_labels_and_local_ones_stay_where_they_are() throws Exception {
    assertThat(threeDeep().run("Go.", options()).answer()).isEqualTo("Done.");
    check();
  }

  @Test
  void a_resumed_run_has_the_same_labels_at_each_depth() throws Exception {
    fails.set(true);
    var agent = threeDeep();
    var options = options();
    assertThatThrownBy(() -> agent.run("Go.", options)).isInstanceOf(NodeFailed.class);
    asked.clear();
    fails.set(false);
    assertThat(agent.resume(Answers.none(), options).answer()).isEqualTo("Done.");
    check();
  }

  @Test
  void an_agent_without_labels_has_none_and_says_nothing_of_them() throws Exception {
    var model = ScriptedModel.saying("Hi.");
    var options =
        RunOptions.defaults()
            .listener(
                AgentEvent.listener(event -> {
                  if (event instanceof AgentEvent.AgentLabelled labelled) {
                    told.put(labelled.agent(), labelled.labels());
                  }
                }));
    Agent.named("plain").model(model).build().run("Hi", options);
    assertThat(model.requests().getFirst().labels()).isEmpty();
    assertThat(told).isEmpty();
  }
}
