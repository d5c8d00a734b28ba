package dev.superstep.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Store;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.tool.ToolMethod;
import dev.superstep.tool.Tools;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class AutoConfigurationTest {
  @TempDir Path folder;

  private final ApplicationContextRunner context =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(SuperstepAutoConfiguration.class));

  private final ApplicationContextRunner inMemory =
      context.withPropertyValues("superstep.store.in-memory=true");

  @Test
  void threads_and_memory_are_in_the_file_that_a_property_names() {
    var file = folder.resolve("threads.db");
    context
        .withUserConfiguration(Shop.class)
        .withPropertyValues("superstep.store.file=" + file)
        .run(started -> {
          assertThat(started).hasNotFailed();
          assertThat(started.getBean(Checkpointer.class)).isInstanceOf(SqliteCheckpointer.class);
          var runs = started.getBean(Runs.class);
          assertThat(runs.invoke("rounds", Input.none(), "t"))
              .isInstanceOf(Outcome.Completed.class);
        });
    assertThat(file).exists();
    context
        .withUserConfiguration(Shop.class)
        .withPropertyValues("superstep.store.file=" + file)
        .run(started -> {
          var runs = started.getBean(Runs.class);
          var state = runs.graph("rounds").state(runs.options("t")).orElseThrow();
          assertThat(state.state().get(Shop.ROUND)).isEqualTo(5);
        });
  }

  @Test
  void threads_are_in_the_database_of_the_data_source_and_a_file_comes_before_it() {
    var source = PostgresServer.shared().freshDatabase().dataSource();
    var withSource = context.withBean(DataSource.class, () -> source);
    withSource.run(started -> {
      assertThat(started.getBean(Checkpointer.class)).isInstanceOf(PostgresCheckpointer.class);
      assertThat(started).hasSingleBean(Store.class);
    });
    withSource
        .withPropertyValues("superstep.store.file=" + folder.resolve("t.db"))
        .run(started ->
            assertThat(started.getBean(Checkpointer.class)).isInstanceOf(SqliteCheckpointer.class));
  }

  @Test
  void nothing_is_kept_only_in_memory_unless_that_is_asked_for() {
    context.run(started ->
        assertThat(started)
            .getFailure()
            .rootCause()
            .isInstanceOf(StoreMissing.class)
            .hasMessageContaining("superstep.store.file")
            .hasMessageContaining("superstep.store.in-memory=true"));
    inMemory.run(started -> {
      assertThat(started.getBean(Checkpointer.class)).isInstanceOf(InMemoryCheckpointer.class);
      assertThat(started.getBean(Store.class)).isInstanceOf(InMemoryStore.class);
    });
    inMemory
        .withPropertyValues("superstep.store.file=" + folder.resolve("t.db"))
        .run(started ->
            assertThat(started).getFailure().rootCause().hasMessageContaining("contradict"));
  }

  @Test
  void a_database_in_which_no_threads_can_be_kept_is_refused_by_its_name() {
    var sqlite = new org.sqlite.SQLiteDataSource();
    sqlite.setUrl("jdbc:sqlite:" + folder.resolve("other.db"));
    context
        .withBean(DataSource.class, () -> sqlite)
        .run(started ->
            assertThat(started)
                .getFailure()
                .rootCause()
                .isInstanceOf(StoreMissing.class)
                .hasMessageContaining("SQLite"));
  }

  @Test
  void beans_of_the_application_come_before_ours() {
    var own = new InMemoryCheckpointer();
    var model = ScriptedModel.saying("Hello.");
    context
        .withBean(Checkpointer.class, () -> own)
        .withBean(Store.class, InMemoryStore::open)
        .withBean(ChatModel.class, () -> model)
        .withPropertyValues("superstep.models.fast.url=ollama://localhost:11434/qwen3:8b")
        .run(started -> {
          assertThat(started.getBean(Checkpointer.class)).isSameAs(own);
          assertThat(started.getBean(ChatModel.class)).isSameAs(model);
          assertThat(started.getBean(Models.class).names()).containsExactly("fast");
        });
  }

  @Test
  void models_are_opened_by_the_names_of_their_properties() {
    inMemory
        .withPropertyValues(
            "superstep.models.default.url=openai://gpt-5.2",
            "superstep.models.default.key=sk-secret-1",
            "superstep.models.careful.url=anthropic://claude-opus-4-8",
            "superstep.models.careful.key=sk-secret-2",
            "superstep.models.careful.base-url=https://proxy.example/v1")
        .run(started -> {
          assertThat(started).hasNotFailed();
          var models = started.getBean(Models.class);
          assertThat(models.names()).containsExactlyInAnyOrder("default", "careful");
          assertThat(models.get("careful").ref().url()).isEqualTo("anthropic://claude-opus-4-8");
          assertThat(started.getBean(ChatModel.class)).isSameAs(models.get("default"));
          assertThatThrownBy(() -> models.get("quick"))
              .hasMessageContaining("superstep.models.quick.url")
              .hasMessageContaining("[careful, default]");
          assertThat(started.getBean(SuperstepProperties.class).toString())
              .contains("gpt-5.2")
              .doesNotContain("secret");
          assertThat(models.toString() + models.get("careful")).doesNotContain("secret");
        });
  }

  @Test
  void a_model_without_its_key_stops_the_start_and_says_which_one() {
    inMemory
        .withPropertyValues("superstep.models.fast.url=mistral://mistral-large")
        .run(started ->
            assertThat(started).getFailure().rootCause().hasMessageContaining("MISTRAL_API_KEY"));
    inMemory
        .withPropertyValues(
            "superstep.models.fast.url=ollama://localhost:11434/qwen3:8b",
            "superstep.models.fast.key=sk-secret")
        .run(started ->
            assertThat(started)
                .getFailure()
                .rootCause()
                .hasMessageContaining("superstep.models.fast")
                .hasMessageNotContaining("secret"));
  }

  static class Advised {
    @ToolMethod("Says hello.")
    public String hello(String name) {
      return "Hello " + name;
    }
  }

  @Test
  void tools_are_the_annotated_methods_of_all_beans_and_advice_applies_to_their_calls() {
    var called = new ArrayList<String>();
    var factory = new ProxyFactory(new Advised());
    factory.setProxyTargetClass(true);
    factory.addAdvice(
        (MethodInterceptor)
            call -> {
              called.add(call.getMethod().getName());
              return call.proceed();
            });
    var call = new dev.superstep.message.ToolCall("c", "hello", "{\"name\":\"Ann\"}");
    inMemory
        .withUserConfiguration(Shop.Orders.class)
        .withBean(Advised.class, () -> (Advised) factory.getProxy())
        .run(started -> {
          var tools = started.getBean(Tools.class);
          assertThat(tools.names()).containsExactlyInAnyOrder("find_order", "refund", "hello");
          var model =
              ScriptedModel.replying(ScriptedModel.calls(call), ScriptedModel.text("Done."));
          var agent = Agent.named("greeter").model(model).tools(tools).build();
          assertThat(agent.run("Greet Ann.").answer()).isEqualTo("Done.");
          assertThat(model.requests().getLast().messages().getLast().text()).isEqualTo("Hello Ann");
        });
    assertThat(called).containsExactly("hello");
  }

  @Configuration
  static class Twins {
    @Bean
    Graph first() {
      return new Shop().painting();
    }

    @Bean
    Graph second() {
      return new Shop().painting();
    }
  }

  @Test
  void two_graphs_of_one_name_are_refused_and_an_unknown_name_is_told_with_those_there_are() {
    inMemory
        .withUserConfiguration(Twins.class)
        .run(started ->
            assertThatThrownBy(started.getBean(Runs.class)::names)
                .hasMessageContaining("painting"));
    inMemory
        .withUserConfiguration(Shop.class)
        .run(started ->
            assertThatThrownBy(() -> started.getBean(Runs.class).ask("chef", "Hi", "t"))
                .isInstanceOf(UnknownRun.class)
                .hasMessageContaining("`chef`")
                .hasMessageContaining("desk"));
  }

  @Test
  void the_metadata_for_editors_describes_every_property() throws Exception {
    var name = "/META-INF/spring-configuration-metadata.json";
    String metadata;
    try (var in = SuperstepProperties.class.getResourceAsStream(name)) {
      metadata = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
    assertThat(List.of("store.file", "models", "drain.timeout", "resume.every", "sse.enabled"))
        .allSatisfy(property -> assertThat(metadata).contains("\"superstep." + property + "\""));
  }
}
