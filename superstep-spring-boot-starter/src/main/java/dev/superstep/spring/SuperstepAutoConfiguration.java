package dev.superstep.spring;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.event.EventListener;
import dev.superstep.graph.Drain;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ChatModel;
import dev.superstep.store.Store;
import dev.superstep.tool.Tools;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/// Makes the beans of Superstep, each unless the application has its own, and each with a property
/// that switches it off.
@AutoConfiguration(
    afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@EnableConfigurationProperties(SuperstepProperties.class)
class SuperstepAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBooleanProperty(name = "superstep.checkpointer.enabled", matchIfMissing = true)
  Checkpointer superstepCheckpointer(
      SuperstepProperties properties, ObjectProvider<DataSource> sources) {
    return new StoreOpening(properties.store(), sources::getIfUnique).checkpointer();
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBooleanProperty(name = "superstep.memory.enabled", matchIfMissing = true)
  Store superstepMemory(SuperstepProperties properties, ObjectProvider<DataSource> sources) {
    return new StoreOpening(properties.store(), sources::getIfUnique).memory();
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBooleanProperty(name = "superstep.named-models.enabled", matchIfMissing = true)
  Models superstepModels(
      SuperstepProperties properties,
      Environment environment,
      ObjectProvider<ModelSource> sources) {
    var further = new LinkedHashMap<String, ChatModel>();
    sources.orderedStream().forEach(source -> source.models().forEach(further::putIfAbsent));
    return Models.open(
        properties.models(),
        variable -> Optional.ofNullable(environment.getProperty(variable)),
        further);
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(Models.class)
  @Conditional(OnStandardModel.class)
  @ConditionalOnBooleanProperty(name = "superstep.chat-model.enabled", matchIfMissing = true)
  ChatModel superstepChatModel(Models models) {
    return models.standard();
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBooleanProperty(name = "superstep.tools.enabled", matchIfMissing = true)
  Tools superstepTools(ListableBeanFactory beans) {
    return new BeanTools(beans).collect();
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBooleanProperty(name = "superstep.drain.enabled", matchIfMissing = true)
  Drain superstepDrain() {
    return new Drain();
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(Drain.class)
  @ConditionalOnBooleanProperty(name = "superstep.drain.enabled", matchIfMissing = true)
  DrainLifecycle superstepDrainLifecycle(Drain drain, SuperstepProperties properties) {
    return new DrainLifecycle(drain, properties.drain().timeout());
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(Checkpointer.class)
  @ConditionalOnBooleanProperty(name = "superstep.runs.enabled", matchIfMissing = true)
  Runs superstepRuns(
      Checkpointer store,
      SuperstepProperties properties,
      BeanFactory beans,
      ObjectProvider<Graph> graphs,
      ObjectProvider<Agent<?>> agents) {
    // Looked up when the first is run, since an agent may itself need this bean.
    Supplier<DeclaredGraphs> declared =
        SingletonSupplier.of(() ->
            DeclaredGraphs.of(graphs.orderedStream().toList(), agents.orderedStream().toList()));
    var listeners = beans.getBeanProvider(EventListener.class).orderedStream().toList();
    var options = Runs.options(options(beans), properties.journal(), listeners);
    // Not an injected one, so that a bean that needs this one may also say who works here.
    PrincipalSource principals =
        () ->
            Optional.ofNullable(beans.getBeanProvider(PrincipalSource.class).getIfUnique())
                .flatMap(PrincipalSource::current);
    return new Runs(store, options, declared, principals);
  }

  private static RunOptions options(BeanFactory beans) {
    var options = RunOptions.defaults();
    var memory = beans.getBeanProvider(Store.class).getIfUnique();
    if (memory != null) options = options.store(memory);
    var drain = beans.getBeanProvider(Drain.class).getIfUnique();
    if (drain != null) options = options.drain(drain);
    var clock = beans.getBeanProvider(InstantSource.class).getIfUnique();
    return clock == null ? options : options.clock(clock);
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(Runs.class)
  @ConditionalOnBooleanProperty("superstep.resume.enabled")
  LeftRunResumption superstepLeftRunResumption(Runs runs, SuperstepProperties properties) {
    return new LeftRunResumption(runs, properties.resume());
  }
}
