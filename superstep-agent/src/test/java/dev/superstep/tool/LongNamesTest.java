package dev.superstep.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.ToolCall;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What models write may be as long as a reply; what they are told of it is not.
class LongNamesTest {
  private static final int LONG = 500_000;

  record City(String name) {}

  private static final ToolCaller CALLER =
      ToolCaller.of(Tools.of(Tool.of("weather", "Tells.", City.class, (city, _) -> city.name())));

  @Test
  void a_long_name_of_no_tool_is_cut_and_the_rest_is_counted() {
    assertThat(why(new ToolCall("c1", "x".repeat(LONG), "{}")))
        .contains("xxx... [499800 characters more]`. Tools: weather.")
        .hasSizeLessThan(1_000);
    assertThat(why(new ToolCall("c1", "a\u001b[2Kb\u202e", "{}")))
        .contains("`a\\u001b[2Kb\\u202e`");
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 10_000})
  void long_and_many_bad_arguments_are_cut(int count) {
    var name = "y".repeat(LONG / count);
    var arguments =
        IntStream.range(0, count)
            .mapToObj(i -> "\"%s%d\":\"z\"".formatted(name, i))
            .collect(Collectors.joining(",", "{", "}"));
    var why = why(new ToolCall("c1", "weather", arguments));
    assertThat(why).contains("must not have the property").hasSizeLessThan(30_000);
    assertThat(why.contains(" characters more]")).isEqualTo(count == 20);
  }

  private static String why(ToolCall call) {
    return switch (CALLER.check(call)) {
      case ToolCaller.Checked.Bad(_, _, var why) -> why;
      case ToolCaller.Checked.Good good -> throw new AssertionError("good: " + good);
    };
  }
}
