package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The site of the documentation, as far as it can be checked without a browser. Its looks and its
/// search are checked by [SiteBrowserTest].
final class SiteTest {
  private static final int CANNOT_INSTALL = 3;
  private static final int FAULTY = 1;
  private static final String HOME = "docs/guide/README.md";

  @Test
  void each_page_of_the_guide_is_in_one_part_of_the_site() throws IOException {
    var named =
        Files.readAllLines(Repository.ROOT.resolve("docs/site/navigation.txt")).stream()
            .filter(line -> line.startsWith(" "))
            .map(String::strip)
            .map(page -> page.startsWith("/") ? page.substring(1) : "docs/guide/" + page)
            .toList();

    assertThat(named)
        .as("docs/site/navigation.txt, with each page of docs/guide in the part where it belongs")
        .doesNotHaveDuplicates()
        .containsAll(guide())
        .allSatisfy(page -> assertThat(Repository.ROOT.resolve(page)).isRegularFile());
  }

  @Test
  void the_site_is_built_and_each_link_and_anchor_in_it_leads_somewhere()
      throws IOException, InterruptedException {
    var built = build(Repository.ROOT, Path.of("target", "site").toAbsolutePath());

    assertThat(built.exit()).as(built.output()).isZero();
    assertThat(built.output()).contains(" 0 lead nowhere");
  }

  @Test
  void a_page_in_no_part_and_a_link_to_no_file_are_named(@TempDir Path root)
      throws IOException, InterruptedException {
    copy("docs/site", root);
    write(root, HOME, "# Home\n\nSee [it](lost.md).\n");
    write(root, "docs/guide/new.md", "# New\n");
    write(root, "docs/site/navigation.txt", "Start\n  old.md\n");

    var built = build(root, root.resolve("target/site"));

    assertThat(built.exit()).isEqualTo(FAULTY);
    assertThat(built.output())
        .contains(
            "docs/guide/new.md is in no part of the site. Add it to docs/site/navigation.txt.")
        .contains("docs/site/navigation.txt names docs/guide/old.md, which is not there.")
        .contains(
            "docs/guide/README.md:3: the link lost.md leads to docs/guide/lost.md, which is not"
                + " there.");
  }

  @Test
  void a_link_to_no_anchor_is_named(@TempDir Path root) throws IOException, InterruptedException {
    copy("docs/site", root);
    write(root, HOME, "# Home\n\nSee [it](page.md#two), and [this](page.md#one).\n");
    write(root, "docs/guide/page.md", "# Page\n\n## One\n\nText.\n");
    write(root, "docs/site/navigation.txt", "Start\n  page.md\n");

    var built = build(root, root.resolve("target/site"));

    assertThat(built.exit()).isEqualTo(FAULTY);
    assertThat(built.output()).contains("index.md:3:").contains("'two'").doesNotContain("'one'");
  }

  private record Built(int exit, String output) {}

  /// Skips the test, and says why, where Python or what it needs cannot be had.
  private static Built build(Path root, Path out) throws IOException, InterruptedException {
    var build = root.resolve("docs/site/build.py").toString();
    var log = Files.createTempFile("superstep-site", ".log");
    try {
      int exit = SiteProcess.run(root, log, List.of("python3", build, "--out", out.toString()));
      var output = Files.readString(log);
      assumeTrue(
          exit != SiteProcess.NOT_THERE && exit != CANNOT_INSTALL,
          () -> "the site is left out: " + (output.isEmpty() ? "no python3 on PATH" : output));
      return new Built(exit, output);
    } finally {
      Files.delete(log);
    }
  }

  private static List<String> guide() throws IOException {
    try (var files = Files.walk(Repository.ROOT.resolve("docs/guide"))) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .map(file -> Repository.ROOT.relativize(file).toString().replace('\\', '/'))
          .filter(page -> !page.equals(HOME))
          .sorted()
          .toList();
    }
  }

  private static void copy(String folder, Path root) throws IOException {
    try (Stream<Path> files = Files.walk(Repository.ROOT.resolve(folder))) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var copy = root.resolve(Repository.ROOT.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  private static void write(Path root, String path, String text) throws IOException {
    var file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
