package dev.superstep.cli.serve;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.mcp.FolderTools;
import dev.superstep.cli.model.ModelChoice;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.model.NamedModels;
import dev.superstep.cli.run.LoadedProgram;
import dev.superstep.cli.text.TextProgram;
import dev.superstep.json.Json;
import dev.superstep.model.Capability;
import dev.superstep.program.AgentProgram;
import dev.superstep.program.Program;
import dev.superstep.program.ProgramContext;
import dev.superstep.server.graph.ServedGraph;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The programs, agents and texts of folders, opened to be served. Closing it ends what their
/// models started.
final class ServedPrograms implements AutoCloseable {
  private static final String TEXT = "text";

  private final Host host;
  private final Optional<String> model;
  private final Map<String, Served> served = new LinkedHashMap<>();
  private final List<Refused> refused = new ArrayList<>();
  private final List<String> notices = new ArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  private ServedPrograms(Host host, Optional<String> model) {
    this.host = host;
    this.model = model;
  }

  /// A graph that is served.
  ///
  /// @param kind `agent`, `program` or `text`
  /// @param program that it is made of
  /// @param hasVision whether its model reads pictures
  record Served(ServedGraph graph, String kind, Path place, Program program, boolean hasVision) {}

  /// A program that is not.
  record Refused(Path place, String why) {}

  /// Opens everything in folders. From here on, the code of their programs runs.
  ///
  /// @param model the model for all, if the user names one
  /// @throws UsageError if something is broken, if two things have one name, or if there is nothing
  static ServedPrograms open(Host host, List<Path> places, Optional<String> model) {
    var all = new ServedPrograms(host, model);
    try {
      for (var place : places) all.add(place);
      return all;
    } catch (RuntimeException | Error e) {
      all.close();
      throw e;
    }
  }

  private void add(Path named) {
    for (var place : ServedPlaces.in(named)) {
      var text = RagFolder.find(place);
      if (text.isPresent()) addText(text.get());
      else addProgram(ProgramFolder.open(place));
    }
  }

  private void addText(RagFolder folder) {
    var read = TextProgram.read(folder, "");
    var tools = tools(folder.root());
    var models = NamedModels.forRun(host, folder, read.models(), model);
    var program = read.bound(models, tools::having);
    open.add(program);
    program.checkWithinLimits();
    program.reach().forEach(line -> notices.add(program.name() + ": " + line));
    var offered = ServedGraph.of(program.graph()).giving(program.outputs());
    var graph = taking(offered, program).with(program::options);
    add(new Served(graph, TEXT, folder.file(), program, false));
  }

  private void addProgram(ProgramFolder folder) {
    notices.addAll(folder.notices());
    var program = LoadedProgram.of(folder);
    open.add(program);
    if (!takesJson(program.program())) {
      refused.add(
          new Refused(
              folder.root(),
              "its class takes a file or folder, and no JSON; override input(Json) to serve it"));
      return;
    }
    var choice = ModelChoice.forRun(host, model, folder.model());
    var opened = new ModelOpener(host, program.loader()).open(choice, folder, Path.of(""));
    open.add(opened);
    var tools = tools(folder.root());
    var name = String.valueOf(folder.root().getFileName());
    var output = host.folder().resolve("superstep-out").resolve("serve").resolve(name);
    var graph = program.program().graph(new ProgramContext(opened.model(), output, tools::tools));
    notices.add(
        graph.name() + ": model is " + opened.named().url() + " (" + choice.from().title() + ")");
    var offered = ServedGraph.of(graph);
    // What clients of LangGraph send to an agent, the server reads better: all forms of messages.
    boolean isAgent = program.program() instanceof AgentProgram && !hasOwnInput(program.program());
    var taking = isAgent ? offered : taking(offered, program.program());
    boolean hasVision = opened.model().profile().has(Capability.VISION);
    var kind = isAgent ? "agent" : "program";
    add(new Served(taking, kind, folder.root(), program.program(), hasVision));
  }

  /// The tools of the servers for a folder. Nobody is asked: they are confirmed before.
  private FolderTools tools(Path folder) {
    var tools = FolderTools.of(host, folder, false, notices::add);
    open.add(tools);
    return tools;
  }

  private void add(Served each) {
    var other = served.putIfAbsent(each.graph().id(), each);
    if (other == null) return;
    if (isSame(other.place(), each.place())) {
      throw new UsageError(
          "serve.same-name",
          "%s is given twice. Name it once, or only the folder that it is in."
              .formatted(each.place()));
    }
    throw new UsageError(
        "serve.same-name",
        "Two graphs have the name `%s`: one in %s, one in %s. Serve them apart, or rename one."
            .formatted(each.graph().id(), other.place(), each.place()));
  }

  private static boolean isSame(Path one, Path other) {
    return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }

  private static ServedGraph taking(ServedGraph graph, Program program) {
    // One that overrides its input and inherits a schema is not described by that.
    return program
        .inputSchema()
        .filter(_ -> declares(program, "inputSchema") == declares(program))
        .map(schema -> graph.taking(schema, program::input))
        .orElseGet(() -> graph.taking(program::input));
  }

  private static boolean takesJson(Program program) {
    return declares(program) != Program.class;
  }

  private static boolean hasOwnInput(Program program) {
    return declares(program) != AgentProgram.class;
  }

  private static Class<?> declares(Program program) {
    return declares(program, "input", Json.class);
  }

  private static Class<?> declares(Program program, String method, Class<?>... parameters) {
    try {
      return program.getClass().getMethod(method, parameters).getDeclaringClass();
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every program has it", e);
    }
  }

  List<Served> served() {
    return List.copyOf(served.values());
  }

  /// The files of the texts by the ids of their graphs.
  Map<String, Path> texts() {
    var texts = new LinkedHashMap<String, Path>();
    served.forEach((id, each) -> {
      if (each.kind().equals(TEXT)) texts.put(id, each.place());
    });
    return texts;
  }

  List<Refused> refused() {
    return refused;
  }

  /// Sentences about what they may reach.
  List<String> notices() {
    return notices;
  }

  @Override
  public void close() {
    for (var each : open.reversed()) {
      try {
        each.close();
      } catch (Exception failed) {
        throw new IllegalStateException("a program does not end: " + failed.getMessage(), failed);
      }
    }
  }
}
