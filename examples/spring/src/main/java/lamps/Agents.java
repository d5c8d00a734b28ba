package lamps;

import dev.superstep.agent.Agent;
import dev.superstep.model.ChatModel;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.Tools;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
class Agents {
  @Bean
  Agent<String> support(ChatModel model, Tools tools) {
    return Agent.named("support")
        .model(model)
        .instructions("Help the customers of a lamp shop. Be kind and short.")
        .tools(
            tools
                .with("find_order", tool -> tool.withPolicy(ToolPolicy.readOnly()))
                .with("refund", tool -> tool.withPolicy(ToolPolicy.of(SideEffect.PAYMENT))))
        // A person approves each refund.
        .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
        .build();
  }
}
