package dev.superstep.language.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.language.Source;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.InvalidBlueprint;
import dev.superstep.language.rag.SyntaxLimits;
import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Property;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whatever the text, there is a result with findings, and no exception, no hang and no flood.
@Tag("R7")
@Timeout(600)
class LanguageFuzzTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 1_000);
  private static final int MIB = 1024 * 1024;
  private static final List<String> SOURCES = HostileSources.sources();
  private static final List<String> TOKENS =
      List.of(
          "graph",
          "node",
          "{",
          "}",
          "[",
          "]",
          "->",
          "\"a\"",
          "\"\"\"",
          "start",
          "END",
          "START",
          "kind",
          "model",
          "join",
          "channel",
          "append",
          "1",
          "90s",
          "-",
          "\n",
          "//",
          ",",
          ":",
          "?",
          "<",
          ">",
          "list",
          "routes",
          "sends",
          "send",
          "defaults",
          "retry",
          "\\",
          "\u202e",
          "é",
          "\ud800",
          "\udc00",
          "0x",
          "99999999999999999999999999999999999999999999999",
          "of",
          "trigger",
          "steering",
          "allow",
          "input",
          "on_failure",
          "rate",
          "per",
          "\u0000",
          "a",
          "b");

  @Test
  @Tag("R42")
  void random_characters_are_findings() throws InterruptedException {
    Property.check(11, CASES, LanguageFuzzTest::characters, HostileSources::survives);
  }

  private static String characters(Choices choices) {
    var text = new StringBuilder();
    for (int i = choices.below(200); i > 0; i--) {
      text.append((char) (choices.chance(70) ? choices.between(9, 126) : choices.below(0x10000)));
    }
    return text.toString();
  }

  @Test
  @Tag("R42")
  void random_tokens_are_findings() throws InterruptedException {
    Property.check(
        12,
        CASES,
        choices -> "graph g {" + String.join(" ", choices.list(120, c -> c.of(TOKENS))),
        HostileSources::survives);
  }

  @Test
  @Tag("R42")
  void changed_sources_are_findings() throws InterruptedException {
    Property.check(13, CASES, LanguageFuzzTest::changed, HostileSources::survives);
  }

  private static String changed(Choices choices) {
    var text = new StringBuilder(choices.of(SOURCES));
    for (int i = choices.between(1, 8); i > 0 && !text.isEmpty(); i--) {
      int from = choices.below(text.length());
      int to = Math.min(text.length(), from + choices.below(40));
      switch (choices.below(4)) {
        case 0 -> text.delete(from, to);
        case 1 -> text.insert(from, choices.of(TOKENS));
        case 2 -> text.insert(choices.below(text.length()), text.substring(from, to));
        default -> text.setCharAt(from, (char) choices.between(9, 126));
      }
    }
    return text.toString();
  }

  @Test
  void json_that_is_no_blueprint_is_refused() throws InterruptedException {
    var compiled = Registered.compile(SOURCES.getFirst());
    var good = compiled.blueprints().isEmpty() ? "{}" : compiled.blueprints().getFirst().json();
    Property.check(
        14,
        CASES,
        choices -> damaged(good, choices),
        json -> {
          try {
            assertThat(Blueprint.parse(json).json()).isNotEmpty();
          } catch (InvalidBlueprint e) {
            assertThat(e).hasMessageStartingWith("This is not a blueprint: ");
          }
        });
  }

  private static String damaged(String good, Choices choices) {
    var text = new StringBuilder(good);
    for (int i = choices.between(1, 4); i > 0; i--) {
      int at = choices.below(text.length());
      switch (choices.below(3)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, choices.of("1e999999999", "[", "{", "\"", "null", "\\u0000"));
        default -> text.setCharAt(at, (char) choices.between(32, 126));
      }
    }
    return text.toString();
  }

  @Test
  void ten_mebibytes_are_refused_at_once_and_read_if_they_may_be() {
    var random = new Random(7);
    var bytes = new byte[10 * MIB];
    random.nextBytes(bytes);
    var noise = new String(bytes, StandardCharsets.ISO_8859_1);
    var lifted = CheckPolicy.file("long.rag").limits(SyntaxLimits.lifted());
    for (var piece :
        List.of(
            "{",
            "[",
            "}",
            "\"",
            "\"\"\"",
            "\"\\",
            "a ",
            "a -> b\n",
            "//",
            "list<",
            "node a {\n",
            "graph g {\n",
            "\ud800",
            "é",
            "1",
            "\n",
            "x: [",
            "send ")) {
      var text = "graph g { metadata " + piece.repeat(10 * MIB / piece.length() / 8);
      var source = Source.of("long.rag", text);
      assertThat(Blueprints.compile(source, Names.unknown(), lifted).report().hasErrors()).isTrue();
    }
    var refused =
        Blueprints.compile(
            Source.of("noise.rag", noise), Names.unknown(), CheckPolicy.file("noise.rag"));
    assertThat(refused.text()).contains("E-rag-source-too-long");
    var read = Blueprints.compile(Source.of("noise.rag", noise), Names.unknown(), lifted);
    assertThat(read.report().shown()).hasSize(50);
  }
}
