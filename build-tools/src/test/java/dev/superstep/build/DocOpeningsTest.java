package dev.superstep.build;

import static java.util.stream.Collectors.flatMapping;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class DocOpeningsTest {
  private static final String ALLOWED = "doc-openings.properties";
  private static final String RULE =
      "open a Javadoc block with a noun phrase or a verb in the third person, not with What,"
          + " Whether, How, One or The same; "
          + ALLOWED
          + " in build-tools says how many old ones a module still has";

  @Test
  void no_module_gets_another_javadoc_block_that_opens_with_a_vague_word() throws IOException {
    var allowed = allowed();
    var tooMany = new ArrayList<String>();
    found()
        .forEach((module, blocks) -> {
          if (blocks.size() > allowed.getOrDefault(module, 0)) tooMany.addAll(blocks);
        });
    assertThat(tooMany).as(RULE).isEmpty();
  }

  @Test
  void a_count_that_can_be_lowered_is_shown() throws IOException {
    var found = found();
    var lower = new ArrayList<String>();
    allowed()
        .forEach((module, count) -> {
          int left = found.getOrDefault(module, List.of()).size();
          if (left < count) lower.add(module + "=" + left + ", was " + count);
        });
    Repository.talk("counts to lower in " + ALLOWED, lower);
  }

  @Test
  void only_the_first_line_of_a_block_is_looked_at() {
    var source =
        new SourceFile(
            Path.of("."),
            Path.of("A.java"),
            """
            /// How many.
            int a;
            /// Counts.
            /// What it counts.
            int b;
            // What is no Javadoc.
            int c;

              /// The same for d.
            int d;
            /// Whoever asks.
            int e;
            """);
    assertThat(DocOpenings.in(source))
        .containsExactly("A.java:1 How many.", "A.java:9 The same for d.");
  }

  /// Returns the blocks of published modules, whose names begin with `superstep-`.
  private static Map<String, List<String>> found() {
    return Repository.SOURCES.stream()
        .filter(source -> module(source).startsWith("superstep-"))
        .filter(source -> source.path().startsWith(Path.of(module(source), "src", "main")))
        .collect(
            groupingBy(
                DocOpeningsTest::module,
                TreeMap::new,
                flatMapping(source -> DocOpenings.in(source).stream(), toList())));
  }

  private static String module(SourceFile source) {
    return source.path().getName(0).toString();
  }

  private static Map<String, Integer> allowed() throws IOException {
    var properties = new Properties();
    try (InputStream in = DocOpeningsTest.class.getResourceAsStream(ALLOWED)) {
      properties.load(Objects.requireNonNull(in, ALLOWED));
    }
    var allowed = new TreeMap<String, Integer>();
    for (var module : properties.stringPropertyNames()) {
      allowed.put(module, Integer.parseInt(properties.getProperty(module)));
    }
    return allowed;
  }
}
