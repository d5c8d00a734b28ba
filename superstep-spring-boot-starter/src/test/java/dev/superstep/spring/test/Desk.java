package dev.superstep.spring.test;

import dev.superstep.agent.Agent;
import dev.superstep.model.ChatModel;
import dev.superstep.tool.ToolMethod;
import dev.superstep.tool.Tools;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;

/// An application whose components are found by scanning.
@SpringBootApplication
class Desk {
  @Configuration
  static class Agents {
    @Bean
    Agent<String> desk(ChatModel model, Tools tools) {
      return Agent.named("desk").model(model).tools(tools).build();
    }
  }

  @Component
  static class Hours {
    @ToolMethod("Tells when the shop is open.")
    String openingHours() {
      return "nine to five";
    }
  }

  /// Does not start without what the application has in production.
  @Component
  static class Network {
    Network() {
      throw new IllegalStateException("there is no network in tests");
    }
  }
}
