package dev.superstep.example.guide.modular;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.board.Board;
import dev.superstep.board.BoardTools;
import dev.superstep.files.FileTools;
import dev.superstep.files.FileTree;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.middleware.TodoList;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolGate;
import dev.superstep.workspace.Workspace;
import dev.superstep.workspace.WorkspaceTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/// An agent with tools of several modules on a stored thread: the first process ends with the
/// question whether a file may be written, the second one approves and finishes.
final class ModularAgent {
  private static final ToolCall[] CALLS = {
    new ToolCall("1", "write_todos", "{\"todos\":[{\"text\":\"write\",\"status\":\"OPEN\"}]}"),
    new ToolCall("2", "list_files", "{}"),
    new ToolCall("3", "write_file", "{\"path\":\"a.txt\",\"text\":\"hello\\n\"}"),
    new ToolCall("4", "glob", "{\"pattern\":\"*.txt\"}"),
    new ToolCall("5", "board_list", "{}")
  };

  private ModularAgent() {}

  public static void main(String[] args) throws Exception {
    var folder = Path.of(args[0]);
    System.out.println("named module: " + Agent.class.getModule().isNamed());
    try (var store = SqliteCheckpointer.open(folder.resolve("threads.db"))) {
      var options = RunOptions.thread("ann").checkpoints(store);
      var agent = agent(Files.createDirectories(folder.resolve("work")));
      boolean isFirst = !agent.hasUnfinishedWork(options);
      var result =
          isFirst ? agent.run("Write it.", options) : agent.resume(Answers.none(), options);
      var questions = ((AgentResult.Waiting<String>) result).questions();
      System.out.println("questions: " + questions.size());
      if (isFirst) return;
      var answers = Review.decide(questions, _ -> Review.Decision.approve());
      System.out.println(agent.resume(answers, options).answer());
    }
  }

  private static Agent<String> agent(Path folder) {
    var workspace = Workspace.at(folder);
    return Agent.named("clerk")
        .model(ScriptedModel.by(request -> reply(request.messages())))
        .tools(WorkspaceTools.of(workspace))
        .tools(FileTools.glob(FileTree.of(workspace)))
        .middleware(TodoList.create())
        .middleware(BoardTools.of(Board.named("notes", InMemoryStore.open()), "ann"))
        .gate(ToolGate.open().confirming(SideEffect.WRITES_FILES))
        .build();
  }

  private static ChatReply reply(List<Message> messages) {
    var results =
        messages.stream()
            .filter(ToolMessage.class::isInstance)
            .map(ToolMessage.class::cast)
            .toList();
    if (results.isEmpty()) return ScriptedModel.calls(CALLS);
    return ScriptedModel.text(
        results.size()
            + " results, failed: "
            + results.stream()
                .filter(ToolMessage::error)
                .map(ToolMessage::text)
                .collect(Collectors.toList()));
  }
}
