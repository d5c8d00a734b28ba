package dev.superstep.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/// Makes the beans that stream runs and know their users, in applications with Spring MVC.
@AutoConfiguration(after = SuperstepAutoConfiguration.class)
@ConditionalOnClass(SseEmitter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class SuperstepWebAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(Runs.class)
  @ConditionalOnBooleanProperty(name = "superstep.sse.enabled", matchIfMissing = true)
  RunStreams superstepRunStreams(Runs runs, SuperstepProperties properties) {
    return new RunStreams(runs, properties.sse().heartbeat());
  }

  @Bean
  @ConditionalOnMissingBean(PrincipalSource.class)
  @ConditionalOnBooleanProperty(name = "superstep.principal.enabled", matchIfMissing = true)
  RequestPrincipals superstepPrincipals() {
    return new RequestPrincipals();
  }
}
