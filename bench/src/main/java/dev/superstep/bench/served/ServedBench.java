package dev.superstep.bench.served;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

/// The program behind `superstep bench --served`: Superstep's server beside the development servers
/// of LangGraph, in turns, each fresh in each round.
public final class ServedBench {
  private static final Duration SETTLE = Duration.ofSeconds(3);
  private static final Duration ACTIVE = Duration.ofSeconds(12);
  private static final Duration WINDOW = Duration.ofSeconds(5);
  private static final double BETTER = 0.95;
  private static final int STILL = 3;
  private static final int IDLE_THREADS = 1_000;
  private static final int ACTIVE_THREADS = 200;
  private static final int USERS_BEFORE = 8;

  private final ServedOptions options;
  private final Path peers;
  private final Path folder;

  private ServedBench(ServedOptions options, Path peers, Path folder) {
    this.options = options;
    this.peers = peers;
    this.folder = folder;
  }

  /// Measures, and prints a line for each figure as it comes, and a table at the end.
  ///
  /// @param home the folder of the source tree
  /// @throws IllegalArgumentException if the arguments cannot be understood
  public static void run(Path home, List<String> arguments)
      throws IOException, InterruptedException {
    var options = ServedOptions.parse(arguments);
    var folder = Files.createTempDirectory("superstep-served-");
    System.err.println("superstep bench: logs and files of the servers are in " + folder);
    new ServedBench(options, home.resolve("bench/peers"), folder).measure();
  }

  private void measure() throws IOException, InterruptedException {
    var systems = new ArrayList<ServedSystem>();
    for (var system : options.systems()) {
      var missing = system.missing(peers);
      if (missing.isEmpty()) systems.add(system);
      else System.out.println("not run: " + missing.get());
    }
    var figures = new ServedFigures();
    for (int round = 1; round <= options.rounds(); round++) {
      for (var system : systems) load(system, figures);
    }
    for (var system : systems) memory(system, figures);
    System.out.print(figures.table());
  }

  private void load(ServedSystem system, ServedFigures figures)
      throws IOException, InterruptedException {
    try (var server = system.start(peers, folder, freePort());
        var traffic = new Traffic(server.address())) {
      for (int users : options.users()) {
        warmUp(server, traffic, users);
        double before = server.cpuSeconds();
        long begin = System.nanoTime();
        var cycles = traffic.cycles(users, options.time());
        double seconds = (System.nanoTime() - begin) / 1e9;
        var load = ServedFigures.Load.of(cycles, seconds, server.cpuSeconds() - before);
        figures.add(system, users, load);
        System.out.println(system.id() + ", " + users + " users: " + load.line());
      }
    }
  }

  /// Lets users do cycles until the processor time of one has stood still, but not for ever. What a
  /// JIT compiler takes is part of it, so a figure stands still only once that is done.
  private void warmUp(ServerProcess server, Traffic traffic, int users)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + options.warmUp().toNanos();
    double best = Double.MAX_VALUE;
    int still = 0;
    while (still < STILL && System.nanoTime() < end) {
      double before = server.cpuSeconds();
      int cycles = traffic.cycles(users, WINDOW).size();
      double each = (server.cpuSeconds() - before) / cycles;
      still = each < best * BETTER ? 0 : still + 1;
      best = Math.min(best, each);
    }
  }

  private void memory(ServedSystem system, ServedFigures figures)
      throws IOException, InterruptedException {
    try (var server = system.start(peers, folder, freePort());
        var traffic = new Traffic(server.address())) {
      double fresh = server.residentMb();
      traffic.leave(IDLE_THREADS, USERS_BEFORE);
      Thread.sleep(SETTLE);
      double idle = server.residentMb();
      var active =
          new FutureTask<>(() -> {
            traffic.active(ACTIVE_THREADS, ACTIVE);
            return true;
          });
      Thread.ofVirtual().start(active);
      Thread.sleep(ACTIVE.dividedBy(2));
      var memory = new ServedFigures.Memory(fresh, idle, server.residentMb());
      active.get();
      figures.add(system, memory);
      System.out.println(system.id() + ": " + memory.line());
    } catch (java.util.concurrent.ExecutionException e) {
      throw new IOException("the active threads of " + system.id() + " failed", e.getCause());
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
