package dev.superstep.spring.ai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import org.junit.jupiter.api.Test;

/// The programs of the page do what the page says.
class SpringAiGuideTest {
  @Test
  void theClerkFindsTheOrder() throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "find_order", "{\"number\":7}")),
            ScriptedModel.text("It is a blue lamp."));
    var result = SpringAiGuide.clerk(ForSpringAi.model(model)).run("What is order 7?");
    assertThat(result.answer()).isEqualTo("It is a blue lamp.");
    assertThat(model.requests().getLast().messages().getLast().text()).contains("a blue lamp");
  }

  @Test
  void theClientOfSpringAiAsksForTheWeather() {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "weather", "{\"name\":\"Bergen\"}")),
            ScriptedModel.text("Yes."));
    assertThat(SpringAiGuide.weather(model)).isEqualTo("Yes.");
    assertThat(model.requests())
        .allSatisfy(asked -> assertThat(asked.effort()).contains(dev.superstep.model.Effort.LOW));
  }
}
