package dev.superstep.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("TH2")
@Timeout(600)
class SandboxSwapsTest {
  private static final String SECRET = "superstep-secret-outside";

  /// A process makes a link lead out and back in, over and over, while another writes and reads
  /// through it. They go on until each kind of try was seen often enough. Prints the number of
  /// swaps, of tries that went well and of tries that were refused.
  private static final String SWAPS =
      """
      use POSIX ':sys_wait_h';
      my ($out, $swaps) = @ARGV;
      mkdir 'in'; symlink 'in', 'link';
      my $swapper = fork;
      if (!$swapper) {
        my $n = 0;
        for (; $n < $swaps || !-e 'stop'; $n++) {
          symlink $n % 2 ? $out : 'in', 'next'; rename 'next', 'link';
        }
        print "$n "; exit;
      }
      my ($well, $refused) = (0, 0);
      while (waitpid($swapper, WNOHANG) == 0) {
        for my $name ('link/new', 'link/in/../new', 'link/secret') {
          if (open my $file, '>>', $name) { syswrite $file, 'x'; $well++ } else { $refused++ }
          if (open my $file, '<', $name) { sysread $file, my $text, 99; print "<$text>" if $text =~ /s/ }
          mkdir 'link/folder'; rmdir 'link/folder'; unlink 'link/secret';
        }
        if ($well > 50 && $refused > 50) { open my $file, '>', 'stop' }
      }
      print "$well $refused";
      """;

  @TempDir Path temp;

  @ParameterizedTest
  @EnumSource(names = {"LANDLOCK", "BUBBLEWRAP"})
  void a_link_that_is_swapped_while_it_is_used_leads_nowhere_outside(Tier tier) throws Exception {
    swap(tier, 300);
  }

  @ParameterizedTest
  @EnumSource(names = {"LANDLOCK", "BUBBLEWRAP"})
  @Tag("long")
  void ten_thousand_swaps_lead_nowhere_outside(Tier tier) throws Exception {
    System.out.printf("long: %s: %s%n", tier, swap(tier, Integer.getInteger("swaps", 10_000)));
  }

  private String swap(Tier tier, int swaps) throws Exception {
    var sandbox = Sandbox.open();
    assumeTrue(sandbox.machine().isAvailable(tier), tier + " cannot be held here");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "needs perl");
    var inside = Files.createDirectory(temp.toRealPath().resolve("inside"));
    var outside = Files.createDirectory(temp.toRealPath().resolve("outside"));
    var secret = Files.writeString(outside.resolve("secret"), SECRET);
    var changed = Files.getAttribute(outside, "unix:ctime");
    var result =
        sandbox.run(
            SandboxCommand.of(
                    tier,
                    inside,
                    "/usr/bin/perl",
                    "-e",
                    SWAPS,
                    outside.toString(),
                    String.valueOf(swaps))
                .writing(inside)
                .timeout(Duration.ofSeconds(500)));
    assertThat(result.ended()).isEqualTo(new SandboxResult.Ended.Exited(0));
    var counts = result.out().text();
    assertThat(counts).doesNotContain(SECRET).matches("\\d+ \\d+ \\d+");
    assertThat(Integer.parseInt(counts.split(" ")[0])).isGreaterThanOrEqualTo(swaps);
    assertThat(secret).hasContent(SECRET);
    assertThat(outside.toFile().list()).containsExactly("secret");
    // The kernel notes each name that comes or goes, also one that was there for a moment.
    assertThat(Files.getAttribute(outside, "unix:ctime")).isEqualTo(changed);
    return "%s swaps, tries that went well, and refused".formatted(counts);
  }
}
