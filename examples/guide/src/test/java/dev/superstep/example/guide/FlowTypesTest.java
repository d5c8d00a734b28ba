package dev.superstep.example.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Wiring that Java's own types refuse.
class FlowTypesTest {
  private static final String PROGRAM =
      """
      import dev.superstep.agent.Agent;
      import dev.superstep.flow.*;
      import dev.superstep.model.ScriptedModel;
      class Program {
        record In(int v) {}
        record A(int v) {}
        record B(int v) {}
        record Out(int v) {}
        record Other(int v) {}
        sealed interface Cases {
          record X(int v) implements Cases {}
          record Y(int v) implements Cases {}
        }
        static Agent<A> agent() {
          return Agent.named("a").model(ScriptedModel.saying("")).answering(A.class);
        }
        static Flow<In, Out> flow(FlowBuilder<In, Out> flow) {
          return flow.%s.build();
        }
        static FlowOutcome<Out> run(Flow<In, Out> flow) throws InterruptedException {
          return flow.run(new %s(1));
        }
      }
      """;

  @TempDir private Path folder;

  private List<String> errors(String step, String input) {
    var source =
        new SimpleJavaFileObject(URI.create("string:///Program.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignored) {
            return PROGRAM.formatted(step, input);
          }
        };
    var compiler = ToolProvider.getSystemJavaCompiler();
    var found = new DiagnosticCollector<JavaFileObject>();
    var path = System.getProperty("java.class.path");
    var options = List.of("-proc:none", "-d", folder.toString(), "-cp", path);
    compiler.getTask(null, null, found, options, null, List.of(source)).call();
    return found.getDiagnostics().stream()
        .filter(d -> d.getKind() == Diagnostic.Kind.ERROR)
        .map(d -> d.getMessage(Locale.ROOT))
        .toList();
  }

  @Test
  @Tag("P3")
  void good_wiring_compiles() {
    assertThat(errors("work(In.class, Out.class, (in, c) -> new Out(in.v()))", "In")).isEmpty();
    assertThat(errors("agent(In.class, A.class, agent())", "In")).isEmpty();
  }

  @TestFactory
  @Tag("P2")
  Stream<DynamicTest> wiring_of_other_types_does_not_compile() {
    return Stream.of(
            "work(In.class, Out.class, (in, c) -> new A(in.v()))",
            "map(In.class, Out.class, (A a) -> new Out(a.v()))",
            "agent(In.class, B.class, agent())",
            "either(In.class, A.class, B.class, in -> Either.left(new B(1)))",
            "choose(In.class, Cases.class, in -> new A(1))",
            "fork(In.class, A.class, B.class, in -> Both.of(new B(1), new A(1)))",
            "join(A.class, B.class, Out.class, (B b, A a) -> new Out(1))",
            "join(A.class, B.class, Out.class, (a, b) -> a)")
        .map(step ->
            DynamicTest.dynamicTest(step, () -> assertThat(errors(step, "In")).isNotEmpty()));
  }

  @Test
  void a_flow_takes_only_its_input() {
    assertThat(errors("map(In.class, Out.class, in -> new Out(1))", "Other")).isNotEmpty();
  }
}
