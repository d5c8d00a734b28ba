package dev.superstep.bench;

import dev.superstep.bench.cells.CellBench;
import dev.superstep.bench.served.ServedBench;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The program behind `superstep bench`.
public final class Main {
  private static final int EXIT_WRONG = 1;
  private static final int EXIT_USAGE = 2;

  private Main() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (List.of(arguments).equals(List.of("--cells"))) {
      CellBench.run();
      return;
    }
    if (arguments.length > 0 && arguments[0].equals("--served")) {
      served(List.of(arguments).subList(1, arguments.length));
      return;
    }
    try {
      System.exit(run(Options.parse(List.of(arguments)), arguments));
    } catch (Options.Wrong e) {
      System.err.println("superstep bench: " + e.getMessage());
      System.err.print(Options.HELP);
      System.exit(EXIT_USAGE);
    }
  }

  private static Path home() {
    return Path.of(System.getProperty("superstep.home", "")).toAbsolutePath();
  }

  private static void served(List<String> options) throws IOException, InterruptedException {
    try {
      ServedBench.run(home(), options);
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(EXIT_USAGE);
    }
  }

  private static int run(Options options, String[] arguments)
      throws IOException, InterruptedException {
    if (options.help()) {
      System.out.print(Options.HELP);
      return 0;
    }
    var home = home();
    var machine =
        Machine.look(home, "superstep bench " + String.join(" ", arguments))
            .with(options.systems());
    var systems = new ArrayList<Side>();
    for (var system : options.systems()) systems.add(Side.of(system, home, options));
    long begin = System.nanoTime();
    Runner.Saver saver = soFar -> new Report(machine.after(begin), soFar).write(options.out());
    var results = new Runner(systems, System.err).run(Plan.of(options), saver);
    System.out.print(new Report(machine, results).summary());
    System.err.println("superstep bench: the results are in " + options.out());
    return results.isAllRight() ? 0 : EXIT_WRONG;
  }
}
