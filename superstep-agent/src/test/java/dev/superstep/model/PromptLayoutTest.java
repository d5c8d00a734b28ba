package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PromptLayoutTest {
  private static final ToolSpec TOOL = new ToolSpec("a", "b", Json.parse("{\"type\":\"object\"}"));

  @Tag("T21")
  @Tag("T22")
  @Test
  void the_prefix_keeps_its_fingerprint_while_the_tail_grows() {
    var first = ask("one");
    var second =
        first.withMessages(
            List.of(first.messages().getFirst(), Message.user("one"), Message.user("two")));
    assertThat(PromptLayout.prefixOf(second)).isEqualTo(PromptLayout.prefixOf(first));
    assertThat(PromptLayout.of(second).prefix()).isEqualTo(PromptLayout.prefixOf(first));
    assertThat(PromptLayout.of(second)).isNotEqualTo(PromptLayout.of(first));
  }

  @Tag("T22")
  @Test
  void a_change_of_a_tool_or_of_instructions_changes_the_fingerprint() {
    var first = PromptLayout.prefixOf(ask("one"));
    var other = new ToolSpec("a", "c", TOOL.parameters());
    assertThat(PromptLayout.prefixOf(ask("one").withTools(List.of(other)))).isNotEqualTo(first);
    var changed = List.of(new SystemMessage("policy", "Be curt."), Message.user("one"));
    assertThat(PromptLayout.prefixOf(ask("one").withMessages(changed))).isNotEqualTo(first);
  }

  @Test
  @Tag("T23")
  void segments_are_named() {
    assertThat(PromptLayout.of(ask("one")).segments())
        .extracting(PromptLayout.Segment::id)
        .containsExactly("tools", "policy", "tail");
  }

  private static ChatRequest ask(String question) {
    return ChatRequest.of(new SystemMessage("policy", "Be kind."), Message.user(question))
        .withTools(List.of(TOOL))
        .withPrefix(1, CacheHint.SHORT);
  }
}
