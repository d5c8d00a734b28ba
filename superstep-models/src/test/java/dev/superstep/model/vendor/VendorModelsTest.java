package dev.superstep.model.vendor;

import static dev.superstep.model.ModelException.Kind.AUTH;
import static dev.superstep.model.ModelException.Kind.BAD_URL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.model.wire.Endpoints;
import dev.superstep.model.wire.Key;
import java.util.HashSet;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VendorModelsTest {
  @ParameterizedTest
  @CsvSource({
    "openai://gpt-5.2, OPENAI_API_KEY",
    "anthropic://claude-opus-4-5, ANTHROPIC_API_KEY",
    "gemini://gemini-2.5-flash, GEMINI_API_KEY or GOOGLE_API_KEY",
    "mistral://mistral-large-latest, MISTRAL_API_KEY"
  })
  void a_missing_key_is_named_before_anything_is_sent(String url, String variables) {
    var failure = failure(url, Map.of());
    assertThat(failure.kind()).isEqualTo(AUTH);
    assertThat(failure).hasMessageContaining(variables).hasMessageContaining(url);
  }

  @Test
  void a_blank_key_is_a_missing_one() {
    assertThat(failure("openai://gpt-5.2", Map.of("OPENAI_API_KEY", " ")).kind()).isEqualTo(AUTH);
  }

  @Test
  void a_key_that_cannot_be_sent_is_not_repeated() {
    var failure = failure("openai://gpt-5.2", Map.of("OPENAI_API_KEY", "sk-secret\nx"));
    assertThat(failure.kind()).isEqualTo(AUTH);
    assertThat(failure).hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ollama://qwen3:8b",
        "ollama:///qwen3:8b",
        "ollama://localhost:11434/",
        "ollama://localhost:port/qwen3",
        "ollama://local host/qwen3",
        "openai-compatible://my-model",
        "openai-compatible://localhost:8080/v1/m",
        "openai-compatible://ftp://localhost/v1/m",
        "openai-compatible://http://localhost:8080",
        "openai-compatible://http://localhost:8080/v1/",
        "openai-compatible://http://localhost:8080/v1/m?key=1",
        "openai://gpt 5",
        "gemini://../secrets",
        "local://gemma3-270m"
      })
  void a_url_that_lacks_a_part_says_what_to_write(String url) {
    var failure = failure(url, Map.of("OPENAI_API_KEY", "k", "GEMINI_API_KEY", "k"));
    assertThat(failure.kind()).isEqualTo(BAD_URL);
    assertThat(failure).hasMessageContaining(url).hasMessageContaining("://");
  }

  @Test
  void a_password_in_a_url_is_refused_and_not_repeated() {
    var failure = failure("openai-compatible://http://me:secret@localhost/v1/m", Map.of());
    assertThat(failure.kind()).isEqualTo(BAD_URL);
    assertThat(failure).hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @CsvSource({
    "ollama://localhost:11434/qwen3:8b, http://localhost:11434, qwen3:8b",
    "ollama://gpu/hf.co/org/model:Q4_K_M, http://gpu, hf.co/org/model:Q4_K_M",
    "openai-compatible://http://h:8080/v1/my-model, http://h:8080/v1, my-model",
    "openai-compatible://https://h/api/v1/org/model, https://h/api/v1, org/model",
    "openai-compatible://http://h/openai/my-model, http://h/openai, my-model",
    "openai-compatible://http://h:8080/my-model, http://h:8080, my-model"
  })
  @Tag("P28")
  void a_url_is_cut_into_server_and_model(String url, String base, String model) {
    var endpoint = Endpoints.of(ModelRef.parse(url), Environment.of(Map.of()));
    assertThat(endpoint.base()).isEqualTo(base);
    assertThat(endpoint.model()).isEqualTo(model);
  }

  @Test
  void the_variables_of_the_vendors_do_not_redirect_a_key() {
    var env = Map.of("OPENAI_API_KEY", "k", "OPENAI_BASE_URL", "http://elsewhere/v1");
    var endpoint = Endpoints.of(ModelRef.parse("openai://gpt-5.2"), Environment.of(env));
    assertThat(endpoint.base()).isEqualTo("https://api.openai.com/v1");
  }

  @Test
  void another_server_never_gets_the_key_of_openai() {
    var ref = ModelRef.parse("openai-compatible://http://h:8080/v1/m");
    var endpoint = Endpoints.of(ref, Environment.of(Map.of("OPENAI_API_KEY", "k")));
    assertThat(endpoint.key()).isEqualTo(Key.NONE);
  }

  @Test
  void the_adapters_are_found_by_scheme() {
    var env = Environment.of(Map.of("MISTRAL_API_KEY", "k"));
    var ref = ModelRef.parse("mistral://mistral-large-latest");
    assertThat(ModelProviders.of(ref)).isInstanceOf(VendorModelProvider.class);
    assertThat(ModelProviders.open(ref, env).ref()).isEqualTo(ref);
  }

  @Test
  void a_model_that_is_opened_by_its_scheme_has_the_profile_of_the_catalogue() {
    var env = Environment.of(Map.of("OPENAI_API_KEY", "k"));
    var model = ModelProviders.open(ModelRef.parse("openai://gpt-5.2"), env);
    assertThat(model.profile().contextWindow()).hasValue(400_000);
  }

  @Test
  void nothing_shows_a_key_when_printed() {
    var env = Environment.of(Map.of("OPENAI_API_KEY", "sk-secret"));
    var ref = ModelRef.parse("openai://gpt-5.2");
    assertThat(Endpoints.of(ref, env).toString()).doesNotContain("secret");
    assertThat(VendorModels.open(ref, env).toString()).doesNotContain("secret");
  }

  private static ModelException failure(String url, Map<String, String> env) {
    return catchThrowableOfType(
        ModelException.class, () -> VendorModels.open(ModelRef.parse(url), Environment.of(env)));
  }

  @Test
  void models_of_one_name_have_identities_by_server_key_and_protocol() {
    var urls =
        new String[] {
          "openai://gpt-5.2",
          "openai-compatible://http://a.example/v1/gpt-5.2",
          "openai-compatible://http://b.example/v1/gpt-5.2",
          "mistral://gpt-5.2"
        };
    var keys = Map.of("OPENAI_API_KEY", "key-of-ann", "MISTRAL_API_KEY", "key-of-ann");
    var other =
        Map.of(
            "OPENAI_API_KEY",
            "key-of-bob",
            "MISTRAL_API_KEY",
            "key-of-bob",
            "SUPERSTEP_OPENAI_COMPATIBLE_API_KEY",
            "key-of-bob");
    var moved =
        Map.of(
            "OPENAI_API_KEY",
            "key-of-ann",
            "MISTRAL_API_KEY",
            "key-of-ann",
            "SUPERSTEP_OPENAI_BASE_URL",
            "http://proxy.example/v1",
            "SUPERSTEP_MISTRAL_BASE_URL",
            "http://proxy.example/v1");
    var all = new HashSet<ModelIdentity>();
    for (var url : urls) {
      var first = identity(url, keys);
      assertThat(identity(url, keys)).isEqualTo(first);
      assertThat(first.digest()).doesNotContain("ann").hasSize(64);
      all.add(first);
      all.add(identity(url, other));
      if (!url.contains("compatible")) all.add(identity(url, moved));
    }
    assertThat(all).hasSize(4 + 4 + 2);
  }

  private static ModelIdentity identity(String url, Map<String, String> variables) {
    return VendorModels.open(ModelRef.parse(url), Environment.of(variables))
        .identity()
        .orElseThrow();
  }
}
