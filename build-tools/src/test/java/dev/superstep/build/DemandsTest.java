package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DemandsTest {
  // May be lowered, never raised: what is open is worked off.
  private static final int OPEN_MAX = 18;

  private static final List<SourceFile> TESTS =
      List.of(
          new SourceFile(
              Path.of("."),
              Path.of("a/LoopTest.java"),
              """
              @Tag("T1")
              final class LoopTest {
                @Test
                @Tag("T2")
                @Tag("long")
                void a_loop_ends() throws Exception {}

                @Test
                void a_loop_begins() {}
              }
              """));

  @Test
  void each_demand_has_a_test_with_its_tag_or_a_reason_why_not() {
    assertThat(Demands.of(Repository.ROOT).mistakes()).isEmpty();
  }

  @Test
  void the_page_is_the_one_that_the_list_and_the_tags_make() throws IOException {
    assertThat(Files.readString(Repository.ROOT.resolve("docs/demands.md")))
        .as("not up to date; run: ./superstep format")
        .isEqualTo(Demands.of(Repository.ROOT).page());
  }

  @Test
  void no_more_demands_are_open_than_before() {
    assertThat(Demands.of(Repository.ROOT).open()).hasSizeLessThanOrEqualTo(OPEN_MAX);
  }

  @Test
  void a_demand_without_test_and_reason_is_a_mistake_and_so_is_a_tag_without_demand() {
    var demands = new Demands(List.of("## Loops", "T1 It loops.", "T3 It sings."), TESTS);

    assertThat(demands.mistakes())
        .containsExactly(
            "T3 has neither a test with its tag nor a reason why not",
            "no demand has the id T2, which is a tag of tests");
  }

  @Test
  void a_reason_for_what_a_test_shows_is_a_mistake() {
    var demands = new Demands(List.of("T1 It loops.", "  dropped: no use", "T2 It ends."), TESTS);

    assertThat(demands.mistakes()).containsExactly("T1 has a test, so it needs no reason why not");
  }

  @Test
  void a_line_that_cannot_be_read_is_a_mistake() {
    var demands = new Demands(List.of("T1 It loops.", "T2 It ends.", "and more"), TESTS);

    assertThat(demands.mistakes())
        .containsExactly("docs/demands.txt has a line that is no demand: and more");
  }

  @Test
  void the_page_shows_tests_as_sentences_and_gaps_with_their_reason() {
    var list = List.of("## Loops", "T1 It loops.", "T2 It ends.", "T3 It sings.", "  open: tone");

    assertThat(new Demands(list, TESTS).page())
        .contains("## Loops")
        .contains("| T1 | It loops. | [LoopTest](../a/LoopTest.java) |")
        .contains("| T2 | It ends. | [LoopTest](../a/LoopTest.java): a loop ends |")
        .contains("| T3 | It sings. | **open**: tone |")
        .contains("3 demands: 2 shown by tests");
  }
}
