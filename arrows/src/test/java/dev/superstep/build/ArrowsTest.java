package dev.superstep.build;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toUnmodifiableSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Who may use whom. Looks at the compiled classes, so that no import can hide in a full name.
final class ArrowsTest {
  private static final Set<String> GRAPH = Set.of("superstep-graph");
  private static final Set<String> AGENT = Set.of("superstep-graph", "superstep-agent");

  private static final Set<String> MODELS =
      Set.of("superstep-graph", "superstep-agent", "superstep-models");

  /// Module to the modules of ours that it may use; a new module needs a line here.
  private static final Map<String, Set<String>> ALLOWED =
      Map.ofEntries(
          Map.entry("superstep-graph", Set.of()),
          Map.entry("superstep-agent", GRAPH),
          Map.entry("superstep-retrieval", AGENT),
          Map.entry("superstep-documents", and(AGENT, "superstep-retrieval")),
          Map.entry(
              "superstep-documents-tika", and(AGENT, "superstep-documents", "superstep-retrieval")),
          Map.entry("superstep-extras", GRAPH),
          Map.entry("superstep-flow", AGENT),
          Map.entry("superstep-sandbox", Set.of()),
          Map.entry("superstep-workspace", and(AGENT, "superstep-sandbox")),
          Map.entry("superstep-eval", AGENT),
          Map.entry("superstep-files", and(AGENT, "superstep-sandbox", "superstep-workspace")),
          Map.entry("superstep-skills", and(AGENT, "superstep-sandbox", "superstep-workspace")),
          Map.entry(
              "superstep-deep",
              and(
                  AGENT,
                  "superstep-files",
                  "superstep-sandbox",
                  "superstep-skills",
                  "superstep-workspace")),
          Map.entry("superstep-terminal", and(AGENT, "superstep-language", "superstep-sandbox")),
          Map.entry("superstep-teams", and(AGENT, "superstep-extras")),
          Map.entry("superstep-registry", and(AGENT, "superstep-extras", "superstep-flow")),
          Map.entry("superstep-language", AGENT),
          Map.entry("superstep-language-server", Set.of("superstep-language")),
          Map.entry(
              "superstep-rag",
              and(AGENT, "superstep-language", "superstep-registry", "superstep-repl")),
          Map.entry("superstep-repl", and(AGENT, "superstep-language", "superstep-registry")),
          Map.entry(
              "superstep-repl-python",
              and(AGENT, "superstep-language", "superstep-repl", "superstep-sandbox")),
          Map.entry("superstep-models", AGENT),
          Map.entry("superstep-models-openai", MODELS),
          Map.entry("superstep-models-anthropic", MODELS),
          Map.entry("superstep-models-gemini", MODELS),
          Map.entry("superstep-spring-ai", and(AGENT, "superstep-spring-boot-starter")),
          Map.entry("superstep-langchain4j", AGENT),
          Map.entry("superstep-models-local", AGENT),
          Map.entry("superstep-embeddings", GRAPH),
          Map.entry("superstep-lucene", and(AGENT, "superstep-retrieval")),
          Map.entry("superstep-otel", and(AGENT, "superstep-server")),
          Map.entry("superstep-remote", AGENT),
          Map.entry("superstep-mcp", and(AGENT, "superstep-sandbox")),
          Map.entry("superstep-a2a", and(AGENT, "superstep-server")),
          Map.entry("superstep-acp", and(AGENT, "superstep-files", "superstep-workspace")),
          Map.entry("superstep-agui", and(AGENT, "superstep-server")),
          Map.entry(
              "superstep-mcp-server",
              and(AGENT, "superstep-mcp", "superstep-server", "superstep-service")),
          Map.entry("superstep-service", GRAPH),
          Map.entry(
              "superstep-server",
              and(
                  AGENT,
                  "superstep-flow",
                  "superstep-language",
                  "superstep-rag",
                  "superstep-registry",
                  "superstep-service")),
          Map.entry("superstep-pgvector", and(AGENT, "superstep-retrieval")),
          Map.entry("superstep-store", and(GRAPH, "superstep-service")),
          Map.entry("superstep-starter", and(AGENT, "superstep-models", "superstep-store")),
          Map.entry(
              "superstep-spring-boot-starter",
              and(
                  AGENT,
                  "superstep-models",
                  "superstep-starter",
                  "superstep-store",
                  "superstep-testkit")),
          Map.entry("superstep-bom", Set.of()),
          Map.entry("superstep-testkit", and(AGENT, "superstep-retrieval", "superstep-service")),
          Map.entry(
              "superstep-cli",
              Set.of(
                  "superstep-a2a",
                  "superstep-agui",
                  "superstep-graph",
                  "superstep-acp",
                  "superstep-agent",
                  "superstep-mcp-server",
                  "superstep-models",
                  "superstep-models-local",
                  "superstep-store",
                  "superstep-eval",
                  "superstep-language",
                  "superstep-language-server",
                  "superstep-mcp",
                  "superstep-rag",
                  "superstep-registry",
                  "superstep-repl",
                  "superstep-sandbox",
                  "superstep-server",
                  "superstep-service",
                  "superstep-terminal",
                  "superstep-workspace")),
          Map.entry("test-postgres", Set.of()),
          Map.entry("test-kills", GRAPH),
          Map.entry("examples/start", GRAPH),
          Map.entry(
              "examples/guide",
              Set.of(
                  "superstep-graph",
                  "superstep-agent",
                  "superstep-extras",
                  "superstep-flow",
                  "superstep-language",
                  "superstep-rag",
                  "superstep-registry",
                  "superstep-retrieval",
                  "superstep-documents",
                  "superstep-documents-tika",
                  "superstep-teams",
                  "superstep-workspace",
                  "superstep-files",
                  "superstep-skills",
                  "superstep-deep",
                  "superstep-eval",
                  "superstep-mcp",
                  "superstep-mcp-server",
                  "superstep-repl",
                  "superstep-server",
                  "superstep-agui",
                  "superstep-a2a",
                  "superstep-service",
                  "superstep-store",
                  "superstep-embeddings",
                  "superstep-langchain4j",
                  "superstep-lucene",
                  "superstep-otel")),
          Map.entry("examples/triage", AGENT),
          Map.entry("examples/spring", and(AGENT, "superstep-spring-boot-starter")),
          Map.entry("examples/quarkus", and(AGENT, "superstep-store")),
          Map.entry(
              "examples/claim-desk",
              and(AGENT, "superstep-rag", "superstep-language", "superstep-registry")),
          Map.entry("examples/first-agent", and(AGENT, "superstep-store")),
          Map.entry("examples/migration", and(AGENT, "superstep-retrieval", "superstep-store")),
          Map.entry(
              "bench",
              Set.of(
                  "superstep-graph",
                  "superstep-agent",
                  "superstep-flow",
                  "superstep-server",
                  "superstep-service",
                  "superstep-language",
                  "superstep-models",
                  "superstep-rag",
                  "superstep-registry",
                  "superstep-repl",
                  "superstep-store",
                  "test-postgres")),
          Map.entry("schedules", Set.of()),
          Map.entry("build-tools", Set.of()),
          Map.entry("release", Set.of()),
          Map.entry("arrows", Set.of("build-tools")));

  /// Package of somebody else to the modules that may use it.
  private static final Map<String, Set<String>> VENDORS =
      Map.ofEntries(
          Map.entry(
              "dev.langchain4j",
              Set.of(
                  "superstep-embeddings",
                  "superstep-langchain4j",
                  "examples/guide",
                  "examples/migration")),
          Map.entry("org.bsc.langgraph4j", Set.of("examples/migration")),
          Map.entry("com.openai", Set.of("superstep-models-openai")),
          Map.entry("com.anthropic", Set.of("superstep-models-anthropic")),
          Map.entry("com.google.genai", Set.of("superstep-models-gemini")),
          Map.entry("okhttp3", Set.of("superstep-models-gemini")),
          Map.entry("org.apache.lucene", Set.of("superstep-lucene")),
          Map.entry("org.commonmark", Set.of("superstep-documents")),
          Map.entry("org.jsoup", Set.of("superstep-documents")),
          Map.entry("org.apache.james", Set.of("superstep-documents-tika")),
          Map.entry("org.apache.tika", Set.of("superstep-documents-tika")),
          Map.entry("org.apache.poi", Set.of("superstep-documents-tika")),
          Map.entry("org.apache.pdfbox", Set.of("superstep-documents-tika")),
          Map.entry("io.opentelemetry", Set.of("superstep-otel", "examples/guide")),
          Map.entry("de.kherud", Set.of("superstep-models-local")),
          Map.entry("org.sqlite", Set.of("superstep-store", "test-kills")),
          Map.entry("org.postgresql", Set.of("superstep-store", "test-postgres")),
          Map.entry("org.flywaydb", Set.of("superstep-store")),
          Map.entry(
              "org.springframework",
              Set.of("superstep-spring-ai", "superstep-spring-boot-starter", "examples/spring")),
          Map.entry("io.quarkus", Set.of("examples/quarkus")),
          Map.entry("reactor", Set.of("superstep-spring-ai", "superstep-spring-boot-starter")),
          Map.entry("io.micrometer", Set.of("superstep-spring-boot-starter")),
          Map.entry("org.eclipse.jetty", Set.of("superstep-server")),
          Map.entry("jakarta.servlet", Set.of("superstep-server", "examples/guide")),
          Map.entry("com.nimbusds", Set.of("superstep-server")),
          Map.entry("io.zonky", Set.of("test-postgres")),
          Map.entry("picocli", Set.of("superstep-cli")),
          Map.entry("org.jline", Set.of("superstep-cli")),
          Map.entry(
              "com.google.re2j",
              Set.of("superstep-eval", "superstep-files", "superstep-terminal", "superstep-repl")),
          Map.entry("com.github.difflib", Set.of("superstep-files")),
          Map.entry("org.tomlj", Set.of("superstep-cli", "superstep-terminal")));

  private static final String VENDOR_TYPE =
      "(dev\\.langchain4j|de\\.kherud|com\\.openai|com\\.anthropic|com\\.google|okhttp3)\\..*";

  private static final List<String> GRAPH_MAY_USE =
      List.of(
          "java.",
          "javax.crypto.",
          "dev.superstep.",
          "org.jspecify.",
          "tools.jackson.",
          "com.fasterxml.jackson.annotation.");

  /// The packages that make blueprints of texts. What binds these to the engine is not among them.
  private static final Set<String> LANGUAGE_FRONT =
      Set.of(
          "dev.superstep.language",
          "dev.superstep.language.json",
          "dev.superstep.language.rag",
          "dev.superstep.language.blueprint",
          "dev.superstep.language.check",
          "dev.superstep.language.bounds");

  private static final List<String> LANGUAGE_MAY_USE =
      List.of(
          "java.lang.",
          "java.util.",
          "java.math.",
          "java.time.",
          "java.nio.charset.",
          "java.security.",
          "org.jspecify.",
          "tools.jackson.core.");

  /// What reads a clock, a file or the environment, starts something, or looks at classes.
  private static final List<String> IMPURE =
      List.of(
          "java.lang.System",
          "java.lang.Runtime",
          "java.lang.Process",
          "java.lang.Thread",
          "java.lang.ClassLoader",
          "java.lang.Class.forName",
          "java.lang.reflect.",
          "java.time.Clock",
          "java.time.InstantSource",
          "java.time.Instant.now",
          "java.util.Random",
          "java.util.UUID",
          "java.util.concurrent.",
          "java.util.ServiceLoader");

  /// The packages that run programs of models.
  private static final String INTERPRETER = "dev.superstep.repl.internal.";

  /// What would let such a program out of its session.
  private static final List<String> OUTSIDE =
      List.of(
          "java.io.",
          "java.net.",
          "java.nio.channels.",
          "java.nio.file.",
          "java.lang.ClassLoader",
          "java.lang.Class.forName",
          "java.lang.Process",
          "java.lang.Runtime",
          "java.lang.System.getenv",
          "java.lang.System.getProperty",
          "java.lang.foreign.",
          "java.lang.invoke.",
          "java.lang.reflect.",
          "java.util.ServiceLoader");

  private static final Path ROOT = Path.of(System.getProperty("superstep.root")).normalize();
  private static final Map<String, JavaClasses> MODULES = compiledModules();
  private static final Map<String, String> MODULE_OF = modulesByPackage();

  @Test
  @Tag("T1")
  void modules_use_only_the_modules_below_them() {
    assertThat(broken(this::isForbiddenArrow)).isEmpty();
  }

  @Test
  void no_package_is_in_two_modules() {
    var twice = new TreeSet<String>();
    MODULES.forEach((module, classes) ->
        classes.stream()
            .filter(type -> !module.equals(MODULE_OF.get(type.getPackageName())))
            .forEach(type -> twice.add(type.getPackageName() + " in " + module)));
    assertThat(twice).isEmpty();
  }

  @Test
  @Tag("T3")
  void only_the_adapter_of_a_vendor_uses_the_vendor() {
    assertThat(broken((module, use) -> !mayUseVendor(module, use.getTargetClass()))).isEmpty();
  }

  @Test
  void the_graph_uses_nothing_but_the_jdk_jspecify_and_jackson() {
    assertThat(
            broken((module, use) ->
                module.equals("superstep-graph")
                    && GRAPH_MAY_USE.stream().noneMatch(targetOf(use).getName()::startsWith)
                    && !targetOf(use).isPrimitive()))
        .isEmpty();
  }

  @Test
  @Tag("R8")
  void the_front_end_of_languages_is_pure() {
    var front =
        broken((module, use) ->
            LANGUAGE_FRONT.contains(use.getOriginClass().getPackageName()) && !isPure(use));
    assertThat(MODULES).containsKey("superstep-language");
    assertThat(front).isEmpty();
  }

  @Test
  @Tag("TH21")
  void the_interpreter_of_sessions_reaches_nothing_outside() {
    var reached =
        broken((module, use) ->
            use.getOriginClass().getPackageName().concat(".").startsWith(INTERPRETER)
                && OUTSIDE.stream()
                    .anyMatch(name ->
                        targetOf(use).getName().startsWith(name.endsWith(".") ? name : name + "$")
                            || targetOf(use).getName().equals(name)
                            || calls(use, name)));
    assertThat(MODULES).containsKey("superstep-repl");
    assertThat(reached).isEmpty();
  }

  private static boolean isPure(Dependency use) {
    var target = targetOf(use);
    if (target.isPrimitive()) return true;
    if (LANGUAGE_FRONT.contains(target.getPackageName())) return true;
    return LANGUAGE_MAY_USE.stream().anyMatch(target.getName()::startsWith)
        && IMPURE.stream().noneMatch(name -> isNamed(target.getName(), name) || calls(use, name));
  }

  private static boolean isNamed(String type, String name) {
    return type.equals(name) || type.startsWith(name.endsWith(".") ? name : name + "$");
  }

  private static boolean calls(Dependency use, String method) {
    return use.getDescription().contains("<" + method + "(");
  }

  @Test
  void the_models_modules_show_no_type_of_a_vendors() {
    var shown =
        Stream.of(
                "superstep-models",
                "superstep-models-openai",
                "superstep-models-anthropic",
                "superstep-models-gemini",
                "superstep-models-local")
            .map(MODULES::get)
            .filter(classes -> classes != null)
            .flatMap(JavaClasses::stream)
            .flatMap(PublicSignatures::of)
            .filter(use -> use.type().getName().matches(VENDOR_TYPE))
            .map(use -> use.member() + " shows " + use.type().getName())
            .toList();
    assertThat(shown).isEmpty();
  }

  @Test
  void every_module_has_a_line_in_the_table_of_arrows() {
    assertThat(ALLOWED.keySet()).containsAll(Module.all(ROOT).stream().map(Module::name).toList());
  }

  @Test
  void every_module_was_compiled_before_it_is_looked_at() {
    assertThat(Module.all(ROOT))
        .filteredOn(module -> Files.isDirectory(module.folder().resolve("src/main/java")))
        .allSatisfy(module -> assertThat(module.classes()).isDirectory());
  }

  private interface Rule {
    boolean isBrokenBy(String module, Dependency use);
  }

  private static Set<String> and(Set<String> modules, String... more) {
    return Stream.concat(modules.stream(), Stream.of(more)).collect(toUnmodifiableSet());
  }

  private List<String> broken(Rule rule) {
    var broken = new ArrayList<String>();
    MODULES.forEach((module, classes) ->
        classes.stream()
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .filter(use -> rule.isBrokenBy(module, use))
            .forEach(use -> broken.add(module + ": " + use.getDescription())));
    return broken;
  }

  private boolean isForbiddenArrow(String module, Dependency use) {
    String target = MODULE_OF.get(targetOf(use).getPackageName());
    return target != null
        && !target.equals(module)
        && !ALLOWED.getOrDefault(module, Set.of()).contains(target);
  }

  private static boolean mayUseVendor(String module, JavaClass target) {
    return VENDORS.entrySet().stream()
        .filter(vendor -> target.getBaseComponentType().getName().startsWith(vendor.getKey() + "."))
        .allMatch(vendor -> vendor.getValue().contains(module));
  }

  private static JavaClass targetOf(Dependency use) {
    return use.getTargetClass().getBaseComponentType();
  }

  private static Map<String, JavaClasses> compiledModules() {
    return Module.all(ROOT).stream()
        .filter(module -> Files.isDirectory(module.classes()))
        .collect(
            toMap(
                Module::name,
                module ->
                    new ClassFileImporter()
                        .importPath(module.classes())
                        .that(DescribedPredicate.not(isModuleInfo()))));
  }

  private static DescribedPredicate<JavaClass> isModuleInfo() {
    return DescribedPredicate.describe(
        "module-info", type -> type.getSimpleName().equals("module-info"));
  }

  private static Map<String, String> modulesByPackage() {
    var found = new HashMap<String, String>();
    MODULES.forEach((module, classes) ->
        classes.forEach(type -> found.putIfAbsent(type.getPackageName(), module)));
    return found;
  }
}
