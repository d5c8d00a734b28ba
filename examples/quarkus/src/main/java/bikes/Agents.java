package bikes;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.Drain;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.Tools;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// Makes the agent and what it needs, once each. They are singletons, since CDI can make no proxy
/// of a final class.
@Dependent
class Agents {
  @Produces
  @Singleton
  ChatModel model(@ConfigProperty(name = "bikes.model") String url) {
    return ModelProviders.open(ModelRef.parse(url));
  }

  @Produces
  @Singleton
  Checkpointer store(@ConfigProperty(name = "bikes.threads") String file) {
    return SqliteCheckpointer.open(Path.of(file));
  }

  void close(@Disposes Checkpointer store) {
    store.close();
  }

  @Produces
  @Singleton
  Drain drain() {
    return new Drain();
  }

  @Produces
  @Singleton
  Agent<String> desk(ChatModel model, Repairs repairs) {
    return Agent.named("desk")
        .model(model)
        .instructions("Help the customers of a workshop for bikes. Be kind and short.")
        .tools(
            Tools.from(repairs, MethodHandles.lookup())
                .with("find_repair", tool -> tool.withPolicy(ToolPolicy.readOnly()))
                .with("refund", tool -> tool.withPolicy(ToolPolicy.of(SideEffect.PAYMENT))))
        // A person approves each refund.
        .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
        .build();
  }
}
