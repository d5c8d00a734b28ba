package dev.superstep.language.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.language.DiagnosticText;
import dev.superstep.language.Source;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.NodeKind;
import dev.superstep.language.rag.RagCode;
import dev.superstep.language.rag.SyntaxLimits;
import dev.superstep.testkit.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Sources with faults. The golden file of each has the findings as people read them and as
/// programs do. Comments at the head of a source set the policy of the host.
class FaultsTest {
  /// Codes that need registered components; their tests are those of the binding.
  private static final Set<RagCode> OF_THE_BINDING =
      EnumSet.of(RagCode.UNFIT_COMPONENT, RagCode.UNFIT_GRAPH, RagCode.NOT_AVAILABLE);

  private static final Path FAULTS = Path.of("src/test/resources/faults");

  @TestFactory
  @Tag("R1")
  @Tag("R2")
  @Tag("R4")
  @Tag("R6")
  @Tag("R10")
  @Tag("R14")
  @Tag("R15")
  @Tag("R16")
  @Tag("R17")
  @Tag("R18")
  @Tag("R19")
  @Tag("R20")
  @Tag("R21")
  @Tag("R23")
  @Tag("R24")
  @Tag("R25")
  @Tag("R27")
  @Tag("R28")
  @Tag("R29")
  @Tag("R37")
  @Tag("R38")
  @Tag("R39")
  @Tag("R40")
  @Tag("R41")
  @Tag("R44")
  @Tag("W3")
  @Tag("W5")
  @Tag("W6")
  @Tag("W7")
  @Tag("W8")
  Stream<DynamicTest> a_fault_is_found_with_its_place_and_help() {
    return Golden.in(FAULTS)
        .each(text -> {
          var compiled = compile(text);
          return compiled.text() + "\n" + compiled.json();
        });
  }

  static Compilation compile(String text) {
    var source = Source.of("fault.rag", text);
    return Blueprints.compile(source, names(text), policy(text));
  }

  private static Names names(String text) {
    return setting(text, "names").equals("unknown") ? Names.unknown() : Registered.NAMES;
  }

  private static String setting(String text, String name) {
    return text.lines()
        .takeWhile(line -> line.startsWith("//"))
        .filter(line -> line.startsWith("// " + name + ": "))
        .map(line -> line.substring(name.length() + 5))
        .findFirst()
        .orElse("");
  }

  private static CheckPolicy policy(String text) {
    var policy =
        setting(text, "policy").equals("generated")
            ? CheckPolicy.generated("author")
            : CheckPolicy.file("fault.rag");
    if (setting(text, "dead ends").equals("warnings")) policy = policy.warningOfDeadEnds();
    var limits = new HashMap<>(Map.of("bytes", 262_144, "tokens", 100_000, "depth", 64));
    words(setting(text, "limits")).forEach((key, value) -> limits.put(key, Integer.valueOf(value)));
    policy =
        policy.limits(
            new SyntaxLimits(limits.get("bytes"), limits.get("tokens"), limits.get("depth")));
    var allowed = new HashMap<Capability, Set<String>>();
    for (var entry : words(setting(text, "host")).entrySet()) {
      var values = Set.of(entry.getValue().split(","));
      if (entry.getKey().equals("kinds")) {
        var kinds = EnumSet.noneOf(NodeKind.class);
        values.forEach(kind -> kinds.add(NodeKind.of(kind).orElseThrow()));
        policy = policy.kinds(kinds);
      } else allowed.put(Capability.of(entry.getKey()).orElseThrow(), values);
    }
    return policy.allowing(allowed);
  }

  private static Map<String, String> words(String text) {
    return Arrays.stream(text.split(" "))
        .filter(word -> word.contains("="))
        .map(word -> word.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
  }

  @Test
  @Tag("R39")
  @Tag("W8")
  void every_code_has_a_source_that_shows_it() throws IOException {
    var shown = new HashSet<String>();
    try (var files = Files.list(FAULTS)) {
      for (var file : files.filter(each -> each.toString().endsWith(".rag")).toList()) {
        for (var each : compile(Files.readString(file)).report().shown()) shown.add(each.code());
      }
    }
    assertThat(shown)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(RagCode.values())
                .filter(code -> !OF_THE_BINDING.contains(code))
                .map(RagCode::code)
                .toList());
  }

  @Test
  @Tag("R41")
  @Tag("W6")
  void a_hundred_thousand_errors_are_fifty_and_a_number() {
    var text = "graph g {\n" + "  bogus 1\n".repeat(20_000) + "}\n";
    var source = Source.of("many.rag", text);
    var policy = CheckPolicy.file("many.rag").limits(SyntaxLimits.lifted());
    var compiled = Blueprints.compile(source, Registered.NAMES, policy);
    assertThat(compiled.report().shown()).hasSize(50);
    assertThat(compiled.report().errors()).isEqualTo(20_001);
    assertThat(DiagnosticText.of(source, compiled.report())).endsWith("and 19951 more\n");
  }
}
