package dev.superstep.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelProvider;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The conformance tests of a [ModelProvider]. A test class implements this interface;
/// [ChatModelSuite] tests the models that it opens.
public interface ModelProviderSuite {
  /// Schemes that the command opens itself, whoever claims them.
  Set<String> RESERVED = Set.of("local", "scripted", "recorded");

  /// The provider. Called once for each test.
  ModelProvider fresh();

  /// A model that it opens.
  ModelRef ref();

  /// The keys and base URLs that this takes.
  default Environment environment() {
    return Environment.ofProcess();
  }

  @Test
  default void its_schemes_are_valid_in_a_url_and_not_reserved() {
    assertThat(fresh().schemes()).isNotEmpty().doesNotContainAnyElementsOf(RESERVED);
    for (var scheme : fresh().schemes()) {
      assertThat(ModelRef.parse(scheme + "://model").provider()).isEqualTo(scheme);
    }
    assertThat(fresh().schemes()).contains(ref().provider());
  }

  @Test
  @Tag("G22")
  default void it_is_found_by_the_scheme_of_its_model() {
    assertThat(ModelProviders.of(ref())).isInstanceOf(fresh().getClass());
  }

  @Test
  default void its_model_has_the_url_that_it_was_opened_with() {
    assertThat(fresh().open(ref(), environment()).ref()).isEqualTo(ref());
  }
}
