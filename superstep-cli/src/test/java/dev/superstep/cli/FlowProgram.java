package dev.superstep.cli;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.flow.Flow;
import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.program.Program;
import dev.superstep.program.ProgramContext;
import dev.superstep.program.UnusableInput;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A program for tests that is a typed flow: it counts the words of a text.
public class FlowProgram implements Program {
  record Article(String text) {}

  record Counted(int words, List<String> all) {}

  static final Flow<Article, Counted> FLOW =
      Flow.of(
          "count",
          Article.class,
          Counted.class,
          (article, _) -> {
            var words = List.of(article.text().split(" "));
            return new Counted(words.size(), words);
          });

  @Override
  public Graph graph(ProgramContext context) {
    return FLOW.graph();
  }

  @Override
  public Input input(Path source) throws UnusableInput {
    try {
      return input(Files.readString(source).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Input input(String text) {
    return FLOW.input(new Article(text));
  }

  @Override
  public String ask(Interrupt question) {
    return question.payload().text();
  }

  @Override
  public String summary(State state) {
    return "counted: " + FLOW.encodeOutput(state).text();
  }

  /// Says its inputs and outputs as JSON.
  public static final class InJson extends FlowProgram {
    @Override
    public Input input(Json value) {
      return FLOW.decodeInput(value);
    }

    @Override
    public Json output(State last) {
      return FLOW.encodeOutput(last);
    }
  }
}
