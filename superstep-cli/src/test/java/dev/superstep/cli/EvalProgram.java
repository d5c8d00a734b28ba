package dev.superstep.cli;

import dev.superstep.agent.Agent;
import dev.superstep.eval.check.Check;
import dev.superstep.eval.check.Checked;
import dev.superstep.eval.check.Verdict;
import dev.superstep.program.AgentProgram;
import dev.superstep.program.ProgramContext;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;

/// A program for tests of evaluations: an agent that looks orders up and refunds them.
public final class EvalProgram implements AgentProgram {
  /// The argument of the tools.
  public record Order(int order) {}

  @Override
  public Agent<?> agent(ProgramContext context) {
    var lookUp =
        Tool.of("look_up", "Looks an order up.", Order.class, (o, _) -> "found " + o.order())
            .withPolicy(ToolPolicy.readOnly());
    var refund =
        Tool.of("refund", "Refunds an order.", Order.class, (o, _) -> "refunded " + o.order())
            .withPolicy(ToolPolicy.of(SideEffect.PAYMENT).approved());
    return Agent.named("shop").model(context.model()).tools(lookUp, refund).build();
  }

  /// A check in code.
  public static final class Short implements Check {
    @Override
    public String name() {
      return "short";
    }

    @Override
    public Verdict check(Checked trial) {
      return Verdict.when(trial.text().length() < 40, "it is too long");
    }
  }
}
