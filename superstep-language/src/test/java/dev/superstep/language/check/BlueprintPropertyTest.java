package dev.superstep.language.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.language.Source;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.BlueprintDiff;
import dev.superstep.language.blueprint.BlueprintText;
import dev.superstep.language.rag.Formatter;
import dev.superstep.language.rag.SyntaxLimits;
import dev.superstep.language.rag.SyntaxTree;
import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Property;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Round trips of random blueprints.
@Tag("R42")
class BlueprintPropertyTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 200);

  private static Compilation compile(String text) {
    return Blueprints.compile(
        Source.of("random.rag", text), Names.unknown(), CheckPolicy.file("random.rag"));
  }

  @Test
  @Tag("R2")
  @Tag("R3")
  @Tag("R4")
  void a_blueprint_survives_being_printed_and_parsed() throws InterruptedException {
    Property.check(
        1,
        CASES,
        RandomBlueprints::draw,
        blueprint -> {
          var text = BlueprintText.of(blueprint);
          var compiled = compile(text);
          assertThat(compiled.blueprints().stream().map(Blueprint::withoutProvenance))
              .as(text + compiled.text())
              .containsExactly(blueprint);
          assertThat(compiled.blueprints().getFirst().hash()).isEqualTo(blueprint.hash());
        });
  }

  @Test
  @Tag("R31")
  @Tag("R32")
  void a_blueprint_survives_being_stored_as_json() throws InterruptedException {
    Property.check(
        2,
        CASES,
        RandomBlueprints::draw,
        blueprint -> {
          var provenance = compile(BlueprintText.of(blueprint)).blueprints().getFirst();
          assertThat(Blueprint.parse(provenance.json())).isEqualTo(provenance);
          assertThat(Blueprint.parse(blueprint.json())).isEqualTo(blueprint);
        });
  }

  @Test
  @Tag("R36")
  void printed_text_is_laid_out_already() throws InterruptedException {
    Property.check(
        3,
        CASES,
        RandomBlueprints::draw,
        blueprint -> {
          var text = BlueprintText.of(blueprint);
          assertThat(Formatter.format(Source.of("", text), SyntaxLimits.lifted())).contains(text);
        });
  }

  /// A source with comments in random places.
  private record Commented(Blueprint blueprint, String text, List<String> comments) {}

  private static Commented commented(Choices choices) {
    var blueprint = RandomBlueprints.draw(choices);
    var text = BlueprintText.of(blueprint);
    var tokens =
        SyntaxTree.parse(
                Source.of("", text),
                SyntaxLimits.lifted(),
                new dev.superstep.language.Diagnostics())
            .tokens();
    var out = new StringBuilder();
    var comments = new java.util.ArrayList<String>();
    for (int token = 0; token < tokens.count(); token++) {
      out.append(text, tokens.before(token).start(), tokens.before(token).end());
      if (choices.chance(8)) {
        var comment = "// comment " + comments.size() + ".";
        comments.add(comment);
        out.append(choices.chance(50) ? "\n" : " ").append(comment).append('\n');
      }
      out.append(text, tokens.start(token), tokens.end(token));
    }
    return new Commented(blueprint, out.toString(), comments);
  }

  @Test
  @Tag("R36")
  void formatting_keeps_comments_and_meaning_and_is_done_once() throws InterruptedException {
    Property.check(
        4,
        CASES,
        BlueprintPropertyTest::commented,
        source -> {
          var formatted =
              Formatter.format(Source.of("", source.text()), SyntaxLimits.lifted()).orElseThrow();
          for (var comment : source.comments()) {
            assertThat(formatted.split(java.util.regex.Pattern.quote(comment), -1)).hasSize(2);
          }
          assertThat(Formatter.format(Source.of("", formatted), SyntaxLimits.lifted()))
              .contains(formatted);
          assertThat(compile(formatted).blueprints().getFirst().withoutProvenance())
              .isEqualTo(source.blueprint());
        });
  }

  @Test
  @Tag("R35")
  void a_blueprint_differs_from_another_exactly_if_it_is_not_equal() throws InterruptedException {
    Property.check(
        5,
        CASES,
        choices -> List.of(RandomBlueprints.draw(choices), RandomBlueprints.draw(choices)),
        two -> {
          var diff = BlueprintDiff.of(two.getFirst(), two.getLast());
          assertThat(diff.isEmpty()).isEqualTo(two.getFirst().equals(two.getLast()));
          assertThat(BlueprintDiff.of(two.getFirst(), two.getFirst()).isEmpty()).isTrue();
          assertThat(diff.text()).isEqualTo(BlueprintDiff.of(two.getFirst(), two.getLast()).text());
        });
  }
}
