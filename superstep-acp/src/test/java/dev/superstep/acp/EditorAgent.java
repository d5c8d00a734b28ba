package dev.superstep.acp;

import dev.superstep.agent.Agent;
import dev.superstep.files.FileTools;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolGate;
import java.nio.file.Path;

/// The program of the guide: an agent that works on the files of an editor.
final class EditorAgent {
  private EditorAgent() {}

  static Agent<String> coder(ChatModel model) {
    return Agent.named("coder")
        .model(model)
        .instructions("Change the files as you are asked to.")
        .tools(FileTools.of(EditorFiles.alone()))
        .gate(ToolGate.open().confirming(SideEffect.WRITES_FILES, SideEffect.DESTRUCTIVE))
        .build();
  }

  /// Serves the editor that starts this program.
  public static void main(String[] arguments) {
    var model = ModelProviders.open(ModelRef.parse(arguments[0]));
    try (var store = SqliteCheckpointer.open(Path.of(arguments[1]))) {
      AcpAgent.of(coder(model), store).titled("Coder", "1.0").serve();
    }
  }
}
