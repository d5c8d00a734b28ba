package dev.superstep.language.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.language.Source;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.rag.Formatter;
import dev.superstep.language.rag.SyntaxLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Texts that nobody wrote in good faith, and what holds for any text.
final class HostileSources {
  private HostileSources() {}

  /// All golden sources, with and without faults.
  static List<String> sources() {
    var all = new ArrayList<String>();
    for (var folder : List.of("valid", "faults")) {
      try (Stream<Path> files = Files.list(Path.of("src/test/resources", folder))) {
        for (var file : files.filter(each -> each.toString().endsWith(".rag")).sorted().toList()) {
          all.add(Files.readString(file));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return List.copyOf(all);
  }

  /// Compiles a text under each policy; fails unless that gives bounded findings and no exception.
  static void survives(String text) {
    for (var policy : List.of(CheckPolicy.file("hostile.rag"), CheckPolicy.generated("hostile"))) {
      for (var names : List.of(Registered.NAMES, Names.unknown())) {
        var compiled = Blueprints.compile(Source.of("hostile.rag", text), names, policy);
        assertThat(compiled.report().shown()).hasSizeLessThanOrEqualTo(50);
        assertThat(compiled.text().length()).isLessThan(100_000);
        assertThat(compiled.text()).doesNotContain("Exception", "dev.superstep", "java.");
        assertThat(compiled.json()).isNotEmpty();
        for (var blueprint : compiled.blueprints()) {
          assertThat(Blueprint.parse(blueprint.json())).isEqualTo(blueprint);
        }
      }
    }
    Formatter.format(Source.of("hostile.rag", text), SyntaxLimits.WRITTEN)
        .ifPresent(formatted -> {
          var again = Formatter.format(Source.of("again.rag", formatted), SyntaxLimits.lifted());
          assertThat(again).contains(formatted);
        });
  }
}
