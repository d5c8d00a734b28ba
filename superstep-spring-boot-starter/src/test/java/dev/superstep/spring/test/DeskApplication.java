package dev.superstep.spring.test;

import dev.superstep.agent.Agent;
import dev.superstep.model.ChatModel;
import dev.superstep.tool.Tools;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// An application whose components are found by scanning.
@SpringBootApplication
class DeskApplication {
  @Configuration
  static class Agents {
    @Bean
    Agent<String> desk(ChatModel model, Tools tools) {
      return Agent.named("desk").model(model).tools(tools).build();
    }
  }
}
