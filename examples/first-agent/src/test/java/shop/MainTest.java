package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.agent.run.Review.Decision;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.testkit.junit.SuperstepExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SuperstepExtension.class)
class MainTest {
  private final List<Integer> paid = new ArrayList<>();

  @Test
  void an_order_is_refunded_when_a_person_says_yes(RunOptions thread) throws Exception {
    assertEquals("Done.", decided(Decision.approve(), thread).answer());
    assertEquals(List.of(17), paid);
  }

  @Test
  void nothing_is_refunded_when_a_person_says_no(RunOptions thread) throws Exception {
    assertEquals("Done.", decided(Decision.reject("No."), thread).answer());
    assertEquals(List.of(), paid);
  }

  private AgentResult<String> decided(Decision decision, RunOptions thread) throws Exception {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "look_up", "{\"number\":17}")),
            ScriptedModel.calls(new ToolCall("c2", "refund", "{\"number\":17}")),
            ScriptedModel.text("Done."));
    var agent = Main.agent(model, (order, _) -> paid.add(order));
    if (agent.run("Order 17 is broken.", thread)
        instanceof AgentResult.Waiting<String>(var asked)) {
      assertEquals(List.of(), paid); // nothing happens before a person has decided
      return agent.resume(Review.decide(asked, _ -> decision), thread);
    }
    return fail("nobody was asked");
  }
}
