package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The site as its readers see it: opened from disk, in Chromium, without a network.
final class SiteBrowserTest {
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path CHECKS = Repository.ROOT.resolve("docs/site/browser");

  /// Screenshots of each page, width and theme are in `target/site-screens`, to be looked at.
  @Test
  @Tag("long")
  void the_site_opens_from_disk_with_a_search_that_finds_and_without_faults_of_access()
      throws IOException, InterruptedException {
    var chromium = System.getenv().getOrDefault("SUPERSTEP_CHROMIUM", "/usr/bin/chromium");
    assumeTrue(Files.isExecutable(Path.of(chromium)), "there is no Chromium at " + chromium);
    var folder = installed();
    var log = TARGET.resolve("site-browser.log");
    var site = Repository.ROOT.resolve("target/site").toAbsolutePath();
    var superstep = Repository.ROOT.resolve("superstep").toAbsolutePath().toString();
    assertThat(SiteProcess.run(TARGET, log, List.of(superstep, "site")))
        .as(() -> text(log))
        .isZero();

    var screens = TARGET.resolve("site-screens").toString();
    int exit = SiteProcess.run(folder, log, List.of("node", "check.mjs", site.toString(), screens));

    text(log).lines().filter(line -> line.startsWith("long: ")).forEach(System.out::println);
    assertThat(exit).as(() -> text(log)).isZero();
  }

  /// The folder of the checks with their packages, as the lock file has them.
  private static Path installed() throws IOException, InterruptedException {
    var folder = Files.createDirectories(TARGET.resolve("site-browser"));
    try (var files = Files.list(CHECKS)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        Files.write(folder.resolve(file.getFileName().toString()), Files.readAllBytes(file));
      }
    }
    var log = TARGET.resolve("site-npm.log");
    int exit =
        SiteProcess.run(folder, log, List.of("npm", "ci", "--no-audit", "--no-fund", "--silent"));
    assumeTrue(exit == 0, () -> "npm cannot install the checks: " + text(log));
    return folder;
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      return e.toString();
    }
  }
}
