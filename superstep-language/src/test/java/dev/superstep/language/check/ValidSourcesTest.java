package dev.superstep.language.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.BlueprintDiff;
import dev.superstep.language.blueprint.BlueprintText;
import dev.superstep.language.rag.Formatter;
import dev.superstep.testkit.Golden;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/// Sources without errors: the blueprint of each as JSON, and what holds for all of them.
class ValidSourcesTest {
  @TestFactory
  @Tag("R1")
  @Tag("R2")
  @Tag("R3")
  @Tag("R4")
  @Tag("R5")
  @Tag("R31")
  @Tag("R32")
  @Tag("R43")
  @Tag("W5")
  @Tag("W7")
  Stream<DynamicTest> a_source_gives_its_blueprint() {
    return Golden.in("valid")
        .each(text -> {
          var compiled = Registered.compile(text);
          var out = new StringBuilder(compiled.text());
          for (var blueprint : compiled.blueprints()) {
            out.append(pretty(blueprint.withoutProvenance())).append(blueprint.hash()).append('\n');
          }
          return out.toString();
        });
  }

  private static String pretty(Blueprint blueprint) {
    return dev.superstep.language.json.JsonTree.parse(blueprint.json()).pretty();
  }

  @TestFactory
  @Tag("R36")
  @Tag("R42")
  Stream<DynamicTest> a_source_survives_printing_formatting_and_storing() {
    return Golden.in("valid")
        .each(text -> {
          var compiled = Registered.compile(text);
          assertThat(compiled.isValid()).as(compiled.text()).isTrue();
          var printed = Registered.compile(BlueprintText.of(compiled.blueprints()));
          assertThat(printed.text()).doesNotContain("error");
          assertThat(printed.blueprints().stream().map(Blueprint::withoutProvenance).toList())
              .isEqualTo(compiled.blueprints().stream().map(Blueprint::withoutProvenance).toList());
          for (var blueprint : compiled.blueprints()) {
            assertThat(Blueprint.parse(blueprint.json())).isEqualTo(blueprint);
            assertThat(BlueprintDiff.of(blueprint, blueprint.withoutProvenance()).isEmpty())
                .isTrue();
          }
          var formatted = Formatter.format(compiled.tree());
          var again = Registered.compile(formatted);
          assertThat(Formatter.format(again.tree())).isEqualTo(formatted);
          assertThat(again.blueprints().stream().map(Blueprint::hash).toList())
              .isEqualTo(compiled.blueprints().stream().map(Blueprint::hash).toList());
          return Registered.compile(text).blueprints().isEmpty() ? "" : read(text);
        });
  }

  /// The golden file is that of the other test.
  private static String read(String text) {
    var compiled = Registered.compile(text);
    var out = new StringBuilder(compiled.text());
    for (var blueprint : compiled.blueprints()) {
      out.append(pretty(blueprint.withoutProvenance())).append(blueprint.hash()).append('\n');
    }
    return out.toString();
  }
}
