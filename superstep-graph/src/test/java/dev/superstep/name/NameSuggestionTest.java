package dev.superstep.name;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NameSuggestionTest {
  private static final List<String> NODES = List.of("review", "publish", "draft", "a");

  @Test
  void a_name_with_a_third_of_its_letters_wrong_is_near() {
    assertThat(NameSuggestion.nearest("publsh", NODES)).contains("publish");
    assertThat(NameSuggestion.nearest("rexxew", NODES)).contains("review");
    assertThat(NameSuggestion.nearest("rexxxw", NODES)).isEmpty();
  }

  @Test
  void two_swapped_letters_are_one_mistake() {
    assertThat(NameSuggestion.edits("tirage", "triage")).hasValue(1);
    assertThat(NameSuggestion.nearest("dratf", NODES)).contains("draft");
  }

  @Test
  void case_and_hyphens_do_not_count() {
    assertThat(NameSuggestion.edits("Send-Mail", "send_mail")).hasValue(0);
    assertThat(NameSuggestion.edits("send_mail", "SEND-MAIL")).hasValue(0);
  }

  @Test
  void a_name_is_not_near_if_none_of_its_letters_is_right() {
    assertThat(NameSuggestion.nearest("b", NODES)).isEmpty();
    assertThat(NameSuggestion.nearest("", NODES)).isEmpty();
    assertThat(NameSuggestion.nearest("A", NODES)).contains("a");
  }

  @Test
  void the_nearest_come_first_and_equally_near_ones_by_length_and_alphabet() {
    var names = List.of("order_c", "orders", "order_b", "order_a");
    assertThat(NameSuggestion.nearest("order_x", names, 2)).containsExactly("order_a", "order_b");
    assertThat(NameSuggestion.nearest("ordes", names, 9)).containsExactly("orders");
    assertThat(NameSuggestion.nearest("ab", List.of("a", "abc"))).contains("abc");
  }

  @Test
  void long_names_and_many_names_are_not_compared() {
    var name = "n".repeat(81);
    assertThat(NameSuggestion.nearest(name, List.of("n".repeat(80)))).isEmpty();
    assertThat(NameSuggestion.nearest("n".repeat(80), List.of(name))).isEmpty();
    var many = new ArrayList<>(IntStream.range(0, 2_000).mapToObj(i -> "tool-" + i).toList());
    many.add("review");
    assertThat(NameSuggestion.nearest("reviw", many)).isEmpty();
  }
}
