package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.error.InvalidFields;
import dev.superstep.rag.error.RagRunFailed;
import dev.superstep.state.Channel;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A small text that runs as it stands.
class FirstGraphTest {
  private static final String DESK =
      """
      graph desk {
        input { question text }
        output { answer text }
        channel topic overwrite of text
        channel answer overwrite
        start sort
        node sort {
          model "small"
          system "Sort what people ask."
          prompt "{question}"
          into topic
          routes { refund -> refund  other -> reply }
        }
        node refund {
          kind function
          function "refund"
          next END
        }
        node reply {
          model "small"
          prompt "Answer: {question}"
          into answer
        }
      }
      """;

  private static final Channel<String, String> QUESTION = Channel.latest("question", String.class);
  private static final Channel<String, String> ANSWER = Channel.latest("answer", String.class);

  private final Bench bench =
      new Bench()
          .channel(QUESTION)
          .channel(ANSWER)
          .function("refund", (s, _) -> Update.of(ANSWER, "paid for: " + s.get(QUESTION)));

  @Test
  @Tag("R9")
  @Tag("R11")
  @Tag("W2")
  void the_answer_of_a_model_chooses_the_function_that_runs() throws Exception {
    var model = bench.saying("small", "Refund.");
    var desk = bench.graph(DESK);
    var end = Bench.run(desk, Map.of("question", "my kettle broke"), RunOptions.defaults());
    assertThat(desk.output(end))
        .isEqualTo(Json.parse("{\"answer\":\"paid for: my kettle broke\"}"));
    assertThat(desk.value(end, "topic")).contains("Refund.");
    var asked = model.requests().getFirst().messages();
    assertThat(asked.getFirst().text())
        .isEqualTo("Sort what people ask.\n\nAnswer with one of these words alone: refund, other.");
    assertThat(asked.getLast().text()).isEqualTo("my kettle broke");
  }

  @Test
  void another_answer_chooses_another_node() throws Exception {
    bench.saying("small", "other", "Ask again tomorrow.");
    var desk = bench.graph(DESK);
    var end = Bench.run(desk, Map.of("question", "why?"), RunOptions.defaults());
    assertThat(desk.output(end)).isEqualTo(Json.parse("{\"answer\":\"Ask again tomorrow.\"}"));
  }

  @Test
  @Tag("R17")
  void an_answer_without_a_route_fails_with_the_node_its_label_and_its_place() {
    bench.saying("small", "Hello there!");
    var desk = bench.graph(DESK);
    assertThatThrownBy(() -> Bench.run(desk, Map.of("question", "why?"), RunOptions.defaults()))
        .isInstanceOf(RagRunFailed.class)
        .hasMessage(
            "desk.rag:7:8: node `sort` failed in step 1: node `sort` ended with"
                + " `Hello there!`, for which it has no route; it has refund, other");
  }

  @Test
  void an_error_of_a_function_names_its_place_and_no_class() {
    bench.saying("small", "refund");
    bench.registry.replace(
        dev.superstep.registry.Component.of(
            RagKind.FUNCTION,
            "refund",
            (_, _) -> {
              throw new IllegalStateException("the till is empty");
            }));
    var desk = bench.graph(DESK);
    assertThatThrownBy(() -> Bench.run(desk, Map.of("question", "why?"), RunOptions.defaults()))
        .isInstanceOf(RagRunFailed.class)
        .hasMessage("desk.rag:14:8: node `refund` failed in step 2: the till is empty");
  }

  @Test
  void input_that_is_missing_or_of_another_type_is_refused_before_anything_runs() {
    var model = bench.saying("small", "refund");
    var desk = bench.graph(DESK);
    assertThatThrownBy(() -> desk.input(Map.of("question", 3, "colour", "red")))
        .isInstanceOf(InvalidFields.class)
        .hasMessageContaining("`question` is not of type `text`")
        .hasMessageContaining("`colour` is unknown");
    assertThatThrownBy(() -> desk.input(Map.of()))
        .hasMessageContaining("`question` is missing, of type `text`");
    assertThat(model.calls()).isZero();
  }

  @Test
  void a_field_of_the_input_may_be_left_out_if_the_text_says_so() throws Exception {
    bench.saying("small", "refund");
    var desk = bench.graph(DESK.replace("question text }", "question text  tone text? }"));
    Bench.run(desk, Map.of("question", "x"), RunOptions.defaults());
    bench.saying("other");
    assertThatThrownBy(() -> desk.input(Map.of("tone", "kind")))
        .hasMessageContaining("`question` is missing");
  }

  @Test
  @Tag("R8")
  @Tag("R33")
  @Tag("W6")
  void a_name_that_is_not_registered_is_a_finding_with_its_place() {
    bench.model("smal", ScriptedModel.saying());
    var program = bench.program(DESK);
    assertThat(program.isValid()).isFalse();
    assertThat(program.text())
        .contains("error[E-rag-unknown-model]", "--> desk.rag:8:11", "did you mean `smal`?");
  }
}
