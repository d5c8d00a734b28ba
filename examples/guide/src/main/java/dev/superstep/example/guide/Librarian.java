package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.ToolError;
import dev.superstep.workspace.AllowedCommand;
import dev.superstep.workspace.Workspace;
import dev.superstep.workspace.WorkspaceEvent;
import dev.superstep.workspace.WorkspaceTools;
import java.util.List;

/// An agent that keeps a list of books in files, and may not look anywhere else. The model is
/// scripted.
public final class Librarian {
  private Librarian() {}

  static Agent<String> agent(ChatModel model, Workspace workspace) {
    return Agent.named("librarian")
        .model(model)
        .instructions("Keep the list of books.")
        .tools(WorkspaceTools.of(workspace))
        .build();
  }

  static ChatModel model() {
    return ScriptedModel.replying(
        ScriptedModel.calls(new ToolCall("c1", "read_file", "{\"path\":\"books.md\"}")),
        ScriptedModel.calls(
            new ToolCall(
                "c2", "write_file", "{\"path\":\"new/books.md\",\"text\":\"Emma, Ulysses\"}"),
            new ToolCall("c3", "read_file", "{\"path\":\"../../etc/passwd\"}")),
        ScriptedModel.text("Ulysses is on the list."));
  }

  public static void main(String[] args) throws InterruptedException {
    try (var temporary = Workspace.temporary(event -> System.out.println(event.name()))) {
      var workspace = temporary.workspace();
      workspace.write("books.md", "Emma");
      var options =
          RunOptions.defaults()
              .listener(event -> WorkspaceEvent.of(event).ifPresent(Librarian::print));
      var result = agent(model(), workspace).run("Add Ulysses.", options);
      for (var message : result.report().conversation()) {
        if (message instanceof ToolMessage answer) System.out.println("> " + answer.text());
      }
      System.out.println(result.answer());
      System.out.println(workspace.read("new/books.md"));
      refuse(workspace);
    }
  }

  private static void print(WorkspaceEvent.Violated violated) {
    System.out.println("refused: " + violated.tool() + " " + violated.call());
  }

  private static void refuse(Workspace workspace) throws InterruptedException {
    var careful = workspace.commands(AllowedCommand.git("status", "diff"));
    try {
      careful.run(List.of("git", "push"));
    } catch (ToolError.ForbiddenCommand e) {
      System.out.println(e.getMessage());
    }
  }
}
