package dev.superstep.example.guide.cookbook;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Map;

/// An agent that researches several questions in parallel.
public final class Research {
  static final Channel<List<String>, String> QUESTIONS = Channel.append("questions", String.class);
  static final Channel<List<String>, String> FINDINGS = Channel.append("findings", String.class);
  static final Target<String> RESEARCH = Target.of("research", String.class);

  private Research() {}

  static Graph graph(ChatModel model) {
    var researcher = Agent.named("researcher").model(model).instructions("Find out.").build();
    return Graph.named("research")
        .channels(QUESTIONS, FINDINGS)
        .node(
            RESEARCH, researcher.sent(question -> question, answer -> Update.of(FINDINGS, answer)))
        .node("merge", (state, _) -> merge(state.get(QUESTIONS), state.get(FINDINGS)))
        .fanOut(START, state -> Send.each(RESEARCH, state.get(QUESTIONS)), RESEARCH)
        .edge("research", "merge")
        .edge("merge", END)
        .compile();
  }

  private static NodeResult merge(List<String> questions, List<String> findings) {
    for (int i = 0; i < questions.size(); i++) {
      System.out.println(questions.get(i) + " " + findings.get(i));
    }
    return NodeResult.nothing();
  }

  public static void main(String[] args) throws InterruptedException {
    var known = Map.of("How big?", "30 metres.", "What do they eat?", "Krill.");
    var model = // calls come in any order, so this script looks at what is asked
        ScriptedModel.by(r -> ScriptedModel.text(known.get(r.messages().getLast().text())));
    graph(model).invoke(Input.all(QUESTIONS, List.of("How big?", "What do they eat?")));
  }
}
