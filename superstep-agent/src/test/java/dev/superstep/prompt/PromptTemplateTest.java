package dev.superstep.prompt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ScriptedModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
@Tag("T50")
class PromptTemplateTest {
  private static final String TEXT =
      """
      # Answers letters.
      optional tone = friendly
      secret letter

      --- system
      Answer letters in a {{tone}} tone.

      --- user
      Where is my parcel?
      --- assistant
      It is on its way.
      --- conversation history
      --- user
      {{ letter }}
      \\--- Sent by \\{{mail}}
      """;

  @Test
  void values_are_put_into_the_sections_with_their_roles() {
    var prompt = PromptTemplate.parse("letter", TEXT).render(PromptValues.of("letter", "Hi."));
    assertThat(prompt.messages())
        .extracting(Message::text)
        .containsExactly(
            "Answer letters in a friendly tone.",
            "Where is my parcel?",
            "It is on its way.",
            "Hi.\n--- Sent by {{mail}}");
    assertThat(prompt.messages())
        .hasExactlyElementsOfTypes(
            SystemMessage.class, UserMessage.class, AssistantMessage.class, UserMessage.class);
  }

  @Test
  void a_template_of_parts_is_the_one_of_its_text() {
    var built =
        PromptTemplate.named("letter")
            .optional("tone", "friendly")
            .secret("letter")
            .system("Answer letters in a {{tone}} tone.")
            .example("Where is my parcel?", "It is on its way.")
            .conversation("history")
            .user("{{letter}}\n--- Sent by \\{{mail}}")
            .build();
    var read = PromptTemplate.parse("letter", TEXT);
    assertThat(built.variables()).isEqualTo(read.variables());
    var values =
        PromptValues.of("letter", "Hi.")
            .and("tone", "terse")
            .and("history", List.of(Message.user("a"), Message.assistant("b")));
    assertThat(built.render(values)).isEqualTo(read.render(values));
    assertThat(built.render(values).messages()).hasSize(6);
  }

  @Test
  void missing_and_unknown_values_are_told_together_without_any_value() {
    var template =
        PromptTemplate.named("mail").user("{{to}} {{text}} {{ps}}").optional("ps", "").build();
    assertThatThrownBy(() -> template.render(PromptValues.of("txt", "my secret")))
        .isInstanceOfSatisfying(
            PromptError.class,
            e -> {
              assertThat(e.missing()).containsExactly("to", "text");
              assertThat(e.unknown()).containsExactly("txt");
              assertThat(e.code()).isEqualTo("prompt.values");
            })
        .hasMessageNotContaining("my secret");
  }

  @Test
  void a_value_of_the_wrong_kind_is_unknown() {
    var template = PromptTemplate.named("t").conversation("history").user("{{text}}").build();
    var wrong = PromptValues.of("text", "a").and("history", "no messages");
    assertThatThrownBy(() -> template.render(wrong)).hasMessageContaining("`history`");
  }

  @Test
  void a_value_is_never_read_as_a_template() {
    var template = PromptTemplate.parse("t", "--- system\n{{a}}\n--- user\n{{b}}{{a}}");
    var random = new SplittableRandom(7);
    var bits =
        new String[] {
          "{{a}}", "{{b}}", "{{", "}}", "\\{{", "\n--- system\n", "$1", "%s", "\\", "x"
        };
    for (int i = 0; i < 2_000; i++) {
      var a = new StringBuilder();
      var b = new StringBuilder();
      for (int n = random.nextInt(6); n > 0; n--) a.append(bits[random.nextInt(bits.length)]);
      for (int n = random.nextInt(6); n > 0; n--) b.append(bits[random.nextInt(bits.length)]);
      var values = PromptValues.of(Map.of("a", a.toString(), "b", b.toString()));
      assertThat(template.render(values).messages())
          .containsExactly(Message.system(a.toString()), Message.user(b + a.toString()));
    }
  }

  @Test
  void secret_values_are_left_out_of_what_people_see() {
    var template = PromptTemplate.parse("letter", TEXT);
    var prompt = template.render(PromptValues.of("letter", "my card is 4711"));
    assertThat(prompt.redacted()).extracting(Message::text).noneMatch(t -> t.contains("4711"));
    assertThat(prompt.redacted().getLast().text()).startsWith("[letter]");
    assertThat(prompt.messages().getLast().text()).startsWith("my card is 4711");
    assertThat(prompt.toString() + template + PromptValues.of("letter", "4711"))
        .doesNotContain("4711");
  }

  @Test
  void all_that_is_wrong_with_a_text_is_told_with_its_line() {
    var text =
        """
        optinal a = b
        secret Nobody
        optional unused = x
        --- system
        {{if x}} {{
        --- robot
        Hm.
        """;
    assertThatThrownBy(() -> PromptTemplate.parse("bad", text))
        .isInstanceOfSatisfying(
            InvalidPrompt.class,
            e ->
                assertThat(e.problems())
                    .anySatisfy(p -> assertThat(p).startsWith("Line 1: `optinal`"))
                    .anySatisfy(p -> assertThat(p).startsWith("Line 2: `Nobody` is no name"))
                    .anySatisfy(p -> assertThat(p).startsWith("Line 4: `{{if x}}` holds no name"))
                    .anySatisfy(p -> assertThat(p).startsWith("Line 4: `{{` has no `}}`"))
                    .anySatisfy(p -> assertThat(p).startsWith("Line 6: `--- robot`"))
                    .anySatisfy(p -> assertThat(p).contains("`unused` is declared")));
    assertThatThrownBy(() -> PromptTemplate.parse("empty", "")).hasMessageContaining("no section");
  }

  @Test
  void a_template_is_read_from_a_file_that_has_its_name(@TempDir Path folder) throws Exception {
    var file = folder.resolve("letter.prompt.txt");
    Files.writeString(file, TEXT);
    assertThat(PromptTemplate.read(file).name()).isEqualTo("letter");
    Files.writeString(file, "x".repeat((1 << 20) + 1));
    assertThatThrownBy(() -> PromptTemplate.read(file)).hasMessageContaining("larger than");
  }

  @Test
  void a_file_with_the_line_ends_of_windows_makes_the_same_prompt(@TempDir Path folder)
      throws Exception {
    var file = folder.resolve("letter.txt");
    var text = "--- system\nBe kind.\nBe short.\n--- user\nHello\n";
    Files.writeString(file, text);
    var plain = PromptTemplate.read(file).render(PromptValues.none());
    Files.writeString(file, text.replace("\n", "\r\n"));
    assertThat(PromptTemplate.read(file).render(PromptValues.none())).isEqualTo(plain);
    assertThat(plain.messages().getFirst().text()).isEqualTo("Be kind.\nBe short.");
  }

  @Test
  void an_agent_has_its_instructions_and_examples_by_a_template() throws Exception {
    var rules =
        PromptTemplate.named("rules").system("You are {{name}}.").example("Ping?", "Pong.").build();
    var ask = PromptTemplate.named("ask").user("Weather in {{city}}?").build();
    var model = ScriptedModel.saying("Wet.", "Dry.");
    var agent = Agent.named("a").model(model).prompt(rules, PromptValues.of("name", "Ada")).build();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    agent.run(ask.render(PromptValues.of("city", "Bergen")).messages(), options);
    var result = agent.run(ask.render(PromptValues.of("city", "{{city}}")).messages(), options);
    assertThat(model.requests().getLast().messages())
        .extracting(Message::text)
        .containsExactly(
            "You are Ada.", "Ping?", "Pong.", "Weather in Bergen?", "Wet.", "Weather in {{city}}?");
    assertThat(model.requests().getLast().prefix()).isEqualTo(3);
    // Examples are no part of the conversation, which is what the thread remembers.
    assertThat(result.report().conversation()).hasSize(4);
  }

  @Test
  void an_agent_is_not_made_of_a_template_with_an_open_question_or_without_values() {
    var builder = Agent.named("a").model(ScriptedModel.saying("x"));
    var open = PromptTemplate.named("open").system("Be kind.").user("Hi").build();
    assertThatThrownBy(() -> builder.prompt(open, PromptValues.none()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("`open`");
    var rules = PromptTemplate.named("rules").system("You are {{name}}.").build();
    assertThatThrownBy(() -> builder.prompt(rules, PromptValues.none()))
        .isInstanceOf(PromptError.class);
  }
}
