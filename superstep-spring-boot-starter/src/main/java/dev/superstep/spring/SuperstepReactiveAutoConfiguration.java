package dev.superstep.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.codec.ServerSentEvent;
import reactor.core.publisher.Flux;

/// Makes the bean that streams runs, in applications with WebFlux.
@AutoConfiguration(after = SuperstepAutoConfiguration.class)
@ConditionalOnClass({Flux.class, ServerSentEvent.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class SuperstepReactiveAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(Runs.class)
  @ConditionalOnBooleanProperty(name = "superstep.reactive-sse.enabled", matchIfMissing = true)
  ReactiveRunStreams superstepReactiveRunStreams(Runs runs, SuperstepProperties properties) {
    return new ReactiveRunStreams(runs, properties.sse().heartbeat());
  }
}
