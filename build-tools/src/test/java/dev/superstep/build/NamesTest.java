package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class NamesTest {
  private static final Pattern EMPTY_WORDS =
      Pattern.compile("(Utils?|Helpers?|Manager|Impl)$|^(Default|Abstract|Base)(?=[A-Z]|$)");

  @Test
  void no_type_is_named_with_a_word_that_says_nothing() {
    List<String> named =
        Repository.DECLARED.types().stream()
            .filter(type -> EMPTY_WORDS.matcher(type.name()).find())
            .map(type -> type.file() + ":" + type.line() + " " + type.name())
            .toList();
    assertThat(named)
        .as("name it for what it does: no Utils, Helper, Manager, Impl, Default…, Abstract…, Base…")
        .isEmpty();
  }

  @Test
  void the_share_of_hidden_types_is_shown() {
    for (Module module : Module.all(Repository.ROOT)) {
      var main = Repository.ROOT.relativize(module.folder().resolve("src/main/java"));
      var types =
          Repository.DECLARED.types().stream()
              .filter(type -> type.top() && type.file().startsWith(main))
              .toList();
      long hidden = types.stream().filter(type -> !type.isPublic()).count();
      if (!types.isEmpty()) {
        System.out.printf(
            "[talk] %s: %d of %d types hidden (%d %%, aim: 35 %% or more)%n",
            module.name(), hidden, types.size(), 100 * hidden / types.size());
      }
    }
  }
}
