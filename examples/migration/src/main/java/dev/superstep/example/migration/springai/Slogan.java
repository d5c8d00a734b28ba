package dev.superstep.example.migration.springai;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import dev.superstep.state.State;

/// A writer and a critic that take turns until the critic is content.
public final class Slogan {
  record Verdict(boolean good, String advice) {}

  private static final Channel<String, String> TASK = Channel.latest("task", String.class);
  private static final Channel<String, String> SLOGAN = Channel.latest("slogan", String.class);
  private static final Channel<Verdict, Verdict> VERDICT = Channel.latest("verdict", Verdict.class);

  private Slogan() {}

  private static Update write(Agent<String> writer, State state) throws InterruptedException {
    var advice = state.find(VERDICT).map(Verdict::advice).orElse("");
    return Update.of(SLOGAN, writer.run(state.get(TASK) + "\n" + advice).answer());
  }

  private static Update judge(Agent<Verdict> critic, State state) throws InterruptedException {
    var slogan = state.get(SLOGAN);
    var verdict = critic.run(slogan).answer();
    System.out.println(slogan + (verdict.good() ? " Good." : " " + verdict.advice()));
    return Update.of(VERDICT, verdict);
  }

  static Graph graph(Agent<String> writer, Agent<Verdict> critic) {
    return Graph.named("slogan")
        .channels(TASK, SLOGAN, VERDICT)
        .node("write", (state, _) -> write(writer, state))
        .node("judge", (state, _) -> judge(critic, state))
        .edge(START, "write")
        .edge("write", "judge")
        .route("judge", state -> state.get(VERDICT).good() ? END : "write", "write", END)
        .stepLimit(10)
        .compile();
  }

  public static void main(String[] args) throws InterruptedException {
    var writer =
        Agent.named("writer")
            .model(ScriptedModel.saying("Our lamps are very good lamps.", "Light that lasts."))
            .instructions("Write a slogan.")
            .build();
    var critic =
        Agent.named("critic")
            .model(
                ScriptedModel.saying(
                    "{\"good\": false, \"advice\": \"Shorter.\"}",
                    "{\"good\": true, \"advice\": \"\"}"))
            .instructions("Judge the slogan.")
            .answering(Verdict.class);
    var outcome = graph(writer, critic).invoke(Input.of(TASK, "a lamp shop"));
    if (outcome instanceof Completed(var state)) System.out.println(state.get(SLOGAN));
  }
}
