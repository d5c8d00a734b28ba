package dev.superstep.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import dev.superstep.state.Write;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Inputs of programs that clients of a server send.
@Tag("SV9")
final class JsonInputTest {
  private static final AgentProgram DESK =
      context -> Agent.named("desk").model(context.model()).build();

  private static List<Object> written(String json) {
    var values = new ArrayList<Object>();
    for (var write : DESK.input(Json.parse(json)).writes()) {
      if (write instanceof Write.PutAll<?> all) values.addAll(all.values());
      else throw new AssertionError(write);
    }
    return values;
  }

  private static void refused(String json, String why) {
    assertThatExceptionOfType(UnusableInput.class)
        .as(json)
        .isThrownBy(() -> DESK.input(Json.parse(json)))
        .withMessageContaining(why);
  }

  @Test
  void an_agent_takes_a_text_or_a_conversation() {
    var hello = Message.user("hello");

    assertThat(written("\" hello \"")).containsExactly(hello);
    assertThat(written("{\"input\": \"hello\"}")).containsExactly(hello);
    assertThat(
            written(
                """
                {"messages": [
                  {"type": "system", "content": "be short"}, "hello",
                  {"role": "ai", "content": "hi"}, {"role": "user", "content": "hello"}]}
                """))
        .containsExactly(Message.system("be short"), hello, Message.assistant("hi"), hello);
  }

  @Test
  void what_is_no_conversation_is_refused_with_its_place() {
    refused("{}", "must be a text");
    refused("{\"messages\": []}", "at least one message");
    refused("\" \"", "The input must be a text");
    refused("{\"messages\": [\"a\", {\"role\": \"user\"}]}", "`messages[1]` must be a text");
    refused("{\"messages\": [{\"role\": \"root\", \"content\": \"a\"}]}", "the role `root`");
    refused("{\"messages\": [" + "\"a\",".repeat(1_000) + "\"a\"]}", "more than 1,000 messages");
  }

  @Test
  void a_program_that_works_on_paths_takes_no_json() {
    var program =
        new Program() {
          @Override
          public Graph graph(ProgramContext context) {
            throw new AssertionError("nobody asks for it");
          }

          @Override
          public Input input(Path source) {
            throw new AssertionError("nobody asks for it");
          }

          @Override
          public String ask(Interrupt question) {
            return "";
          }

          @Override
          public String summary(State state) {
            return "";
          }
        };

    assertThat(program.inputSchema()).isEmpty();
    assertThatExceptionOfType(UnusableInput.class)
        .isThrownBy(() -> program.input(Json.parse("{\"source\": \"/etc\"}")))
        .withMessageContaining("takes no JSON");
  }

  @Test
  void an_agent_says_what_it_takes() {
    assertThat(DESK.inputSchema()).isPresent();
    var context = new ProgramContext(ScriptedModel.saying("hi"), Path.of("out"));
    assertThat(DESK.graph(context).name()).isEqualTo("desk");
  }
}
