package dev.superstep.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Codec;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class AgentEventTest {
  @Test
  @Tag("T55")
  void every_event_has_a_name_and_can_be_stored() {
    assertThat(AgentEvent.Names.BY_NAME.values())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(AgentEvent.class.getPermittedSubclasses())
                .<Class<? extends AgentEvent>>map(c -> c.asSubclass(AgentEvent.class))
                .toList());
    AgentEvent.Names.BY_NAME.values().forEach(type -> assertThat(Codec.of(type)).isNotNull());
  }
}
