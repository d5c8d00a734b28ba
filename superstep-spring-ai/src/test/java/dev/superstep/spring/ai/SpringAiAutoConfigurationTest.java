package dev.superstep.spring.ai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.Message;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.spring.Models;
import dev.superstep.tool.Tool;
import dev.superstep.tool.Tools;
import org.junit.jupiter.api.Test;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class SpringAiAutoConfigurationTest {
  record City(String name) {}

  @Configuration(proxyBeanMethods = false)
  static class OneModel {
    @Bean
    org.springframework.ai.chat.model.ChatModel fastModel() {
      return ForSpringAi.model(ScriptedModel.saying("fast", "fast", "fast"));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class SecondModel {
    @Bean
    org.springframework.ai.chat.model.ChatModel carefulModel() {
      return ForSpringAi.model(ScriptedModel.saying("careful", "careful"));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class SomeTools {
    @Bean
    ToolCallbackProvider weather() {
      return ToolCallbackProvider.from(ToolCallbacks.from(new ToolsTest.Weather()));
    }

    @Bean
    ToolCallback alone() {
      return ForSpringAi.callback(Tool.of("alone", "Is alone.", City.class, (_, _) -> "x"));
    }
  }

  /// A model of Spring AI's that is made of the application's own.
  @Configuration(proxyBeanMethods = false)
  static class RoundTrip {
    @Bean
    org.springframework.ai.chat.model.ChatModel oursForThem(ChatModel ours) {
      return ForSpringAi.model(ours);
    }

    @Bean
    ChatModel ours() {
      return ScriptedModel.saying("ours", "ours");
    }
  }

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(SpringAiAutoConfiguration.class, superstepAutoConfiguration()))
          .withPropertyValues("superstep.store.in-memory=true");

  private static Class<?> superstepAutoConfiguration() {
    try {
      return Class.forName("dev.superstep.spring.SuperstepAutoConfiguration");
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static String said(ChatModel model) throws InterruptedException {
    return model.call(ChatRequest.of(Message.user("Go"))).message().text();
  }

  @Test
  void aModelOfSpringAiIsAModelOfTheApplicationByItsName() {
    runner
        .withUserConfiguration(OneModel.class)
        .run(context -> {
          var models = context.getBean(Models.class);
          assertThat(models.names()).containsExactly("fastModel");
          assertThat(said(models.get("fastModel"))).isEqualTo("fast");
          var standard = context.getBean(ChatModel.class);
          assertThat(standard.ref().url()).isEqualTo("spring-ai://fastModel");
          assertThat(said(standard)).isEqualTo("fast");
        });
  }

  @Test
  void ofSeveralModelsNoneIsTheStandardOne() {
    runner
        .withUserConfiguration(OneModel.class, SecondModel.class)
        .run(context -> {
          assertThat(context.getBean(Models.class).names())
              .containsExactlyInAnyOrder("fastModel", "carefulModel");
          assertThat(context).doesNotHaveBean(ChatModel.class);
          assertThat(said(context.getBean(Models.class).get("carefulModel"))).isEqualTo("careful");
        });
  }

  @Test
  void callbacksAndThoseOfProvidersAreTools() {
    runner
        .withUserConfiguration(SomeTools.class)
        .run(context ->
            assertThat(context.getBean(Tools.class).names())
                .containsExactlyInAnyOrder("alone", "get_weather", "close"));
  }

  @Test
  void aModelThatIsMadeOfTheApplicationsOwnDoesNotAskItself() {
    runner
        .withUserConfiguration(RoundTrip.class)
        .run(context -> {
          assertThat(context).hasNotFailed();
          assertThat(said(context.getBean(Models.class).get("oursForThem"))).isEqualTo("ours");
        });
  }

  @Test
  void eachBeanHasAPropertyThatSwitchesItOff() {
    runner
        .withUserConfiguration(OneModel.class, SomeTools.class)
        .withPropertyValues(
            "superstep.spring-ai.models.enabled=false",
            "superstep.spring-ai.chat-model.enabled=false",
            "superstep.spring-ai.tools.enabled=false")
        .run(context -> {
          assertThat(context.getBean(Models.class).names()).isEmpty();
          assertThat(context).doesNotHaveBean(ChatModel.class);
          assertThat(context.getBean(Tools.class).names()).isEmpty();
          assertThat(context.getBeanDefinitionNames())
              .noneMatch(name -> name.startsWith("superstepSpringAi"));
        });
  }
}
