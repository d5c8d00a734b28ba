package dev.superstep.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MessagesTest {
  private static final ToolCall ONE = new ToolCall("c1", "look", "{}");
  private static final ToolCall TWO = new ToolCall("c2", "look", "{}");
  private static final Message ASKED = new AssistantMessage("a", "", List.of(ONE, TWO));

  @Test
  @Tag("T11")
  void calls_are_open_until_they_are_answered() {
    assertThat(Messages.openCalls(List.of())).isEmpty();
    assertThat(Messages.openCalls(List.of(Message.user("hi")))).isEmpty();
    assertThat(Messages.openCalls(List.of(ASKED))).containsExactly(ONE, TWO);
    assertThat(Messages.openCalls(List.of(ASKED, answer("c2")))).containsExactly(ONE);
    assertThat(Messages.openCalls(List.of(ASKED, answer("c2"), answer("c1")))).isEmpty();
    assertThat(Messages.openCalls(List.of(ASKED, Message.user("never mind")))).isEmpty();
  }

  @Test
  @Tag("E22")
  void a_channel_gives_ids_and_replaces_by_id() {
    var channel = Messages.channel("messages");
    var written = channel.reducer().complete(Message.user("hi"), () -> "m1");
    assertThat(written).isEqualTo(new UserMessage("m1", "hi"));
    var first = channel.reducer().fold(null, List.of(written)).value();
    var edited = channel.reducer().fold(first, List.of(new UserMessage("m1", "hello"), ASKED));
    assertThat(edited.value()).containsExactly(new UserMessage("m1", "hello"), ASKED);
    var json = channel.values().encode(edited.value());
    assertThat(channel.values().decode(json)).isEqualTo(edited.value());
  }

  private static ToolMessage answer(String call) {
    return new ToolMessage("", call, "look", "sun", false);
  }
}
