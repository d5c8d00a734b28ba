package dev.superstep.cli.serve;

import dev.superstep.cli.host.BuildVersion;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.TextFile;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.serve.ServedPrograms.Served;
import dev.superstep.cli.text.TextProgram;
import dev.superstep.cli.view.PlainOutput;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.mcp.server.GraphForm;
import dev.superstep.mcp.server.McpHost;
import dev.superstep.mcp.server.McpHostBuilder;
import dev.superstep.program.Program;
import dev.superstep.run.Input;
import dev.superstep.schema.JsonSchema;
import dev.superstep.server.ExtensionServer;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.server.security.Authenticator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// The work of `superstep mcp serve`: opens folders, and serves their programs as tools.
public final class McpServeRun {
  private static final JsonSchema TASK =
      JsonSchema.parse(
          Json.parse(
              """
              {"type": "object", "required": ["task"], "properties": {"task": {"type": "string",
               "description": "The whole task, in words."}}}
              """));
  private static final JsonSchema ANY = JsonSchema.parse(Json.parse("{\"type\": \"object\"}"));
  private static final int NAME_MAX = 64;
  private static final int PORT_MAX = 65_535;

  private final Host host;
  private final Request request;

  private McpServeRun(Host host, Request request) {
    this.host = host;
    this.request = request;
  }

  /// The arguments of the command.
  ///
  /// @param model for all programs, if the user names one
  /// @param port to listen at, in place of the standard streams
  /// @param keys a file with the keys of clients
  /// @param approvalsByTool whether clients without forms may approve by a tool
  public record Request(
      List<String> folders,
      Optional<String> model,
      Optional<Integer> port,
      Optional<String> keys,
      Optional<String> store,
      boolean approvalsByTool,
      boolean debug) {}

  /// A task in words.
  private record Task(String task) {}

  /// Serves until the client is gone, or the process is told to stop.
  ///
  /// @return the exit code
  public static int run(Host host, Request request) {
    try {
      return new McpServeRun(host, request).run();
    } catch (RuntimeException | Error e) {
      return new PlainOutput(host.terminal(), request.debug()).failed(e);
    }
  }

  private int run() {
    if (request.port().isEmpty() && request.keys().isPresent()) {
      throw new UsageError("mcp.keys", "Keys are for clients over HTTP; add --http PORT.");
    }
    request.port().ifPresent(McpServeRun::checkPort);
    // What programs print must not go between the messages.
    var out = host.terminal().out();
    if (request.port().isEmpty()) System.setOut(System.err);
    List<Path> places = request.folders().stream().map(host::path).toList();
    try (var programs = ServedPrograms.open(host, places, request.model())) {
      var url = request.store();
      try (var stores = ServerStores.open(host, url.orElse(""), url.isPresent())) {
        stores.checkPlain();
        try (var server = server(programs, stores)) {
          print(programs, stores);
          if (request.port().isPresent()) return listen(server, request.port().get());
          server.serve(System.in, out);
          return ExitCodes.COMPLETED;
        }
      }
    }
  }

  private static void checkPort(int port) {
    if (port >= 0 && port <= PORT_MAX) return;
    throw new UsageError(
        "serve.address", "Port %d of --http must be a number from 0 to 65,535.".formatted(port));
  }

  private static String version() {
    try {
      return BuildVersion.number();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private McpHost server(ServedPrograms programs, ServerStores stores) {
    if (programs.served().isEmpty()) {
      var first = programs.refused().getFirst();
      throw new UsageError(
          "serve.nothing",
          "There is nothing to serve: " + first.place() + ": " + first.why() + ".");
    }
    var builder =
        McpHost.named("superstep")
            .version(version())
            .approvalsByTool(request.approvalsByTool())
            .storedIn(stores.checkpointer(), stores.documents());
    for (var each : programs.served()) add(each, stores, builder);
    return builder.build();
  }

  private static void add(Served each, ServerStores stores, McpHostBuilder builder) {
    var graph = each.graph();
    var name = name(graph.id());
    boolean isAgent = each.kind().equals("agent");
    var known = graph.description();
    var usual = isAgent ? "Gives the agent `%s` a task." : "Runs the %s `%s`.";
    var description =
        known.isEmpty()
            ? isAgent ? usual.formatted(graph.id()) : usual.formatted(each.kind(), graph.id())
            : known;
    UnaryOperator<RunOptions> options = base -> graph.options().apply(base).store(stores.memory());
    builder.graph(name, description, graph.graph(), form(each, isAgent).with(options));
  }

  private static GraphForm form(Served each, boolean isAgent) {
    var program = each.program();
    if (program instanceof TextProgram text) {
      return new GraphForm(schema(program), input(program), text::output, Optional.empty());
    }
    return new GraphForm(
        isAgent ? TASK : schema(program),
        isAgent ? given -> program.input(given.as(Task.class).task()) : input(program),
        end -> Json.string(program.summary(end)),
        Optional.empty());
  }

  private static Function<Json, Input> input(Program program) {
    return program::input;
  }

  private static JsonSchema schema(Program program) {
    return program
        .inputSchema()
        .map(JsonSchema::parse)
        .filter(schema -> schema.json().text().contains("\"object\""))
        .orElse(ANY);
  }

  /// A name that clients take, made of the name of a graph.
  private static String name(String id) {
    var name =
        id.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "_")
            .replaceAll("^[_0-9]+|_+$", "");
    if (name.isEmpty()) {
      throw new UsageError(
          "mcp.name", "`" + id + "` has no letters of a to z, so it cannot be the name of a tool.");
    }
    return name.length() <= NAME_MAX ? name : name.substring(0, NAME_MAX).replaceAll("_+$", "");
  }

  private int listen(McpHost server, int port) {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (var http =
        ExtensionServer.start(
            server.extension(), address, authenticator(), ServerOptions.defaults())) {
      line("address " + http.address());
      line("Ctrl-C stops it; tasks are saved, and go on at the next start.");
      host.stop().onStop(http::close);
      http.awaitStop();
      return ExitCodes.COMPLETED;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ExitCodes.INTERRUPTED;
    } catch (IOException e) {
      throw new UsageError(
          "serve.address",
          "The server cannot listen at port %d: %s. Choose another with --http."
              .formatted(port, e.getMessage()),
          e);
    }
  }

  private Authenticator authenticator() {
    if (request.keys().isEmpty()) return Authenticator.nobody();
    var file = host.path(request.keys().get());
    try {
      return ApiKeys.read(file);
    } catch (IOException e) {
      throw new UsageError(
          "mcp.keys", "The file " + file + " of --keys cannot be read" + TextFile.why(e) + ".", e);
    } catch (IllegalArgumentException e) {
      throw new UsageError("mcp.keys", "Of " + file + ", " + e.getMessage() + ".", e);
    }
  }

  private void print(ServedPrograms programs, ServerStores stores) {
    for (var each : programs.served()) {
      line("serving %s  %s  %s".formatted(name(each.graph().id()), each.kind(), each.place()));
    }
    for (var each : programs.refused()) line("not serving " + each.place() + ": " + each.why());
    programs.notices().forEach(this::line);
    line("store   " + stores.shown());
    if (request.port().isPresent()) {
      line("clients " + (request.keys().isPresent() ? "must show a key" : "all of this machine"));
    }
  }

  private void line(String text) {
    host.terminal().err().println(SafeText.of(text));
    host.terminal().err().flush();
  }
}
