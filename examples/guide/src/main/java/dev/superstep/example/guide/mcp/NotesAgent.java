package dev.superstep.example.guide.mcp;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.mcp.McpServer;
import dev.superstep.mcp.ToolPins;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// An agent that keeps notes by an MCP server for files. The model is scripted. The arguments are
/// the command line of a server, to which the folder is added; without them, it starts
/// [NotesServer].
public final class NotesAgent {
  private NotesAgent() {}

  static McpServer files(Path notes, Path pins, String... words) {
    return McpServer.stdio("files", notes, words)
        .only("read_text_file", "write_file", "list_directory")
        .policy("read_text_file", ToolPolicy.readOnly())
        .policy("list_directory", ToolPolicy.readOnly())
        .policy("write_file", ToolPolicy.of(SideEffect.WRITES_FILES).idempotent())
        .pins(ToolPins.in(pins));
  }

  static AgentResult<String> ask(McpServer files, ChatModel model, String question)
      throws InterruptedException {
    try (var connection = files.connect()) {
      var agent =
          Agent.named("notes")
              .model(model)
              .instructions("Keep the notes in the folder.")
              .tools(Tools.of(connection.tools()))
              .gate(ToolGate.strict())
              .build();
      return agent.run(question);
    }
  }

  private static ScriptedModel model(Path file) {
    var write = "{\"path\":\"%s\",\"content\":\"Milk.\"}".formatted(file);
    var read = "{\"path\":\"%s\"}".formatted(file);
    return ScriptedModel.replying(
        ScriptedModel.calls(new ToolCall("c1", "files_write_file", write)),
        ScriptedModel.calls(new ToolCall("c2", "files_read_text_file", read)),
        ScriptedModel.text("You need milk."));
  }

  public static void main(String[] args) throws Exception {
    var folder = Files.createTempDirectory("notes").toRealPath();
    var notes = Files.createDirectory(folder.resolve("notes"));
    var words = new ArrayList<>(args.length > 0 ? List.of(args) : NotesServer.command());
    words.add(notes.toString());

    var files = files(notes, folder.resolve("pins.json"), words.toArray(String[]::new));
    var model = model(notes.resolve("todo.txt"));
    var result = ask(files, model, "I need milk. What do I need?");
    for (var tool : model.requests().getFirst().tools()) System.out.println(tool.name());
    System.out.println("todo.txt: " + Files.readString(notes.resolve("todo.txt")));
    System.out.println(result.answer());
  }
}
