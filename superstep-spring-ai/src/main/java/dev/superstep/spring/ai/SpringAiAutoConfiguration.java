package dev.superstep.spring.ai;

import dev.superstep.model.ChatModel;
import dev.superstep.spring.ModelSource;
import dev.superstep.spring.ToolSource;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/// Makes the models and tools that an application has of Spring AI those of its agents, each kind
/// with a property that switches it off. Last, since Spring AI's own configurations make the beans.
@AutoConfiguration(afterName = "dev.superstep.spring.SuperstepAutoConfiguration")
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(name = "dev.superstep.spring.Runs")
@EnableConfigurationProperties(SpringAiProperties.class)
class SpringAiAutoConfiguration {
  private static final Class<org.springframework.ai.chat.model.ChatModel> THEIRS =
      org.springframework.ai.chat.model.ChatModel.class;

  @Bean
  @ConditionalOnMissingBean(name = "superstepSpringAiModels")
  @ConditionalOnBooleanProperty(name = "superstep.spring-ai.models.enabled", matchIfMissing = true)
  ModelSource superstepSpringAiModels(ListableBeanFactory beans) {
    return () -> {
      var models = new LinkedHashMap<String, ChatModel>();
      // Looked up when asked: one of them may itself be made of a model of ours.
      for (var name : beans.getBeanNamesForType(THEIRS, false, false)) {
        models.put(name, FromSpringAi.lazyModel(name, () -> beans.getBean(name, THEIRS)));
      }
      return models;
    };
  }

  @Bean
  @ConditionalOnMissingBean(ChatModel.class)
  @ConditionalOnSingleCandidate(org.springframework.ai.chat.model.ChatModel.class)
  @ConditionalOnBooleanProperty(
      name = "superstep.spring-ai.chat-model.enabled",
      matchIfMissing = true)
  ChatModel superstepSpringAiChatModel(
      ListableBeanFactory beans,
      ObjectProvider<org.springframework.ai.chat.model.ChatModel> theirs) {
    var names = beans.getBeanNamesForType(THEIRS, false, false);
    // Of several, the primary one.
    return FromSpringAi.lazyModel(names.length == 1 ? names[0] : "primary", theirs::getObject);
  }

  @Bean
  @ConditionalOnMissingBean(name = "superstepSpringAiTools")
  @ConditionalOnBooleanProperty(name = "superstep.spring-ai.tools.enabled", matchIfMissing = true)
  ToolSource superstepSpringAiTools(
      ObjectProvider<ToolCallback> callbacks, ObjectProvider<ToolCallbackProvider> providers) {
    return () -> {
      var tools = new ArrayList<Tool>();
      callbacks.orderedStream().map(FromSpringAi::tool).forEach(tools::add);
      providers.orderedStream().map(FromSpringAi::tools).forEach(tools::addAll);
      return tools;
    };
  }
}
