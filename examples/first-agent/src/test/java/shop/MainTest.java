package shop;

import static dev.superstep.testkit.agent.AgentAssertions.assertThatTrajectory;
import static dev.superstep.testkit.agent.ExpectedCall.call;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.testkit.junit.SuperstepExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SuperstepExtension.class)
class MainTest {
  @Test
  void nothing_is_refunded_when_a_person_says_no(RunOptions thread) throws Exception {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "look_up", "{\"number\":17}")),
            ScriptedModel.calls(new ToolCall("c2", "refund", "{\"number\":17}")),
            ScriptedModel.text("I am sorry, I cannot refund it."));
    var agent = Main.agent(model);

    var asked = agent.run("Order 17 is broken.", thread);
    var waiting = assertInstanceOf(AgentResult.Waiting.class, asked);
    assertEquals(1, waiting.questions().size());

    var no =
        Review.decide(
            ((AgentResult.Waiting<String>) asked).questions(), _ -> Review.Decision.reject("No."));
    var result = agent.resume(no, thread);
    assertEquals("I am sorry, I cannot refund it.", result.answer());
    assertThatTrajectory(result).callsInOrder(call("look_up").with("number", 17));
  }
}
