package lamps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Outcome;
import dev.superstep.spring.Runs;
import dev.superstep.spring.test.SuperstepTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.convention.TestBean;

@SuperstepTest(saying = "How can I help you?")
class SupportTest {
  @TestBean Orders orders;
  @Autowired Runs runs;
  @Autowired ScriptedModel model;

  // No database: the agent calls no tool in this test.
  static Orders orders() {
    return new Orders(null);
  }

  @Test
  void it_greets_and_knows_its_tools() throws Exception {
    assertThat(runs.ask("support", "Hello", "t").outcome()).isInstanceOf(Outcome.Completed.class);
    assertThat(model.requests().getFirst().tools())
        .extracting(tool -> tool.name())
        .containsExactlyInAnyOrder("find_order", "ship_again", "refund");
  }
}
