package dev.superstep.program;

import dev.superstep.agent.Agent;
import dev.superstep.agent.internal.state.AgentChannels;
import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.Message;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;

/// A program that is an agent: `superstep chat` talks to it, and `superstep run` asks it one
/// question, given as a text or as a file that holds it.
///
/// ```java
/// public final class DeskProgram implements AgentProgram {
///   @Override
///   public Agent<String> agent(ProgramContext context) {
///     return Agent.named("desk").model(context.model()).tools(FIND_ORDER).build();
///   }
/// }
/// ```
public interface AgentProgram extends Program {
  /// The most characters of a file that is asked as a question.
  int QUESTION_MAX = 1_000_000;

  /// Makes the agent. Called again, in another process, to resume a thread: the same context must
  /// give an agent of the same shape.
  Agent<?> agent(ProgramContext context);

  @Override
  default Graph graph(ProgramContext context) {
    return agent(context).graph();
  }

  /// Asks the text of a file.
  @Override
  default Input input(Path source) throws UnusableInput {
    try {
      if (Files.size(source) > QUESTION_MAX) {
        throw new UnusableInput(
            "File %s has more than %,d bytes, which is no question. Name a smaller one."
                .formatted(source, QUESTION_MAX));
      }
      return input(Files.readString(source));
    } catch (IOException e) {
      throw new UnusableInput(
          "File %s cannot be read as a text in UTF-8: %s. Check the path."
              .formatted(source, e.getClass().getSimpleName()));
    }
  }

  @Override
  default Input input(String text) throws UnusableInput {
    if (text.isBlank()) throw new UnusableInput("The question is empty. Write one.");
    return Input.of(AgentChannels.CONVERSATION, Message.user(text.strip()));
  }

  /// Takes a conversation as JSON: `{"messages": [...]}`, a text, or `{"input": "a text"}`. A
  /// message is a text, or an object with `role` or `type` (`user` or `human`, `assistant` or `ai`,
  /// `system`) and a text as its `content`.
  @Override
  default Input input(Json value) throws UnusableInput {
    return Input.all(AgentChannels.CONVERSATION, JsonConversation.read(value));
  }

  @Override
  default Optional<Json> inputSchema() {
    return Optional.of(JsonConversation.SCHEMA);
  }

  /// Words tool calls that wait for an approval, and questions of tools.
  @Override
  default String ask(Interrupt question) {
    if (question.question().equals(Review.QUESTION.name())) {
      return question.payload().as(Review.class).actions().stream()
          .map(call ->
              "The agent calls %s %s%s"
                  .formatted(
                      call.name(),
                      call.args().text(),
                      call.description().map(why -> "\n" + why).orElse("")))
          .collect(Collectors.joining("\n"));
    }
    return text(question.payload());
  }

  /// The answer: a text as it is, a typed one as JSON.
  @Override
  default String summary(State state) {
    var run = state.get(AgentRunState.CHANNEL);
    var said = run.ending().map(AgentRunState.Ending::text).orElse("");
    return run.answer().map(AgentProgram::text).orElse(said);
  }

  private static String text(Json value) {
    try {
      return value.as(String.class);
    } catch (MalformedJson _) {
      return value.text();
    }
  }
}
