package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.message.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelProvidersTest {
  private static final ModelRef OPENAI = ModelRef.parse("openai://gpt-5.2");

  @Test
  void an_official_adapter_has_precedence_over_a_small_one_in_any_order() {
    var small = new Fixed(Set.of("openai", "mistral"), ModelProvider.SMALL);
    var official = new Fixed(Set.of("openai"), ModelProvider.OFFICIAL);
    assertThat(ModelProviders.choose(OPENAI, List.of(small, official))).isSameAs(official);
    assertThat(ModelProviders.choose(OPENAI, List.of(official, small))).isSameAs(official);
    var mistral = ModelRef.parse("mistral://mistral-small-latest");
    assertThat(ModelProviders.choose(mistral, List.of(official, small))).isSameAs(small);
  }

  @Test
  @Tag("P28")
  void a_scheme_without_an_adapter_is_an_error_naming_those_that_have_one() {
    var failure = failure(List.of(new Fixed(Set.of("mistral", "ollama"), ModelProvider.SMALL)));
    assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("openai://gpt-5.2", "mistral, ollama");
    assertThat(failure(List.of())).hasMessageContaining("none");
  }

  @Test
  void two_adapters_of_one_rank_are_an_error_and_not_a_matter_of_luck() {
    var one = new Fixed(Set.of("openai"), ModelProvider.SMALL);
    var other = new Fixed(Set.of("openai"), ModelProvider.SMALL);
    assertThat(failure(List.of(one, other))).hasMessageContaining("both claim it");
  }

  @Test
  void a_script_is_opened_without_an_adapter(@TempDir Path folder) throws Exception {
    var file =
        Files.writeString(folder.resolve("replies.json"), "{\"replies\":[{\"text\":\"Hi.\"}]}");
    var model = ModelProviders.open(ModelRef.parse("scripted://" + file));
    var reply = model.call(ChatRequest.of(Message.user("Hello")));
    assertThat(reply.message().text()).isEqualTo("Hi.");
  }

  private static ModelException failure(List<ModelProvider> providers) {
    return catchThrowableOfType(
        ModelException.class, () -> ModelProviders.choose(OPENAI, providers));
  }

  private record Fixed(Set<String> schemes, int rank) implements ModelProvider {
    @Override
    public ChatModel open(ModelRef ref, Environment environment) {
      return ScriptedModel.saying("hi");
    }
  }
}
