package dev.superstep.otel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestedModelTest {
  @ParameterizedTest
  @CsvSource({
    "openai://gpt-5.2, openai, gpt-5.2, '', 0",
    "anthropic://claude-x, anthropic, claude-x, '', 0",
    "gemini://gemini-3-pro, gcp.gemini, gemini-3-pro, '', 0",
    "mistral://large, mistral_ai, large, '', 0",
    "ollama://localhost:11434/qwen3:8b, ollama, qwen3:8b, localhost, 11434",
    "ollama://box/org/qwen3, ollama, org/qwen3, box, 0",
    "openai-compatible://http://h:8080/v1/org/m, openai_compatible, org/m, h, 8080",
    "openai-compatible://https://h/m, openai_compatible, m, h, 0",
    "local:///home/ada/models/gemma3.gguf, local, gemma3.gguf, '', 0",
    "scripted://dir/file.json, scripted, file.json, '', 0",
  })
  void a_url_has_a_name_in_the_conventions(
      String url, String provider, String model, String server, int port) {
    assertThat(RequestedModel.of(url)).isEqualTo(new RequestedModel(provider, model, server, port));
  }

  @Test
  void user_info_keys_and_queries_of_a_url_are_left_out() {
    var name = RequestedModel.of("openai-compatible://http://ada:hunter2@h:80/v1/m?key=sk-1");
    assertThat(name).isEqualTo(new RequestedModel("openai_compatible", "m", "h", 80));
    assertThat(RequestedModel.of("not a url /x"))
        .isEqualTo(new RequestedModel("_OTHER", "x", "", 0));
  }
}
