package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.language.blueprint.ConventionalChannel;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.NodeKind;
import dev.superstep.language.rag.Reference;
import dev.superstep.language.rag.Scope;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/// Each item of the language has a test that shows what it changes at run time.
@Tag("W1")
class ConformanceTest {
  private static final Path LIST = Path.of("src/test/resources/conformance.txt");
  private static final Path SOURCES = Path.of("src/test/java/dev/superstep/rag");

  /// The test of each item: the name behind the group, such as `node retry`.
  private static Map<String, String> listed() throws IOException {
    var all = new LinkedHashMap<String, String>();
    for (var line : Files.readAllLines(LIST)) {
      if (line.isBlank() || line.startsWith("#")) continue;
      var words = line.split(" ", 3);
      assertThat(words).as(line).hasSize(3);
      assertThat(all.put(words[0] + " " + words[1], words[2])).as("twice: " + line).isNull();
    }
    return all;
  }

  @Test
  void each_item_of_the_language_is_listed_and_nothing_else() throws IOException {
    var items = new TreeSet<String>();
    for (var scope : Scope.values()) {
      for (var word : Item.in(scope).keySet()) {
        items.add(scope.name().toLowerCase(Locale.ROOT) + " " + word);
      }
    }
    for (var kind : NodeKind.values()) items.add("kind " + kind.word());
    Reference.declared().keySet().forEach(word -> items.add("declared " + word));
    Reference.standardReducers().keySet().forEach(word -> items.add("reducer " + word));
    Reference.channelCuts().keySet().forEach(word -> items.add("cut " + word));
    for (var known : ConventionalChannel.values()) items.add("known " + known.word());
    assertThat(new TreeSet<>(listed().keySet())).isEqualTo(items);
  }

  @Test
  void each_test_that_is_listed_is_there_and_uses_its_item() throws Exception {
    for (var entry : listed().entrySet()) {
      boolean isRefused = entry.getValue().startsWith("refused ");
      var test = entry.getValue().substring(isRefused ? "refused ".length() : 0).split("\\.");
      assertThat(isTest(test[0], test[1])).as(entry.toString()).isTrue();
      if (isRefused) continue;
      var word = entry.getKey().substring(entry.getKey().indexOf(' ') + 1);
      assertThat(Files.readString(SOURCES.resolve(test[0] + ".java")))
          .as(entry.toString())
          .containsPattern("\\b" + word + "\\b");
    }
  }

  private static boolean isTest(String name, String method) throws ClassNotFoundException {
    return Arrays.stream(Class.forName("dev.superstep.rag." + name).getDeclaredMethods())
        .filter(each -> each.getName().equals(method))
        .anyMatch(ConformanceTest::isTest);
  }

  private static boolean isTest(Method method) {
    return method.isAnnotationPresent(Test.class)
        || method.isAnnotationPresent(ParameterizedTest.class);
  }
}
