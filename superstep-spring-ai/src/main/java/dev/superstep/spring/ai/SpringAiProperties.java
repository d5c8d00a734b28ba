package dev.superstep.spring.ai;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The settings of the bridge to Spring AI.
///
/// @param models the models of Spring AI, by the names of their beans
/// @param chatModel the only model of Spring AI, where the application has no other
/// @param tools the tools of Spring AI: beans that are callbacks, and those of providers
@ConfigurationProperties("superstep.spring-ai")
record SpringAiProperties(
    @DefaultValue Switch models, @DefaultValue Switch chatModel, @DefaultValue Switch tools) {
  /// A bean that can be switched off.
  ///
  /// @param enabled whether the bean is made
  record Switch(@DefaultValue("true") boolean enabled) {}
}
