package dev.superstep.example.guide.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// A page of the reference. A part between `<!-- generated: NAME -->` and `<!-- end -->` is made of
/// the code; `-Dsuperstep.golden=write` writes it anew.
record ReferencePage(Path file) {
  static ReferencePage of(String name) {
    return new ReferencePage(root().resolve("docs/guide/reference").resolve(name));
  }

  static Path root() {
    var folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
      folder = Objects.requireNonNull(folder.getParent(), "a folder above");
    }
    return folder;
  }

  String text() {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The part of the page below a heading, up to the next one of any level.
  String section(String heading) {
    var text = text();
    var mark = "\n## " + heading + "\n";
    assertThat(text).as(file.toString()).contains(mark);
    int from = text.indexOf(mark) + mark.length();
    int to = text.indexOf("\n## ", from);
    return text.substring(from, to < 0 ? text.length() : to);
  }

  /// Checks that a generated part is what the code says.
  void check(String name, String generated) {
    var text = text();
    var begin = "<!-- generated: " + name + " -->\n";
    assertThat(text).as(file.toString()).contains(begin);
    int from = text.indexOf(begin) + begin.length();
    int to = text.indexOf("<!-- end -->", from);
    var now = text.substring(0, from) + "\n" + generated + "\n" + text.substring(to);
    if ("write".equals(System.getProperty("superstep.golden"))) write(now);
    assertThat(text()).as("%s; -Dsuperstep.golden=write writes it", file).isEqualTo(now);
  }

  private void write(String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
