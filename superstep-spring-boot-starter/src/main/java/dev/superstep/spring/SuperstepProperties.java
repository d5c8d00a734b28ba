package dev.superstep.spring;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The settings of an application.
///
/// @param store where threads and long-term memory are kept
/// @param checkpointer the bean that keeps threads
/// @param memory the bean that keeps long-term memory
/// @param models the models, by the names that the application uses
/// @param namedModels the bean that opens the models
/// @param chatModel the bean of the model named `default`, or of the only one
/// @param tools the bean that collects the annotated methods of all beans
/// @param runs the bean that runs agents and graphs
/// @param journal the events of runs, kept with their threads
/// @param drain the end of runs when the application stops
/// @param resume the runs that a killed process left
/// @param principal the bean that says for which user of a request a run works
/// @param sse the bean that streams runs to browsers, in applications with Spring MVC
/// @param reactiveSse the bean that streams runs in applications with WebFlux
/// @param health the health indicator
/// @param metrics the meters
@ConfigurationProperties("superstep")
record SuperstepProperties(
    @DefaultValue StoreSettings store,
    @DefaultValue Switch checkpointer,
    @DefaultValue Switch memory,
    Map<String, ModelSettings> models,
    @DefaultValue Switch namedModels,
    @DefaultValue Switch chatModel,
    @DefaultValue Switch tools,
    @DefaultValue Switch runs,
    @DefaultValue JournalSettings journal,
    @DefaultValue DrainSettings drain,
    @DefaultValue ResumeSettings resume,
    @DefaultValue Switch principal,
    @DefaultValue SseSettings sse,
    @DefaultValue Switch reactiveSse,
    @DefaultValue Switch health,
    @DefaultValue Switch metrics) {
  SuperstepProperties {
    // Absent where no model is named.
    models = models == null ? Map.of() : new LinkedHashMap<>(models);
  }

  /// A bean that can be switched off.
  ///
  /// @param enabled whether the bean is made
  record Switch(@DefaultValue("true") boolean enabled) {}

  /// The place of threads and long-term memory.
  ///
  /// @param file an SQLite file, which is made if it is missing; before any DataSource
  /// @param inMemory whether nothing is kept when the process ends; for tests and trials
  record StoreSettings(@Nullable Path file, @DefaultValue("false") boolean inMemory) {}

  /// A model.
  ///
  /// @param url such as `openai://gpt-5.2`
  /// @param key the vendor's key; unless set, the vendor's own variable is read
  /// @param baseUrl where the vendor is reached, version segment included
  record ModelSettings(String url, @Nullable String key, @Nullable String baseUrl) {
    /// Without the key.
    @Override
    public String toString() {
      return "ModelSettings[" + url + ", key " + (key == null ? "not set" : "hidden") + "]";
    }
  }

  /// The events of runs.
  ///
  /// @param enabled whether they are kept with their threads
  /// @param content whether what models, tools and people said is kept with them
  record JournalSettings(
      @DefaultValue("true") boolean enabled, @DefaultValue("true") boolean content) {}

  /// The end of runs when the application stops.
  ///
  /// @param enabled whether running supersteps are finished and saved first
  /// @param timeout how long they may take
  record DrainSettings(
      @DefaultValue("true") boolean enabled, @DefaultValue("20s") Duration timeout) {}

  /// The runs that a killed process left.
  ///
  /// @param enabled whether they are resumed by this application
  /// @param every how often it looks for them
  /// @param threads how many threads it looks at, the most recently written first
  record ResumeSettings(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("30s") Duration every,
      @DefaultValue("1000") int threads) {}

  /// Streams of server-sent events.
  ///
  /// @param enabled whether the bean is made
  /// @param heartbeat how often a quiet stream gets a comment, so that a gone client is noticed
  record SseSettings(
      @DefaultValue("true") boolean enabled, @DefaultValue("15s") Duration heartbeat) {}
}
