package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.files.CollectedChanges;
import dev.superstep.files.Expected;
import dev.superstep.files.FileConflict;
import dev.superstep.files.FileTools;
import dev.superstep.files.FileTree;
import dev.superstep.files.ProposedChanges;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.workspace.Workspace;

/// An agent that edits files; a person approves all of its changes as one diff. The model is
/// scripted.
public final class Editor {
  private Editor() {}

  static Agent<String> agent(ChatModel model, CollectedChanges changes) {
    return Agent.named("editor")
        .model(model)
        .instructions("Edit the files as you are asked to. At the end, submit your changes.")
        .tools(FileTools.of(changes))
        .build();
  }

  static ChatModel model(String digest) {
    var edit =
        """
        {"path":"books.md","digest":"%s","old":"Ulises","replacement":"Ulysses"}
        """
            .formatted(digest);
    return ScriptedModel.replying(
        ScriptedModel.calls(new ToolCall("c1", "grep", "{\"pattern\":\"Ul.*s\"}")),
        ScriptedModel.calls(new ToolCall("c2", "read_file", "{\"path\":\"books.md\"}")),
        ScriptedModel.calls(new ToolCall("c3", "edit_file", edit)),
        ScriptedModel.calls(new ToolCall("c4", "submit_changes", "{}")),
        ScriptedModel.text("The name is corrected."));
  }

  public static void main(String[] args) throws InterruptedException {
    try (var temporary = Workspace.temporary()) {
      var files = FileTree.of(temporary.workspace());
      var books = files.write("books.md", "Emma\nUlises\n", Expected.absent());

      var agent = agent(model(books.digest()), CollectedChanges.of(files));
      var options = RunOptions.thread("t-1").checkpoints(new InMemoryCheckpointer());
      if (agent.run("Correct the names of the books.", options)
          instanceof AgentResult.Waiting<String>(var questions)) {
        System.out.print(ProposedChanges.QUESTION.read(questions.getFirst()).diff());
      }
      System.out.println("now: " + files.read("books.md").text().strip().replace('\n', ','));

      var yes = Answers.to(ProposedChanges.QUESTION, Approval.yes());
      System.out.println(agent.resume(yes, options).answer());
      System.out.println("now: " + files.read("books.md").text().strip().replace('\n', ','));

      late(files, books.digest());
    }
  }

  private static void late(FileTree files, String digest) {
    try {
      files.write("books.md", "Emma\n", Expected.digest(digest));
    } catch (FileConflict e) {
      System.out.println(e.getMessage());
    }
  }
}
