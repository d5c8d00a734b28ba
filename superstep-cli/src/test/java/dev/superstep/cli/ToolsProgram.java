package dev.superstep.cli;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.Graph;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.program.Program;
import dev.superstep.program.ProgramContext;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/// A program for tests: an agent that wants to delete files, for which a person has to approve.
public final class ToolsProgram implements Program {
  /// The argument of the tool.
  public record FileName(String name) {}

  private static Agent<String> agent() {
    var delete =
        Tool.of("delete_file", "Deletes a file.", FileName.class, (file, _) -> "deleted " + file)
            .withPolicy(ToolPolicy.of(SideEffect.DESTRUCTIVE).approved());
    return Agent.named("cleaner")
        .model(ScriptedModel.by(ToolsProgram::reply))
        .tools(delete)
        .build();
  }

  private static ChatReply reply(ChatRequest request) {
    if (System.getenv("HOLD") != null) return held();
    long results = request.messages().stream().filter(ToolMessage.class::isInstance).count();
    if (results < 2) {
      var call = new ToolCall("c" + results, "delete_file", "{\"name\":\"" + results + ".txt\"}");
      return ScriptedModel.calls(call);
    }
    return ScriptedModel.text("Both are gone.");
  }

  /// Replies once a line was entered.
  private static ChatReply held() {
    try {
      System.in.read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ScriptedModel.text("Nothing is to be deleted.");
  }

  @Override
  public Graph graph(ProgramContext around) {
    return agent().graph();
  }

  @Override
  public Input input(Path source) {
    return agent().input(List.of(new UserMessage("", "Delete 0.txt and 1.txt.")));
  }

  @Override
  public String ask(Interrupt question) {
    return question.payload().text();
  }

  @Override
  public String summary(State state) {
    return agent().answer(state);
  }
}
