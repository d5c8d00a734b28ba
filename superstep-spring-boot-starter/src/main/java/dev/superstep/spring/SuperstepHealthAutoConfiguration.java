package dev.superstep.spring;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.Drain;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/// Makes the health indicator of the store, in applications that tell their health.
@AutoConfiguration(after = SuperstepAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
class SuperstepHealthAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean(name = "superstepHealthIndicator")
  @ConditionalOnBean(Checkpointer.class)
  @ConditionalOnBooleanProperty(name = "superstep.health.enabled", matchIfMissing = true)
  StoreHealthIndicator superstepHealthIndicator(Checkpointer store, ObjectProvider<Drain> drain) {
    return new StoreHealthIndicator(store, drain.getIfUnique());
  }
}
