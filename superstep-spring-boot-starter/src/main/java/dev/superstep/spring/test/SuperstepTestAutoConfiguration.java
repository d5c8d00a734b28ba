package dev.superstep.spring.test;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.model.ScriptedModel;
import dev.superstep.spring.Models;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import dev.superstep.testkit.ManualClock;
import java.nio.file.Path;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;

/// Replaces what runs of an application need from outside, for [SuperstepTest] only: nothing
/// imports it by itself.
@AutoConfiguration(beforeName = "dev.superstep.spring.SuperstepAutoConfiguration")
class SuperstepTestAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  ManualClock superstepTestClock(Environment environment) {
    return ManualClock.at(environment.getRequiredProperty("superstep.test.at"));
  }

  @Bean
  @Primary
  @ConditionalOnMissingBean(ScriptedModel.class)
  ScriptedModel superstepTestModel(Environment environment) {
    var script = environment.getProperty("superstep.test.script", "");
    if (!script.isEmpty()) return ScriptedModel.open(Path.of(script));
    var texts =
        Binder.get(environment)
            .bind("superstep.test.saying", Bindable.listOf(String.class))
            .orElse(List.of());
    return ScriptedModel.saying(texts.toArray(String[]::new));
  }

  @Bean
  @Primary
  Models superstepTestModels(ScriptedModel model) {
    return Models.always(model);
  }

  @Bean
  @Primary
  Checkpointer superstepTestCheckpointer(ManualClock clock) {
    return new InMemoryCheckpointer(clock, true);
  }

  @Bean
  @Primary
  Store superstepTestMemory(ManualClock clock) {
    return InMemoryStore.open(StoreOptions.defaults().clock(clock));
  }
}
