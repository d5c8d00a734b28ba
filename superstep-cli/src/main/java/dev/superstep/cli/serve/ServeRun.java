package dev.superstep.cli.serve;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.ServerSetting;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.serve.ServedPrograms.Served;
import dev.superstep.cli.view.PlainOutput;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.NotServed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The work of `superstep serve`: opens folders, starts a server, and waits until it is stopped.
public final class ServeRun {
  private final Host host;
  private final Request request;
  private final ServerConfig config;

  private ServeRun(Host host, Request request) {
    this.host = host;
    this.request = request;
    this.config = new ServerConfig(host, request.settings());
  }

  /// The arguments of the command.
  ///
  /// @param model for all programs, if the user names one
  public record Request(
      List<String> folders,
      Optional<String> model,
      Map<ServerSetting, String> settings,
      boolean debug) {}

  /// Serves until the process is told to stop, or the thread is interrupted.
  ///
  /// @return the exit code
  public static int run(Host host, Request request) {
    try {
      return new ServeRun(host, request).run();
    } catch (RuntimeException | Error e) {
      return new PlainOutput(host.terminal(), request.debug()).failed(e);
    }
  }

  private int run() {
    List<Path> places = request.folders().stream().map(host::path).toList();
    try (var programs = ServedPrograms.open(host, places, request.model())) {
      if (programs.served().isEmpty()) throw nothing(programs);
      var store = config.find(ServerSetting.STORE);
      try (var stores = ServerStores.open(host, store.value(), !store.origin().isEmpty())) {
        return serve(programs, sealed(stores, !store.origin().isEmpty()));
      }
    }
  }

  /// The stores with the keys that the user gave, if there are some.
  private ServerStores sealed(ServerStores stores, boolean isNamed) {
    var ring = EncryptionKeys.find(host, config.find(ServerSetting.ENCRYPTION_KEYS));
    if (ring.isEmpty()) {
      stores.checkPlain();
      return stores;
    }
    if (isNamed) return stores.sealed(ring.get());
    throw new UsageError(
        "serve.encryption",
        "The file of `superstep run` is not encrypted. Name a store for this server by --store.");
  }

  private static UsageError nothing(ServedPrograms programs) {
    var first = programs.refused().getFirst();
    return new UsageError(
        "serve.nothing", "There is nothing to serve: " + first.place() + ": " + first.why() + ".");
  }

  private int serve(ServedPrograms programs, ServerStores stores) {
    var builder =
        AgentServer.on(stores.checkpointer(), stores.documents())
            .memory(stores.memory())
            .serving(programs.served().stream().map(Served::graph).toList());
    for (var each : programs.refused()) {
      var name = String.valueOf(each.place().getFileName());
      builder.notServing(new NotServed(name, "", each.why()));
    }
    builder.listener(new TakeoverLines(this::line));
    builder.texts(new ServedTexts(programs.texts(), config.isOn(ServerSetting.EDIT)));
    var protocols = config.protocols();
    protocols.values().forEach(builder::extension);
    boolean asks = config.applyTo(builder);
    var address = config.address();
    if (!asks) config.checkAlone(address);
    try (var server = builder.start(address)) {
      print(programs, stores, server, asks);
      printProtocols(server, protocols.keySet());
      host.stop().onStop(() -> stop(server));
      server.awaitStop();
      return ExitCodes.COMPLETED;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ExitCodes.INTERRUPTED;
    } catch (IOException e) {
      throw new UsageError(
          "serve.address",
          "The server cannot listen on %s, port %d: %s. Choose another with --host or --port."
              .formatted(address.getHostString(), address.getPort(), e.getMessage()),
          e);
    }
  }

  private void stop(AgentServer server) {
    int runs = server.runsAtWork();
    line("stopping: %d run%s at work".formatted(runs, runs == 1 ? "" : "s"));
    server.close();
    line("stopped; what was not finished goes on at the next start, or on another server");
  }

  private void print(
      ServedPrograms programs, ServerStores stores, AgentServer server, boolean asks) {
    for (var each : programs.served()) {
      line("serving %s  %s  %s".formatted(each.graph().id(), each.kind(), each.place()));
    }
    for (var each : programs.refused()) line("not serving " + each.place() + ": " + each.why());
    programs.notices().forEach(this::line);
    line("store   " + stores.shown());
    line("clients " + (asks ? "must show a key or a token" : "everybody who reaches it"));
    boolean isIsolated = config.isOn(ServerSetting.ISOLATE);
    line("threads " + (isIsolated ? "each client sees its own" : "all clients see all of them"));
    line("address " + server.address());
    var studio = server.address() + "/studio";
    line("studio  " + (AgentServer.hasStudio() ? studio : "not in this build; see " + studio));
  }

  private void printProtocols(AgentServer server, Set<String> protocols) {
    for (var name : protocols) line("%-8s%s/%s/NAME".formatted(name, server.address(), name));
    line("Ctrl-C stops it; runs are saved, and go on at the next start.");
  }

  private void line(String text) {
    host.terminal().out().println(SafeText.of(text));
    host.terminal().out().flush();
  }
}
