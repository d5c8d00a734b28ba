package dev.superstep.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A program with a terminal of its own, in whose tiers commands try to type into that. Prints, for
/// each, how often the kernel took a byte, and how many wait at its standard input afterwards.
final class TerminalPush {
  /// Types `a` and a line feed into whatever it can open.
  private static final String PUSH =
      """
      my @open = (*STDIN, *STDOUT, *STDERR); my $taken = 0;
      for my $mode ('<', '>', '+<') {
        for my $path (@ARGV) { if (open my $file, $mode, $path) { push @open, $file } }
      }
      for my $file (@open) {
        for (split //, "a\\n") { my $byte = $_; $taken++ if ioctl($file, 0x5412, $byte) }
      }
      print "$taken\\n";
      """;

  private TerminalPush() {}

  public static void main(String[] arguments) throws Exception {
    var sandbox = Sandbox.open();
    var folder = Files.createTempDirectory("superstep-terminal-");
    var terminal = Files.readSymbolicLink(Path.of("/proc/self/fd/0")).toString();
    System.out.println("terminal " + terminal);
    for (var tier : Tier.values()) {
      if (!sandbox.machine().isAvailable(tier)) continue;
      var words = new ArrayList<>(words("/dev/tty"));
      // In the first tier, which confines no files, root may open any terminal by its name.
      if (tier != Tier.PROCESS) words.addAll(List.of(terminal, "/dev/console", "/dev/ptmx"));
      var result = sandbox.run(SandboxCommand.of(tier, folder, words).writing(folder));
      print(tier.toString(), (result.out().text() + result.err().text()).strip());
    }
    var process = new ProcessBuilder(words("/dev/tty"));
    process.redirectInput(ProcessBuilder.Redirect.INHERIT);
    var started = process.start();
    print("unconfined", new String(started.getInputStream().readAllBytes()).strip());
    Files.delete(folder);
  }

  private static List<String> words(String path) {
    return List.of("/usr/bin/perl", "-e", PUSH, path);
  }

  private static void print(String name, String taken) throws IOException {
    System.out.printf("%s taken %s, waiting %d%n", name, taken, System.in.available());
  }
}
