package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.googlejavaformat.java.FormatterException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FormatTest {
  @Test
  void every_source_is_formatted() throws FormatterException {
    var differing = new ArrayList<String>();
    for (SourceFile source : Repository.SOURCES) {
      if (!Format.formatted(source).equals(source.text())) {
        differing.add(source.path().toString());
      }
    }
    assertThat(differing).as("not formatted; run: ./superstep format").isEmpty();
  }

  @Test
  void no_markdown_comment_is_torn_or_would_be_torn_by_the_formatter() {
    List<String> problems =
        Repository.SOURCES.stream()
            .flatMap(source -> MarkdownComments.problems(source).stream())
            .toList();
    assertThat(problems).isEmpty();
  }
}
