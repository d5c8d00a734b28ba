package dev.superstep.cli.repl;

import dev.superstep.budget.Budget;
import dev.superstep.cli.conversation.VendorConsent;
import dev.superstep.cli.host.AllowFile;
import dev.superstep.cli.host.FolderPath;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.model.ModelChoice;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.model.NamedModels;
import dev.superstep.cli.model.OpenModel;
import dev.superstep.cli.text.TextComponents;
import dev.superstep.cli.text.TextProgram;
import dev.superstep.language.Suggestion;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelRef;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.agent.ReplAgentBuilder;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolGraph;
import dev.superstep.workspace.Workspace;
import dev.superstep.workspace.WorkspaceTools;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// All that the cells of a session may call, opened, with its limits. Closing it ends what was
/// opened. One thread at a time.
public final class SessionGrants implements AutoCloseable {
  private static final long TOKENS = 2_000_000;
  private static final String NAME = "repl";

  private final Optional<AllowFile> allowed;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final Map<String, ChatModel> models = new LinkedHashMap<>();
  private final Map<String, Tool> tools = new LinkedHashMap<>();
  private final List<String> agents = new ArrayList<>();
  private final Map<String, ToolGraph> graphs = new LinkedHashMap<>();
  private @Nullable Registry registry;

  private SessionGrants(Optional<AllowFile> allowed) {
    this.allowed = allowed;
  }

  /// Opens what a file grants; nothing without one.
  ///
  /// @param agrees answers whether texts may go to a vendor
  /// @throws UsageError if something of it is not there
  static SessionGrants open(Host host, Optional<AllowFile> allowed, Predicate<String> agrees) {
    var grants = new SessionGrants(allowed);
    try {
      if (allowed.isPresent()) grants.open(host, allowed.get(), agrees);
      return grants;
    } catch (RuntimeException e) {
      grants.close();
      throw e;
    }
  }

  /// Opens what a trusted file grants, for cells that are run again: no model is asked.
  ///
  /// @throws UsageError if it is not trusted, or something of it is not there
  public static SessionGrants recorded(Host host, String named) {
    var allowed = AllowTrust.trusted(host, named, Optional.empty());
    var grants = new SessionGrants(Optional.of(allowed));
    for (var name : allowed.models().keySet()) {
      var why = "a replay asks no model, and was asked";
      grants.models.put(name, ModelOpener.none(new ModelRef("scripted", name), why));
    }
    grants.builtIn(allowed);
    try {
      grants.program(
          allowed, (folder, names) -> NamedModels.none(folder, names, "not in a replay"));
      return grants;
    } catch (RuntimeException e) {
      grants.close();
      throw e;
    }
  }

  private void open(Host host, AllowFile file, Predicate<String> agrees) {
    file.models()
        .forEach((name, url) -> {
          var choice = choice(file, name, url);
          consent(host, choice.ref(), agrees);
          var model = new ModelOpener(host).open(choice);
          open.add(model);
          models.put(name, model.model());
        });
    builtIn(file);
    program(
        file,
        (folder, names) -> {
          var opened = NamedModels.forRun(host, folder, names, Optional.empty());
          try {
            for (var model : opened.models().values()) consent(host, model.ref(), agrees);
            return opened;
          } catch (RuntimeException e) {
            opened.close();
            throw e;
          }
        });
  }

  private static void consent(Host host, ModelRef ref, Predicate<String> agrees) {
    VendorConsent.require(host, ref, "what cells send of %s", agrees);
  }

  /// A model of the file, which the user trusts. One in a file is in its folder.
  private static ModelChoice choice(AllowFile file, String name, String url) {
    var choice = ModelChoice.of(url, ModelChoice.From.FOLDER);
    if (!ModelOpener.isFile(choice.ref())) return choice;
    var inside =
        FolderPath.inside(file.folder(), choice.ref().model())
            .orElseThrow(() ->
                new UsageError(
                    "model.not-agreed",
                    "Model `%s` of %s is the file `%s`, which is not in its folder."
                        .formatted(name, file.file(), choice.ref().model())));
    var ref = new ModelRef(choice.ref().provider(), inside.toString());
    return new ModelChoice(ref, ModelChoice.From.FOLDER);
  }

  private void builtIn(AllowFile file) {
    if (file.tools().isEmpty()) return;
    var place = Workspace.at(file.tools().get().root());
    add(WorkspaceTools.readFile(place).name(), WorkspaceTools.readFile(place));
    add("list_files", WorkspaceTools.listFiles(place));
    if (file.tools().get().isWritten()) add("write_file", WorkspaceTools.writeFile(place));
  }

  private void add(String name, Tool tool) {
    if (tools.putIfAbsent(name, tool) != null) {
      throw new UsageError("config.broken", "The tool `" + name + "` is granted twice.");
    }
  }

  /// Opens the models of a folder.
  @FunctionalInterface
  private interface Opening {
    NamedModels of(RagFolder folder, java.util.Set<String> names);
  }

  private void program(AllowFile file, Opening opening) {
    if (file.program().isEmpty()) return;
    var granted = file.program().get();
    var folder =
        RagFolder.find(granted.folder())
            .orElseThrow(() ->
                new UsageError(
                    "config.broken",
                    "[program] folder of %s has no graphs as text: %s."
                        .formatted(file.file(), granted.folder())));
    var read = TextProgram.read(folder, granted.graphs().stream().findFirst().orElse(""));
    var opened = opening.of(folder, read.models());
    open.add(opened);
    var components = TextComponents.of(folder, opened.models());
    open.add(components);
    registry = components.registry();
    for (var name : granted.tools()) {
      add(name, registry.instantiate(Kind.TOOL, known(Kind.TOOL, name), NAME));
    }
    for (var name : granted.agents()) agents.add(known(Kind.AGENT, name));
    for (var name : granted.graphs()) {
      var text = TextProgram.read(folder, name);
      // Cells have no MCP servers: a text that names a tool of one is refused.
      var program = text.bound(opening.of(folder, text.models()), _ -> java.util.Map.of());
      open.add(program);
      program.checkWithinLimits();
      graphs.put(name, program.callable());
    }
  }

  private String known(Kind<?> kind, String name) {
    var names = new LinkedHashSet<String>();
    for (var each : java.util.Objects.requireNonNull(registry).list(kind))
      names.add(each.id().name());
    if (names.contains(name)) return name;
    var near = Suggestion.nearest(name, names).map(n -> " Did you mean `" + n + "`?").orElse("");
    throw new UsageError(
        "config.broken",
        "The folder of [program] has no %s `%s`.%s".formatted(kind.name(), name, near));
  }

  private ChatModel model(String name) {
    return java.util.Objects.requireNonNull(models.get(name));
  }

  /// The settings of an agent whose cells may call all of it.
  public ReplAgentBuilder settings() {
    var known = registry;
    var grants = known == null ? Grants.none() : Grants.of(known);
    for (var name : modelNames()) grants = grants.model(name, model(name));
    for (var entry : tools.entrySet()) {
      var tool = entry.getValue();
      boolean isNamed = tool.name().equals(entry.getKey());
      grants = grants.tools(isNamed ? tool : tool.named(entry.getKey(), tool.spec().description()));
    }
    for (var name : agents) grants = grants.agents(name);
    for (var entry : graphs.entrySet()) grants = grants.graph(entry.getKey(), entry.getValue());
    var none = new ModelRef("scripted", "none");
    var driver =
        models.isEmpty()
            ? ModelOpener.none(none, "No model is granted.")
            : model(modelNames().getFirst());
    return ReplAgent.named(NAME)
        .model(driver)
        .grants(grants)
        .limits(limits())
        .policy(policy())
        .budget(budget())
        .gate(gate());
  }

  /// The one that is asked by default comes first.
  private List<String> modelNames() {
    var names = new ArrayList<>(models.keySet());
    allowed
        .flatMap(AllowFile::model)
        .ifPresent(first -> {
          names.remove(first);
          names.addFirst(first);
        });
    return names;
  }

  /// Whatever a tool does beyond its answer, a person approves.
  private ToolGate gate() {
    var asked = allowed.map(AllowFile::asked).orElse(List.of());
    return ToolGate.open().confirming(SideEffect.values()).confirming(asked.toArray(String[]::new));
  }

  private long limit(String key, long standard) {
    return allowed
        .map(AllowFile::limits)
        .map(l -> l.get(key))
        .map(BigDecimal::longValue)
        .orElse(standard);
  }

  ReplLimits limits() {
    var s = ReplLimits.standard();
    int depth = models.isEmpty() ? 0 : (int) limit("depth", s.depth());
    return new ReplLimits(
        s.turns(),
        (int) limit("model_calls", s.models()),
        (int) limit("tool_calls", s.tools()),
        (int) limit("agent_calls", s.agents()),
        (int) limit("graph_runs", s.graphs()),
        (int) limit("definitions", s.definitions()),
        depth,
        (int) limit("concurrency", s.concurrency()),
        s.errors(),
        0);
  }

  ReplPolicy policy() {
    var s = ReplPolicy.standard();
    return s.withOperations(limit("operations", s.operations()))
        .withMemory(limit("memory_mib", s.memoryBytes() >> 20) << 20)
        .withCellTime(Duration.ofSeconds(limit("cell_seconds", s.cellTime().toSeconds())));
  }

  Budget budget() {
    return Budget.unlimited().totalTokens(tokens());
  }

  long tokens() {
    return limit("tokens", TOKENS);
  }

  /// The names that cells may call, by what they are; without those that are not granted.
  Map<String, List<String>> names() {
    var all = new LinkedHashMap<String, List<String>>();
    all.put("models", modelNames());
    all.put("tools", List.copyOf(tools.keySet()));
    all.put("agents", List.copyOf(agents));
    all.put("graphs", List.copyOf(graphs.keySet()));
    all.values().removeIf(List::isEmpty);
    return all;
  }

  @Override
  public void close() {
    for (var each : open.reversed()) {
      switch (each) {
        case OpenModel model -> model.close();
        case NamedModels named -> named.close();
        case TextComponents components -> components.close();
        case TextProgram program -> program.close();
        default -> throw new IllegalStateException("nothing else is opened: " + each);
      }
    }
  }
}
