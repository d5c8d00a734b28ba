package dev.superstep.example.guide.program;

import dev.superstep.agent.Agent;
import dev.superstep.program.AgentProgram;
import dev.superstep.program.ProgramContext;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;

/// A folder's program that is an agent.
public final class OrderDesk implements AgentProgram {
  record Order(int number) {}

  static final Tool FIND_ORDER =
      Tool.of(
              "find_order",
              "Tells what was ordered.",
              Order.class,
              (order, _) -> "Order " + order.number() + ": two lamps")
          .withPolicy(ToolPolicy.readOnly());

  static final Tool REFUND =
      Tool.of("refund", "Pays an order back.", Order.class, (_, _) -> "Paid back")
          .withPolicy(ToolPolicy.of(SideEffect.EXTERNAL_SERVICE).approved());

  @Override
  public Agent<String> agent(ProgramContext context) {
    return Agent.named("desk").model(context.model()).tools(FIND_ORDER, REFUND).build();
  }
}
