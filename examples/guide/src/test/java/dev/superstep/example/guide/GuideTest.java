package dev.superstep.example.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every program in the README and the guide is a part of a file that the build compiles, with a
/// link to that file below it, and every output shown is what that program prints. An output may
/// also be a file that another test compares with what a program prints. `-Dsuperstep.golden=write`
/// puts the links right.
class GuideTest {
  private static final Path ROOT = root();
  private static final Pattern BLOCK =
      Pattern.compile("<!-- (code|output): (\\S+) -->\\s*```\\w*\\n(.*?)```", Pattern.DOTALL);

  private static final Pattern PROGRAM =
      Pattern.compile(
          "(<!-- code: (\\S+) -->\\s*```\\w*\\n.*?\\n```\\n)(\\n\\[The whole"
              + " program]\\([^)]*\\)\\n)?",
          Pattern.DOTALL);

  private record Block(Path page, String kind, String source, String text) {}

  @TestFactory
  Stream<DynamicTest> every_program_in_the_guide_compiles_and_prints_the_shown_output()
      throws IOException {
    var blocks = new ArrayList<Block>();
    for (var page : pages()) {
      var found = BLOCK.matcher(Files.readString(page));
      while (found.find()) {
        blocks.add(new Block(page, found.group(1), found.group(2), found.group(3)));
      }
    }
    assertThat(blocks).hasSizeGreaterThan(5);
    return blocks.stream()
        .map(b -> DynamicTest.dynamicTest(b.page.getFileName() + " " + b.source, () -> check(b)));
  }

  @TestFactory
  Stream<DynamicTest> below_every_program_is_a_link_to_the_whole_of_it() throws IOException {
    return pages().stream()
        .map(page -> DynamicTest.dynamicTest(page.getFileName() + "", () -> checkLinks(page)));
  }

  private static void checkLinks(Path page) throws IOException {
    var text = Files.readString(page);
    var linked =
        PROGRAM
            .matcher(text)
            .replaceAll(found -> {
              var file = page.getParent().relativize(ROOT.resolve(found.group(2)));
              var link = "\n[The whole program](" + file.toString().replace('\\', '/') + ")\n";
              return Matcher.quoteReplacement(found.group(1) + link);
            });
    if ("write".equals(System.getProperty("superstep.golden"))) Files.writeString(page, linked);
    else assertThat(text).as("-Dsuperstep.golden=write puts the links right").isEqualTo(linked);
  }

  private static void check(Block block) throws Exception {
    if (block.kind.equals("code")) {
      assertThat(squeezed(Files.readString(ROOT.resolve(block.source))))
          .contains(squeezed(block.text));
    } else if (block.source.endsWith(".txt")) {
      assertThat(block.text).isEqualTo(Files.readString(ROOT.resolve(block.source)));
    } else {
      assertThat(output(Class.forName(block.source))).isEqualTo(block.text);
    }
  }

  private static String output(Class<?> program) throws Exception {
    var before = System.out;
    var bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      program.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", " ").strip();
  }

  private static List<Path> pages() throws IOException {
    try (var guide = Files.walk(ROOT.resolve("docs/guide"))) {
      var pages =
          new ArrayList<>(guide.filter(p -> p.toString().endsWith(".md")).sorted().toList());
      pages.add(ROOT.resolve("README.md"));
      return pages;
    }
  }

  private static Path root() {
    var folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) folder = folder.getParent();
    return folder;
  }
}
