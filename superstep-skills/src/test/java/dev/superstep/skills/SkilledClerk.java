package dev.superstep.skills;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ChatModel;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.workspace.Workspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The program of the guide: an agent with a skill that has a script. A person confirms the skill
/// and approves the call of its script.
final class SkilledClerk {
  private SkilledClerk() {}

  static Agent<String> agent(ChatModel model, Path skills, Path confirmed, Workspace workspace) {
    return Agent.named("clerk")
        .model(model)
        .instructions("Help with texts.")
        .middleware(Skills.in(skills).confirmedBy(Confirmations.in(confirmed)).scriptsIn(workspace))
        .build();
  }

  /// Runs the agent; returns what a person was asked, then the answer.
  static List<String> ask(Agent<String> agent, String question, RunOptions options)
      throws InterruptedException {
    var told = new ArrayList<String>();
    var result = agent.run(question, options);
    while (result instanceof AgentResult.Waiting<String>(var questions)) {
      var open = questions.getFirst();
      if (open.question().equals(UntrustedFiles.QUESTION.name())) {
        var files = UntrustedFiles.QUESTION.read(open);
        told.add("Confirm " + files.files() + "?");
        result = agent.resume(Answers.to(UntrustedFiles.QUESTION, Approval.yes()), options);
      } else {
        told.add("Run the script?");
        var approved = Review.decide(questions, _ -> Review.Decision.approve());
        result = agent.resume(approved, options);
      }
    }
    told.add(result.answer());
    return told;
  }
}
