package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A value that users print, log or look at in a debugger says what it is: no public type has the
/// text of [Object], and neither has an implementation of an interface that users pass around.
final class PrintedTypesTest {
  private static final Path ROOT = Path.of(System.getProperty("superstep.root")).normalize();

  private static final String OURS = "dev.superstep.";

  /// The interfaces whose implementations are printed, public or not.
  private static final List<String> PASSED_AROUND =
      List.of(
          "dev.superstep.checkpoint.Checkpointer",
          "dev.superstep.checkpoint.NodeCache",
          "dev.superstep.store.Store",
          "dev.superstep.state.Channel",
          "dev.superstep.model.ChatModel",
          "dev.superstep.middleware.Middleware",
          "dev.superstep.retrieval.vector.VectorStorage",
          "dev.superstep.store.Embedder");

  /// Types that nobody holds in a variable and prints, without their package prefix.
  private static final Set<String> UNPRINTED =
      Set.of(
          // Parts of the loop, never handed to a user.
          "agent.internal.loop.MeteredModel",
          "agent.internal.loop.TurnContext$Counted",
          "rag.internal.run.Meter$Counter",
          "store.Ranking",
          "state.Items",
          // Abstract or passed to one callback, which ends with it.
          "store.jdbc.JdbcCheckpointer",
          "agent.steering.Steering$Inbox",
          "graph.Subgraph$Invocation",
          "graph.SubgraphThread",
          "shape.Step",
          "prompt.PromptTemplate$Builder",
          "rag.testing.TextExpectations",
          // Listeners and collectors that are read by their own methods.
          "event.Explanation",
          "event.JsonLines",
          "event.RunMetrics",
          "event.StoreMetrics",
          // Readers and writers of text.
          "language.DiagnosticText",
          "language.blueprint.BlueprintText",
          "language.check.Places",
          "language.rag.Formatter",
          "language.rag.Tokens",
          "middleware.StreamRedactor",
          "repl.context.FileText",
          // Parts of the terminal that hosts compose; some know secrets.
          "terminal.InputJudge",
          "terminal.PolicyReview",
          "terminal.backend.ModelBackends",
          "terminal.policy.ConfigLayers",
          "terminal.policy.DecisionContext",
          "terminal.privacy.InjectionFilter",
          "terminal.privacy.SecretSources",
          "terminal.risk.InputClassifier",
          "terminal.risk.RiskAssessor",
          "terminal.shell.HereDocument",
          "terminal.undo.ChangeTracker",
          "terminal.undo.WorkspaceUndo");

  @Test
  void every_public_type_and_every_part_that_is_passed_around_has_a_text_of_its_own() {
    var without = new TreeSet<String>();
    var exported = modules().stream().flatMap(module -> exported(module).stream()).toList();
    var folders = modules().stream().map(Module::classes).toList();
    for (var type : new ClassFileImporter().importPaths(folders)) {
      if (!isPrinted(type, Set.copyOf(exported)) || hasText(type)) continue;
      var name = type.getName().substring(OURS.length());
      if (!UNPRINTED.contains(name)) without.add(name);
    }
    assertThat(without).isEmpty();
  }

  private static List<Module> modules() {
    return Module.all(ROOT).stream()
        .filter(module -> module.name().startsWith("superstep-"))
        .filter(module -> !Set.of("superstep-testkit", "superstep-cli").contains(module.name()))
        .filter(module -> Files.isDirectory(module.classes()))
        .toList();
  }

  private static boolean isPrinted(JavaClass type, Set<String> exported) {
    boolean isData = type.isRecord() || type.isEnum() || type.isAnnotation();
    if (type.isInterface() || isData || type.isAssignableTo(Throwable.class)) return false;
    if (type.getSimpleName().isEmpty()) return false;
    boolean isPassed = PASSED_AROUND.stream().anyMatch(type::isAssignableTo);
    return isPassed || (isPublic(type, exported) && hasInstances(type));
  }

  private static boolean isPublic(JavaClass type, Set<String> exported) {
    var around = type;
    while (true) {
      if (!around.getModifiers().contains(JavaModifier.PUBLIC)) return false;
      if (around.getEnclosingClass().isEmpty()) break;
      around = around.getEnclosingClass().get();
    }
    return exported.contains(type.getPackageName());
  }

  private static boolean hasInstances(JavaClass type) {
    return type.getMethods().stream()
        .anyMatch(method -> !method.getModifiers().contains(JavaModifier.STATIC));
  }

  private static boolean hasText(JavaClass type) {
    return Stream.concat(Stream.of(type), type.getAllRawSuperclasses().stream())
        .filter(each -> !each.getName().equals("java.lang.Object"))
        .anyMatch(each -> each.tryGetMethod("toString").isPresent());
  }

  private static Set<String> exported(Module module) {
    return ModuleFinder.of(module.classes()).findAll().stream()
        .flatMap(found -> found.descriptor().exports().stream())
        .filter(export -> !export.isQualified())
        .map(ModuleDescriptor.Exports::source)
        .collect(Collectors.toSet());
  }
}
