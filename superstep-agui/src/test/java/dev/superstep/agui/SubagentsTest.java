package dev.superstep.agui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

final class SubagentsTest {
  private final Subagents subagents = new Subagents();
  private final EventList events = new EventList();

  private static JsonNode place(String... segments) {
    var all = JsonNodeFactory.instance.arrayNode();
    for (var segment : segments) all.add(segment);
    return all;
  }

  private List<String> told() {
    return events.all().stream()
        .map(event -> {
          var code = event.path("code").asString("");
          var type = event.path("type").asString("").replace("SUBAGENT_", "");
          return (type + " " + event.path("subagentRunId").asString("") + " " + code).strip();
        })
        .toList();
  }

  @Test
  void one_that_is_open_goes_on_when_another_process_takes_the_run_over() {
    subagents.begin(place("a:1"), "a", events);
    subagents.begin(place("a:1"), "a", events);
    subagents.end(place("a:1"), "completed", Map.of(), events);
    assertThat(told()).containsExactly("STARTED a:1", "FINISHED a:1");
  }

  @Test
  void one_that_had_ended_begins_anew_under_another_id() {
    subagents.begin(place("a:1"), "a", events);
    subagents.end(place("a:1"), "completed", Map.of(), events);
    subagents.begin(place("a:1"), "a", events);
    assertThat(subagents.owner(place("a:1"))).isEqualTo("a:1#2");
    assertThat(told()).containsExactly("STARTED a:1", "FINISHED a:1", "STARTED a:1#2");
  }

  @Test
  void one_inside_another_names_it_and_ends_first() {
    subagents.begin(place("a:1"), "a", events);
    subagents.begin(place("a:1", "b:2"), "b", events);
    assertThat(events.all().getLast().path("parentSubagentRunId").asString()).isEqualTo("a:1");
    assertThat(subagents.owner(place("a:1", "b:2", "c:3"))).isEqualTo("a:1|b:2");
    assertThat(subagents.owner(place())).isEmpty();

    subagents.endAll("failed", Map.of(), events);

    assertThat(told()).endsWith("ERROR a:1|b:2 failed", "ERROR a:1 failed");
    subagents.end(place("a:1"), "completed", Map.of(), events);
    assertThat(events.all()).hasSize(4);
  }

  @Test
  void one_that_was_cancelled_is_an_error_and_one_around_a_question_is_suspended() {
    subagents.begin(place("a:1"), "a", events);
    subagents.end(place("a:1"), "interrupted", Map.of(), events);
    assertThat(told()).contains("ERROR a:1 cancelled");

    subagents.begin(place("b:2"), "b", events);
    subagents.end(place("b:2"), "interrupted", Map.of("q", "b:2|c:3"), events);
    var outcome = events.all().getLast().path("outcome");
    assertThat(outcome.path("type").asString()).isEqualTo("suspended");
    assertThat(outcome.path("interruptIds")).isEmpty();
  }
}
