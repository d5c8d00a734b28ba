package dev.superstep.model.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.Message;
import dev.superstep.model.ChatModel.DeltaListener;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThinkTagsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<think>a</think>b | a | b",
        "  <think>a</think>  b | a | b",
        "<think>a < b </thin </think>c | a < b </thin  | c",
        "<think></think>b | '' | b",
        "<think>never ends </thi | never ends </thi | ''",
        "<thinking>b | '' | <thinking>b",
        "<thin | '' | <thin",
        "b <think>a</think> | '' | b <think>a</think>"
      })
  void thoughts_are_found_however_the_text_is_cut(String text, String thought, String rest) {
    for (int size = 1; size <= text.length(); size++) {
      var draft = draft(_ -> {});
      for (int i = 0; i < text.length(); i += size) {
        draft.taggedText(text.substring(i, Math.min(text.length(), i + size)));
      }
      var message = draft.message();
      assertThat(message.thinking().strip()).as("pieces of %d", size).isEqualTo(thought.strip());
      assertThat(message.text()).as("pieces of %d", size).isEqualTo(rest);
    }
  }

  @Test
  void withheld_text_is_delivered_at_the_end() {
    var heard = new StringBuilder();
    var draft = draft(heard::append);
    draft.taggedText("<");
    assertThat(heard).isEmpty();
    assertThat(draft.message().text()).isEqualTo("<");
    assertThat(heard).hasToString("<");
  }

  @Test
  void blanks_that_arrive_one_by_one_are_looked_at_once() {
    var heard = new StringBuilder();
    var draft = draft(heard::append);
    // With work that grows with the square this would take hours.
    for (int i = 0; i < 5_000_000; i++) draft.taggedText(" ");
    draft.taggedText("<think>a</think>b");
    assertThat(draft.message().text()).isEqualTo("b");
    assertThat(heard).hasToString("b");
  }

  private static Draft draft(DeltaListener listener) {
    var memory = new ReplyMemory(1L << 30, 1L << 30);
    return new Draft(
        "ollama",
        new ReplyMeter(ReplyLimits.standard(), memory, ThinkTagsTest::tooLarge),
        AcceptedRequest.of(ChatRequest.of(Message.user("Go"))),
        listener);
  }

  private static ModelException tooLarge(String why) {
    return new ModelException(ModelException.Kind.TOO_LARGE, why);
  }
}
