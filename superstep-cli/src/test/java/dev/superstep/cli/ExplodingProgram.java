package dev.superstep.cli;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.Graph;
import dev.superstep.program.Program;
import dev.superstep.program.ProgramContext;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import java.nio.file.Path;

/// A program that cannot even be made.
public final class ExplodingProgram implements Program {
  public ExplodingProgram() {
    throw new IllegalStateException("no luck");
  }

  @Override
  public Graph graph(ProgramContext surroundings) {
    throw new IllegalStateException();
  }

  @Override
  public Input input(Path source) {
    throw new IllegalStateException();
  }

  @Override
  public String ask(Interrupt question) {
    throw new IllegalStateException();
  }

  @Override
  public String summary(State state) {
    throw new IllegalStateException();
  }
}
