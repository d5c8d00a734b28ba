package dev.superstep.spring.ai.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.spring.ai.ForSpringAi;
import dev.superstep.testkit.Golden;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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

  @Test
  void theProgramPrintsWhatThePageShows() throws Exception {
    var before = System.out;
    var bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      SpringAiGuide.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    Golden.in("golden").check("guide.txt", bytes.toString(StandardCharsets.UTF_8));
  }
}
