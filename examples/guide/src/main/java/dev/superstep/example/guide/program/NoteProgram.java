package dev.superstep.example.guide.program;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.Graph;
import dev.superstep.node.Approval;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.program.Program;
import dev.superstep.program.ProgramContext;
import dev.superstep.program.UnusableInput;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A folder's program that is a graph with a question.
public final class NoteProgram implements Program {
  static final Channel<String, String> NOTE = Channel.latest("note", String.class);
  static final Channel<String, String> RESULT = Channel.latest("result", String.class);
  static final Question<String, Approval> MAY_KEEP =
      Question.of("may-keep", String.class, Approval.class);

  @Override
  public Graph graph(ProgramContext context) {
    return Graph.named("notes")
        .channels(NOTE, RESULT)
        .questions(MAY_KEEP)
        .node("keep", NoteProgram::keep)
        .edge(START, "keep")
        .edge("keep", END)
        .compile();
  }

  private static Update keep(State state, NodeContext context) {
    var answer = context.interrupt(MAY_KEEP, state.get(NOTE));
    return Update.of(RESULT, answer.approved() ? "kept" : "thrown away");
  }

  @Override
  public Input input(String text) {
    return Input.of(NOTE, text);
  }

  @Override
  public Input input(Path source) throws UnusableInput {
    try {
      return input(Files.readString(source));
    } catch (IOException e) {
      throw new UnusableInput("The note cannot be read: " + e + ". Check the path.");
    }
  }

  @Override
  public String ask(Interrupt question) {
    return "Keep this note?\n" + MAY_KEEP.read(question);
  }

  @Override
  public String summary(State state) {
    return state.get(RESULT);
  }
}
