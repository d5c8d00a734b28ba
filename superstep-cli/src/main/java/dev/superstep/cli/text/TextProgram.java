package dev.superstep.cli.text;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.InvalidText;
import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.host.TextFile;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.mcp.FolderTools;
import dev.superstep.cli.model.NamedModels;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.json.SuperstepException;
import dev.superstep.language.DiagnosticText;
import dev.superstep.language.Diagnostics;
import dev.superstep.language.Severity;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.CapabilityUse;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.bounds.Limits;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.check.Compilation;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import dev.superstep.program.Program;
import dev.superstep.program.ProgramContext;
import dev.superstep.program.UnusableInput;
import dev.superstep.rag.Rag;
import dev.superstep.rag.RagGraph;
import dev.superstep.rag.component.AskedQuestion;
import dev.superstep.rag.error.InvalidFields;
import dev.superstep.rag.error.MayPassBudget;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGraph;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A graph as text that is bound and ready to run, as a program of the command. Closing it ends
/// what its models started.
public final class TextProgram implements Program, AutoCloseable {
  private static final int INPUT_BYTES_MAX = 16 * 1024 * 1024;

  private final RagFolder folder;
  private final RagGraph graph;
  private final List<String> passing;
  private final String hash;
  private final NamedModels models;
  private final TextComponents components;

  private TextProgram(
      RagFolder folder, Limited graph, String hash, NamedModels models, TextComponents components) {
    this.folder = folder;
    this.graph = graph.graph();
    this.passing = graph.passing();
    this.hash = hash;
    this.models = models;
    this.components = components;
  }

  /// A graph with the limits of its folder.
  ///
  /// @param passing the limits that a run may pass, each as a sentence
  private record Limited(RagGraph graph, List<String> passing) {}

  /// A text whose form is right. Nothing of it has been bound.
  ///
  /// @param graph the one to run
  /// @param models the names of models in it
  /// @param tools the names of tools in it
  public record Read(
      RagFolder folder, RagFile file, Blueprint graph, Set<String> models, Set<String> tools) {
    /// Binds the graph to be looked at: tools of servers are there by their names only. The program
    /// closes the models, also if it cannot be made.
    ///
    /// @throws InvalidText if something that it names is missing or does not fit
    public TextProgram unconnected(Host host, NamedModels opened) {
      return bound(opened, names -> FolderTools.onlyNamed(host, folder.root(), names));
    }

    /// Binds the graph. The program closes the models, also if it cannot be made.
    ///
    /// @param served gives the tools of servers that may have these names
    /// @throws InvalidText if something that it names is missing or does not fit
    public TextProgram bound(NamedModels opened, Function<Set<String>, Map<String, Tool>> served) {
      try {
        var components = TextComponents.of(folder, opened.models(), served.apply(others()));
        try {
          return new Binding(this, components).bound(opened);
        } catch (RuntimeException e) {
          components.close();
          throw e;
        }
      } catch (RuntimeException e) {
        opened.close();
        throw e;
      }
    }

    /// The tools that are none of the folder's own, by their names.
    private Set<String> others() {
      return TextComponents.others(folder, tools);
    }
  }

  /// Reads a text and finds the graph to run.
  ///
  /// @param graph what `--graph` says, or what a thread has kept; empty if neither does
  /// @throws InvalidText if its form is wrong
  public static Read read(RagFolder folder, String graph) {
    var file = RagFile.read(folder.file(), shown(folder));
    var compiled = file.checkedAlone();
    if (!compiled.isValid()) throw new InvalidText(file.source().name(), errors(compiled));
    var name = graph.isEmpty() ? folder.graph().orElse("") : graph;
    return new Read(
        folder,
        file,
        RagFile.only(compiled, name),
        models(compiled),
        names(compiled, Capability.TOOLS));
  }

  /// The findings but notes: that names are not resolved is no news of a text that is wrong.
  private static String errors(Compilation compiled) {
    var found = compiled.report();
    var shown = found.shown().stream().filter(each -> each.severity() != Severity.NOTE).toList();
    var report = new Diagnostics.Report(shown, found.errors(), found.omitted());
    return DiagnosticText.of(compiled.source(), report);
  }

  private static String shown(RagFolder folder) {
    return String.valueOf(folder.file().getFileName());
  }

  static Set<String> models(Compilation compiled) {
    return names(compiled, Capability.MODELS);
  }

  /// The names of a kind in all graphs of a text.
  static Set<String> names(Compilation compiled, Capability kind) {
    var names = new TreeSet<String>();
    for (var blueprint : compiled.blueprints()) {
      for (var use : CapabilityUse.of(blueprint)) {
        if (use.kind() == kind) names.add(use.name());
      }
    }
    return names;
  }

  /// A binding of a text.
  private record Binding(Read read, TextComponents components) {
    TextProgram bound(NamedModels models) {
      var source = read.file().source();
      var registry = components.registry();
      var program = Rag.compile(source, registry, CheckPolicy.file(source.name()));
      if (!program.isValid()) throw new InvalidText(source.name(), program.text());
      var blueprints = program.blueprints().stream().map(this::narrowed).toList();
      var name = read.graph().graph();
      var own = program.graph(name).orElseThrow();
      var graph =
          read.folder().limits().isEmpty()
              ? new Limited(own, List.of())
              : new Limited(
                  Rag.bind(source, blueprints, registry, name), own.bounds().passing(limits()));
      return new TextProgram(read.folder(), graph, hash(blueprints), models, components);
    }

    private Limits limits() {
      return FolderLimits.of(read.folder()).limits();
    }

    /// The graph to run with the lower of the limits of text and folder.
    private Blueprint narrowed(Blueprint blueprint) {
      var limits = read.folder().limits();
      if (limits.isEmpty() || !blueprint.graph().equals(read.graph().graph())) return blueprint;
      var all = new LinkedHashMap<String, Literal>(blueprint.items().fields(Item.LIMITS));
      new TreeMap<>(limits)
          .forEach((key, most) -> all.merge(key, new Literal.Decimal(most), Binding::lower));
      return new Blueprint(
          blueprint.graph(),
          blueprint.items().with(Item.LIMITS, new Value.Fields(all)),
          blueprint.allow(),
          blueprint.channels(),
          blueprint.nodes(),
          blueprint.edges(),
          blueprint.provenance());
    }

    private static Literal lower(Literal one, Literal other) {
      if (!(one instanceof Literal.Decimal(BigDecimal a))) return other;
      if (!(other instanceof Literal.Decimal(BigDecimal b))) return one;
      return a.compareTo(b) <= 0 ? one : other;
    }

    /// The identity of all that the folder says of a run but its models: the blueprints, the
    /// prompts in files, the root of the tools. Layout and comments do not count.
    private String hash(List<Blueprint> blueprints) {
      var parts = new ArrayList<String>();
      for (var blueprint : blueprints) parts.add("graph " + blueprint.hash());
      new TreeMap<>(components.prompts())
          .forEach((name, text) -> parts.add("prompt " + name + " " + digest(text)));
      read.folder()
          .tools()
          .ifPresent(tools ->
              parts.add(
                  "tools "
                      + tools.isWritten()
                      + " "
                      + read.folder().root().relativize(tools.root())));
      return digest(String.join("\n", parts));
    }

    private static String digest(String text) {
      try {
        var digest = MessageDigest.getInstance("SHA-256");
        return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has SHA-256", e);
      }
    }
  }

  public RagFolder folder() {
    return folder;
  }

  public NamedModels models() {
    return models;
  }

  /// The identity of what the text and its folder say: a thread goes on with the one that it began
  /// with.
  public String hash() {
    return hash;
  }

  /// The name of the graph.
  public String name() {
    return graph.blueprint().graph();
  }

  /// The things that a run may reach, a line for each.
  public List<String> reach() {
    var lines = new ArrayList<String>(models.lines());
    folder
        .tools()
        .ifPresent(tools ->
            lines.add(
                "tools may read %s%s"
                    .formatted(tools.root(), tools.isWritten() ? " and write there" : "")));
    folder.components().ifPresent(code -> lines.add("code in Java runs: " + code.name()));
    return lines;
  }

  /// Refuses a run that may take more than the folder allows, before it begins.
  ///
  /// @throws UsageError with each limit that it may pass
  public void checkWithinLimits() {
    if (passing.isEmpty()) return;
    throw new MayPassBudget(
        "A run of graph `" + name() + "`",
        "[limits] of " + folder.root().resolve(ProgramFolder.FILE),
        passing);
  }

  /// The graph of the engine.
  public Graph graph() {
    return graph.graph();
  }

  @Override
  public Graph graph(ProgramContext surroundings) {
    return graph.graph();
  }

  /// The graph for callers such as the cells of a session.
  public ToolGraph callable() {
    return new ProgramGraph(graph);
  }

  /// The channels that a run gives back; all if none is named.
  public List<String> outputs() {
    return graph.blueprint().output().stream().map(Value.Field::name).toList();
  }

  /// The output of a run as JSON; of a graph without any, the values of its channels.
  @Override
  public Json output(State state) {
    return graph.blueprint().output().isEmpty() ? graph.export(state) : graph.output(state);
  }

  /// The fields of the input that a state has, as JSON.
  public Json inputOf(State state) {
    var all = Codec.mapOf(Json.class).decode(graph.export(state));
    var fields = new LinkedHashMap<String, Json>();
    for (var field : graph.blueprint().input()) {
      var value = all.get(field.name());
      if (value != null) fields.put(field.name(), value);
    }
    return Json.of(fields);
  }

  /// The options of a run, with those that the text sets.
  public RunOptions options(RunOptions base) {
    return graph.options(base);
  }

  /// The error of a run in the words of the text.
  public Throwable located(Throwable error) {
    return error instanceof SuperstepException ours ? graph.located(ours) : error;
  }

  /// Returns true if a run needs an input.
  public boolean needsInput() {
    return graph.blueprint().input().stream().anyMatch(field -> !field.isOptional());
  }

  @Override
  public Optional<Json> inputSchema() {
    return Optional.of(graph.inputSchema());
  }

  /// The input of a graph without one.
  public Input noInput() {
    return graph.input(Map.of());
  }

  /// Reads the fields of the input: a JSON object in a file `.json`, else the text of the only
  /// field.
  @Override
  public Input input(Path source) throws UnusableInput {
    var text = TextFile.read(source, INPUT_BYTES_MAX, "input");
    var fields = graph.blueprint().input();
    try {
      if (source.toString().toLowerCase(Locale.ROOT).endsWith(".json")) {
        return graph.input(Json.parse(text));
      }
      if (fields.size() == 1) return graph.input(Map.of(fields.getFirst().name(), text.strip()));
    } catch (MalformedJson e) {
      throw new UnusableInput("File " + source + " is no JSON: " + e.getMessage());
    } catch (InvalidFields e) {
      throw new UnusableInput("File " + source + " does not fit: " + e.getMessage() + ".");
    }
    throw new UnusableInput(
        "Graph `%s` has %d fields of input, so its input is a JSON object in a file `.json`; %s is none."
            .formatted(name(), fields.size(), source));
  }

  @Override
  public Input input(Json value) throws UnusableInput {
    try {
      return graph.input(value);
    } catch (InvalidFields e) {
      throw new UnusableInput("The input does not fit: " + e.getMessage() + ".");
    }
  }

  @Override
  public String ask(Interrupt question) {
    try {
      var asked = question.payload().as(AskedQuestion.class);
      if (asked.options().isEmpty()) return asked.prompt();
      return asked.prompt() + "\n(" + String.join(" / ", asked.options()) + ")";
    } catch (MalformedJson _) {
      return question.payload().text();
    }
  }

  /// The fields of the output, a line for each; of a graph without any, the values of its channels.
  @Override
  public String summary(State state) {
    return Codec.mapOf(Json.class).decode(output(state)).entrySet().stream()
        .map(field -> field.getKey() + ": " + plain(field.getValue()))
        .collect(Collectors.joining("\n"));
  }

  private static String plain(Json value) {
    return value.text().startsWith("\"") ? value.as(String.class) : value.text();
  }

  @Override
  public void close() {
    try {
      components.close();
    } finally {
      models.close();
    }
  }
}
