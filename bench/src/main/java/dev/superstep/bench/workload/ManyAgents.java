package dev.superstep.bench.workload;

import dev.superstep.agent.Agent;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Crowd;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Workload;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelRef;
import dev.superstep.model.vendor.VendorModels;
import dev.superstep.tool.Tool;
import java.util.Map;

/// W12: many agents at once, each with a turn, a tool call and another turn, over a model server
/// that takes its time.
final class ManyAgents implements Workload {
  private record Nothing() {}

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    Crowd.measure(what, out, "run", url -> asking(url));
  }

  private static java.util.concurrent.Callable<String> asking(String url) {
    var ref = ModelRef.parse("openai-compatible://" + url + "/m");
    var agent =
        Agent.named("looker")
            .model(VendorModels.open(ref, Environment.of(Map.of())))
            .tools(Tool.of("look", "Looks.", Nothing.class, (_, _) -> "something"))
            .build();
    return () -> agent.run("Look.").answer();
  }
}
