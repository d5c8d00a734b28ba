package dev.superstep.spring;

import dev.superstep.graph.Drain;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/// Makes the meters of runs, in applications with Micrometer.
@AutoConfiguration(
    after = SuperstepAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure"
          + ".CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass(MeterRegistry.class)
class SuperstepMetricsAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(MeterRegistry.class)
  @ConditionalOnBooleanProperty(name = "superstep.metrics.enabled", matchIfMissing = true)
  RunMeters superstepRunMeters(MeterRegistry registry, ObjectProvider<Drain> drain) {
    return new RunMeters(registry, drain.getIfUnique());
  }
}
