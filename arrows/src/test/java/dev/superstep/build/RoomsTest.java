package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The order of the packages inside a module, and their size. Looks at the compiled classes.
final class RoomsTest {
  private static final int FILES_MAX = 60;
  private static final int CYCLE_MAX = 15;

  private static final int PUBLIC_MAX_PERCENT = 55;

  private static final String GRAPH = "superstep-graph";

  /// Module to its packages, lowest first: a package uses only those before it.
  private static final Map<String, List<String>> ROOMS =
      Map.ofEntries(
          Map.entry(
              "superstep-server",
              List.of(
                  "dev.superstep.server.security",
                  "dev.superstep.server.options",
                  "dev.superstep.server.log",
                  "dev.superstep.server.graph",
                  "dev.superstep.server.internal.net",
                  "dev.superstep.server.extension",
                  "dev.superstep.server.internal.http",
                  "dev.superstep.server.internal.wire",
                  "dev.superstep.server.internal.wire.stream",
                  "dev.superstep.server.internal.webhook",
                  "dev.superstep.server.internal.schedule",
                  "dev.superstep.server.internal.documents",
                  "dev.superstep.server.internal.queue",
                  "dev.superstep.server.internal.run",
                  "dev.superstep.server.internal.api",
                  "dev.superstep.server.internal.retention",
                  "dev.superstep.server.internal.extension",
                  "dev.superstep.server.internal.api.studio",
                  "dev.superstep.server.internal.api.events",
                  "dev.superstep.server")),
          Map.entry(
              "superstep-a2a",
              List.of(
                  "dev.superstep.a2a.internal",
                  "dev.superstep.a2a.client",
                  "dev.superstep.a2a.server")),
          Map.entry(
              "superstep-mcp",
              List.of(
                  "dev.superstep.mcp.internal.wire",
                  "dev.superstep.mcp.internal.transport",
                  "dev.superstep.mcp.internal.session",
                  "dev.superstep.mcp.internal.tool",
                  "dev.superstep.mcp.internal.question",
                  "dev.superstep.mcp.internal.task",
                  "dev.superstep.mcp.internal.pin",
                  "dev.superstep.mcp",
                  "dev.superstep.mcp.oauth",
                  "dev.superstep.mcp.config")),
          Map.entry(
              "superstep-mcp-server",
              List.of(
                  "dev.superstep.mcp.server.content",
                  "dev.superstep.mcp.server.options",
                  "dev.superstep.mcp.server.internal.protocol",
                  "dev.superstep.mcp.server.internal.call",
                  "dev.superstep.mcp.server.internal.method",
                  "dev.superstep.mcp.server.internal.transport",
                  "dev.superstep.mcp.server")),
          Map.entry(
              "superstep-store",
              List.of(
                  "dev.superstep.store.jdbc.sql",
                  "dev.superstep.store.jdbc.rows",
                  "dev.superstep.store.jdbc.service",
                  "dev.superstep.store.jdbc.sqlite",
                  "dev.superstep.store.jdbc.postgres",
                  "dev.superstep.store.jdbc")),
          Map.entry(
              "superstep-language",
              List.of(
                  "dev.superstep.language.json",
                  "dev.superstep.language",
                  "dev.superstep.language.rag",
                  "dev.superstep.language.blueprint",
                  "dev.superstep.language.check",
                  "dev.superstep.language.bounds")),
          Map.entry(
              "superstep-sandbox",
              List.of(
                  "dev.superstep.sandbox.internal.linux",
                  "dev.superstep.sandbox.internal.process",
                  "dev.superstep.sandbox")),
          Map.entry(
              "superstep-terminal",
              List.of(
                  "dev.superstep.terminal.shell",
                  "dev.superstep.terminal.risk",
                  "dev.superstep.terminal.policy",
                  "dev.superstep.terminal.approval",
                  "dev.superstep.terminal.backend",
                  "dev.superstep.terminal.privacy",
                  "dev.superstep.terminal.undo",
                  "dev.superstep.terminal.transcript",
                  "dev.superstep.terminal.state",
                  "dev.superstep.terminal.internal.context",
                  "dev.superstep.terminal.internal.form",
                  "dev.superstep.terminal")),
          Map.entry(
              "superstep-repl",
              List.of(
                  "dev.superstep.repl.host",
                  "dev.superstep.repl.internal.value",
                  "dev.superstep.repl.internal.syntax",
                  "dev.superstep.repl.internal.builtin",
                  "dev.superstep.repl.internal.name",
                  "dev.superstep.repl.internal.node",
                  "dev.superstep.repl.context",
                  "dev.superstep.repl",
                  "dev.superstep.repl.internal.json",
                  "dev.superstep.repl.record",
                  "dev.superstep.repl.grant",
                  "dev.superstep.repl.internal.call",
                  "dev.superstep.repl.agent",
                  "dev.superstep.repl.trajectory",
                  "dev.superstep.repl.config")),
          Map.entry(
              "superstep-rag",
              List.of(
                  "dev.superstep.rag.component",
                  "dev.superstep.rag.error",
                  "dev.superstep.rag.internal.value",
                  "dev.superstep.rag.internal.run",
                  "dev.superstep.rag.internal.node",
                  "dev.superstep.rag.internal.binding",
                  "dev.superstep.rag.internal.print",
                  "dev.superstep.rag",
                  "dev.superstep.rag.review",
                  "dev.superstep.rag.testing")),
          Map.entry(
              "superstep-agent",
              List.of(
                  "dev.superstep.message",
                  "dev.superstep.schema",
                  "dev.superstep.model",
                  "dev.superstep.model.dialect",
                  "dev.superstep.catalog",
                  "dev.superstep.prompt",
                  "dev.superstep.tool",
                  "dev.superstep.credential",
                  "dev.superstep.budget",
                  "dev.superstep.agent.run",
                  "dev.superstep.agent.steering",
                  "dev.superstep.middleware",
                  "dev.superstep.middleware.hosted",
                  "dev.superstep.tool.search",
                  "dev.superstep.batch",
                  "dev.superstep.agent.internal.state",
                  "dev.superstep.agent.internal.loop",
                  "dev.superstep.agent.status",
                  "dev.superstep.agent",
                  "dev.superstep.program")),
          Map.entry(
              "superstep-cli",
              List.of(
                  "dev.superstep.cli.host",
                  "dev.superstep.cli.screen",
                  "dev.superstep.cli.mcp",
                  "dev.superstep.cli.model",
                  "dev.superstep.cli.view",
                  "dev.superstep.cli.text",
                  "dev.superstep.cli.run",
                  "dev.superstep.cli.serve",
                  "dev.superstep.cli.start",
                  "dev.superstep.cli.chat",
                  "dev.superstep.cli.conversation",
                  "dev.superstep.cli.repl",
                  "dev.superstep.cli.rlm",
                  "dev.superstep.cli.rlm.bench",
                  "dev.superstep.cli.eval",
                  "dev.superstep.cli.command.base",
                  "dev.superstep.cli.command.eval",
                  "dev.superstep.cli.command.mcp",
                  "dev.superstep.cli.command",
                  "dev.superstep.cli")),
          Map.entry(
              GRAPH,
              List.of(
                  "dev.superstep.file",
                  "dev.superstep.lock",
                  "dev.superstep.name",
                  "dev.superstep.json",
                  "dev.superstep.state",
                  "dev.superstep.store",
                  "dev.superstep.topology",
                  "dev.superstep.checkpoint",
                  "dev.superstep.event",
                  "dev.superstep.node",
                  "dev.superstep.call",
                  "dev.superstep.journal",
                  "dev.superstep.run",
                  "dev.superstep.error",
                  "dev.superstep.graph.internal.kernel",
                  "dev.superstep.graph.internal.validation",
                  "dev.superstep.graph.internal.publish",
                  "dev.superstep.graph.internal.persistence",
                  "dev.superstep.graph.internal.execution",
                  "dev.superstep.graph.internal.run",
                  "dev.superstep.graph.internal.replay",
                  "dev.superstep.graph")),
          Map.entry(
              "superstep-eval",
              List.of(
                  "dev.superstep.eval.stats",
                  "dev.superstep.eval.dataset",
                  "dev.superstep.eval.check",
                  "dev.superstep.eval.internal",
                  "dev.superstep.eval",
                  "dev.superstep.eval.report",
                  "dev.superstep.eval.junit")),
          Map.entry(
              "superstep-retrieval",
              List.of(
                  "dev.superstep.retrieval.internal",
                  "dev.superstep.retrieval.chunk",
                  "dev.superstep.retrieval.vector",
                  "dev.superstep.retrieval",
                  "dev.superstep.retrieval.refine",
                  "dev.superstep.retrieval.citation")),
          Map.entry(
              "superstep-documents",
              List.of("dev.superstep.documents", "dev.superstep.documents.ingestion")),
          Map.entry(
              "superstep-workspace",
              List.of("dev.superstep.workspace", "dev.superstep.workspace.shell")));

  private static final Path ROOT = Path.of(System.getProperty("superstep.root")).normalize();

  @Test
  @Tag("T1")
  void a_package_uses_only_packages_below_it() {
    assertThat(ROOMS.entrySet())
        .allSatisfy(
            module -> assertThat(backward(module.getValue(), classes(module.getKey()))).isEmpty());
  }

  @Test
  void every_package_of_a_module_is_in_the_order() {
    assertThat(ROOMS.entrySet())
        .allSatisfy(module ->
            assertThat(classes(module.getKey()).stream().map(JavaClass::getPackageName))
                .isNotEmpty()
                .allMatch(name -> name.isEmpty() || module.getValue().contains(name)));
  }

  @Test
  void a_package_has_few_enough_files_to_know_them() {
    assertThat(published())
        .allSatisfy(module -> assertThat(files(module).values()).allMatch(n -> n <= FILES_MAX));
  }

  @Test
  void classes_of_a_package_that_need_each_other_are_few() {
    assertThat(packages())
        .isNotEmpty()
        .allSatisfy((name, types) ->
            assertThat(largestCycle(uses(types))).as(name).hasSizeLessThanOrEqualTo(CYCLE_MAX));
  }

  @Test
  void the_largest_cycle_is_found_by_way_of_others() {
    var uses =
        Map.of(
            "a", Set.of("b"),
            "b", Set.of("c"),
            "c", Set.of("a", "d"),
            "d", Set.of("e"),
            "e", Set.of("d"));
    assertThat(largestCycle(uses)).containsExactly("a", "b", "c");
  }

  @Test
  void a_user_of_the_engine_sees_a_bit_more_than_half_of_it() {
    var types = tops(GRAPH).toList();
    long seen =
        types.stream()
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(type -> !type.getPackageName().contains(".internal."))
            .count();
    assertThat(100 * seen).isLessThanOrEqualTo((long) PUBLIC_MAX_PERCENT * types.size());
  }

  @Test
  void nearly_half_of_all_types_are_hidden() {
    var seen = 0;
    var all = 0;
    for (var module : published()) {
      var exported = exported(module);
      for (var type : tops(module).toList()) {
        all++;
        boolean isPublic = type.getModifiers().contains(JavaModifier.PUBLIC);
        if (isPublic && exported.contains(type.getPackageName())) seen++;
      }
    }
    assertThat(all).isPositive();
    assertThat(100 * seen).isLessThanOrEqualTo(PUBLIC_MAX_PERCENT * all);
  }

  @Test
  void a_users_first_package_of_agents_is_a_table_of_contents() {
    var shown =
        tops("superstep-agent")
            .filter(type -> type.getPackageName().equals("dev.superstep.agent"))
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .map(JavaClass::getSimpleName);
    assertThat(shown)
        .containsExactlyInAnyOrder(
            "Agent",
            "AgentBuilder",
            "AgentReport",
            "AgentResult",
            "AgentStream",
            "HostQueue",
            "HostQueueFull",
            "ModelCall",
            "NotAnswered");
  }

  /// The modules that have classes and are published.
  private static List<String> published() {
    return Module.all(ROOT).stream()
        .filter(module -> Files.isDirectory(module.classes()))
        .map(Module::name)
        .filter(name -> name.startsWith("superstep-"))
        .toList();
  }

  /// The packages that users of a module see.
  private static Set<String> exported(String module) {
    return ModuleFinder.of(new Module(module, ROOT.resolve(module)).classes()).findAll().stream()
        .flatMap(found -> found.descriptor().exports().stream())
        .filter(export -> !export.isQualified())
        .map(ModuleDescriptor.Exports::source)
        .collect(Collectors.toSet());
  }

  private static Stream<JavaClass> tops(String module) {
    return classes(module).stream()
        .filter(JavaClass::isTopLevelClass)
        .filter(type -> !type.getPackageName().isEmpty());
  }

  private static Map<String, Long> files(String module) {
    return tops(module)
        .collect(
            Collectors.groupingBy(JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
  }

  /// The packages of the published modules, with their classes.
  private static Map<String, List<JavaClass>> packages() {
    var folders =
        published().stream().map(name -> new Module(name, ROOT.resolve(name)).classes()).toList();
    return new ClassFileImporter()
        .importPaths(folders).stream()
            .filter(type -> !type.getPackageName().isEmpty())
            .collect(Collectors.groupingBy(JavaClass::getPackageName));
  }

  /// What each class uses of the others.
  private static Map<String, Set<String>> uses(List<JavaClass> types) {
    var uses = new TreeMap<String, Set<String>>();
    for (var type : types) {
      var own = uses.computeIfAbsent(top(type), _ -> new HashSet<>());
      for (var use : type.getDirectDependenciesFromSelf()) {
        own.add(top(use.getTargetClass().getBaseComponentType()));
      }
    }
    return uses;
  }

  /// The largest set of classes each of which needs all others.
  private static Set<String> largestCycle(Map<String, Set<String>> uses) {
    var reached = new TreeMap<String, Set<String>>();
    for (var type : uses.keySet()) reached.put(type, reach(type, uses));
    Set<String> largest = Set.of();
    for (var type : uses.keySet()) {
      var cycle = new TreeSet<String>();
      for (var other : reached.get(type)) {
        if (reached.getOrDefault(other, Set.of()).contains(type)) cycle.add(other);
      }
      if (cycle.size() > largest.size()) largest = cycle;
    }
    return largest;
  }

  private static Set<String> reach(String from, Map<String, Set<String>> uses) {
    var reached = new HashSet<String>();
    var open = new ArrayDeque<>(uses.get(from));
    while (!open.isEmpty()) {
      var next = open.remove();
      if (uses.containsKey(next) && reached.add(next)) open.addAll(uses.get(next));
    }
    return reached;
  }

  private static String top(JavaClass type) {
    var name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  private static List<String> backward(List<String> rooms, JavaClasses classes) {
    return classes.stream()
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .filter(use -> isBackward(rooms, use))
        .map(Dependency::getDescription)
        .toList();
  }

  private static boolean isBackward(List<String> rooms, Dependency use) {
    int from = rooms.indexOf(use.getOriginClass().getPackageName());
    int to = rooms.indexOf(use.getTargetClass().getBaseComponentType().getPackageName());
    return from < to;
  }

  private static JavaClasses classes(String name) {
    return new ClassFileImporter().importPath(new Module(name, ROOT.resolve(name)).classes());
  }
}
