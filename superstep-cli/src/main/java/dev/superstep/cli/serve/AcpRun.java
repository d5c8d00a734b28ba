package dev.superstep.cli.serve;

import dev.superstep.acp.AcpAgent;
import dev.superstep.cli.host.BuildVersion;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.serve.ServedPrograms.Served;
import dev.superstep.cli.text.TextProgram;
import dev.superstep.cli.view.PlainOutput;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.program.Program;
import dev.superstep.run.Input;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The work of `superstep acp`: opens a folder, and serves its program to the editor that started
/// the command.
public final class AcpRun {
  private static final Codec<Map<String, Json>> OBJECT = Codec.mapOf(Json.class);

  private final Host host;
  private final Request request;

  private AcpRun(Host host, Request request) {
    this.host = host;
    this.request = request;
  }

  /// The arguments of the command.
  ///
  /// @param model in place of the program's own
  public record Request(
      String folder, Optional<String> model, Optional<String> store, boolean debug) {}

  /// Serves until the editor is gone.
  ///
  /// @return the exit code
  public static int run(Host host, Request request) {
    try {
      return new AcpRun(host, request).run();
    } catch (RuntimeException | Error e) {
      return new PlainOutput(host.terminal(), request.debug()).failed(e);
    }
  }

  private int run() {
    // What the program prints must not go between the messages.
    var out = host.terminal().out();
    System.setOut(System.err);
    var places = List.of(host.path(request.folder()));
    try (var programs = ServedPrograms.open(host, places, request.model())) {
      var program = only(programs);
      var url = request.store();
      try (var stores = ServerStores.open(host, url.orElse(""), url.isPresent())) {
        stores.checkPlain();
        line("serving %s  %s  %s".formatted(program.graph().id(), program.kind(), program.place()));
        programs.notices().forEach(this::line);
        line("store   " + stores.shown());
        agent(program, stores).serve(System.in, out);
        return ExitCodes.COMPLETED;
      }
    }
  }

  private static Served only(ServedPrograms programs) {
    var served = programs.served();
    if (served.isEmpty()) {
      var first = programs.refused().getFirst();
      throw new UsageError(
          "serve.nothing",
          "There is nothing to serve: " + first.place() + ": " + first.why() + ".");
    }
    if (served.size() == 1) return served.getFirst();
    throw new UsageError(
        "acp.several",
        "An editor talks to one program, and there are several: %s. Name one."
            .formatted(
                served.stream()
                    .map(each -> each.place().toString())
                    .collect(Collectors.joining(", "))));
  }

  private static AcpAgent agent(Served program, ServerStores stores) {
    var graph = program.graph();
    var agent = conversation(program, stores).titled(title(program), version());
    var seeing = program.hasVision() ? agent.takingImages() : agent;
    return seeing
        .wording(program.program()::ask)
        .running(options -> graph.options().apply(options).store(stores.memory()));
  }

  private static AcpAgent conversation(Served program, ServerStores stores) {
    var graph = program.graph().graph();
    var store = stores.checkpointer();
    boolean isText = program.program() instanceof TextProgram;
    if (!isText && program.graph().conversation().isPresent()) return AcpAgent.of(graph, store);
    return AcpAgent.of(
        graph, store, prompt -> input(program.program(), prompt), program.program()::summary);
  }

  /// A prompt as input: JSON as it is, a text as the only field where there is one.
  private static Input input(Program program, String prompt) {
    var fields = program.inputSchema().map(AcpRun::fields).orElse(List.of());
    if (prompt.strip().startsWith("{")) {
      try {
        return program.input(Json.parse(prompt));
      } catch (MalformedJson _) {
        // A text like any other.
      }
    }
    return fields.size() == 1
        ? program.input(Json.of(Map.of(fields.getFirst(), prompt)))
        : program.input(prompt);
  }

  private static List<String> fields(Json schema) {
    var properties = OBJECT.decode(schema).get("properties");
    return properties == null ? List.of() : List.copyOf(OBJECT.decode(properties).keySet());
  }

  private static String title(Served program) {
    var known = program.graph().description();
    return known.isEmpty() ? program.graph().id() : known;
  }

  private static String version() {
    try {
      return BuildVersion.number();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void line(String text) {
    host.terminal().err().println(SafeText.of(text));
    host.terminal().err().flush();
  }
}
