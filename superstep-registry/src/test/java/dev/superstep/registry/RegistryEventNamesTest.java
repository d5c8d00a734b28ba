package dev.superstep.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.catalog.CatalogEvent;
import dev.superstep.retrieval.RetrievalEvent;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The names of events of the registry, the catalogue and retrieval, as `docs/event-names.md` has
/// them. That each is published is shown where the event is made.
@Tag("T123")
class RegistryEventNamesTest {
  @Test
  void events_of_the_registry_have_the_stated_names() throws Exception {
    var names =
        List.of(
            "registry.component_registered",
            "registry.component_replaced",
            "registry.component_removed",
            "registry.alias_resolved",
            "registry.lookup_hit",
            "registry.lookup_missed",
            "registry.resolve_completed",
            "registry.resolve_failed",
            "registry.instantiate_completed",
            "registry.instantiate_failed",
            "registry.validation_failed");
    assertThat(RegistryEvent.class.getPermittedSubclasses()).hasSameSizeAs(names);
    for (var type : RegistryEvent.class.getPermittedSubclasses()) {
      var name = ((RegistryEvent) sample(type)).name();
      assertThat(names).contains(name);
      assertThat(page()).contains("`" + name.substring("registry.".length()) + "`");
    }
  }

  @Test
  void events_of_the_catalogue_have_the_stated_names() throws Exception {
    var names =
        Set.of(
            "catalog.snapshot_loaded",
            "catalog.snapshot_failed",
            "catalog.lookup_hit",
            "catalog.lookup_missed",
            "catalog.stale",
            "catalog.override_applied",
            "catalog.refresh_started",
            "catalog.refresh_completed",
            "catalog.refresh_failed");
    for (var type : CatalogEvent.class.getPermittedSubclasses()) {
      var name = ((CatalogEvent) sample(type)).name();
      assertThat(names).contains(name);
      assertThat(page()).contains("`" + name + "`");
    }
    assertThat(CatalogEvent.class.getPermittedSubclasses()).hasSameSizeAs(names);
  }

  @Test
  void events_of_retrieval_have_the_stated_names() throws Exception {
    var families =
        List.of("embedding.", "vector_store.", "retriever.", "reranking.", "query.", "indexing.");
    for (var type : RetrievalEvent.class.getPermittedSubclasses()) {
      var name = ((RetrievalEvent) sample(type)).kind();
      assertThat(families).anyMatch(name::startsWith);
      assertThat(page()).contains("`" + name + "`");
    }
  }

  private static String page() throws java.io.IOException {
    return Files.readString(Path.of("..", "docs", "event-names.md"));
  }

  /// Some value of a type.
  private static Object sample(Class<?> type) throws ReflectiveOperationException {
    if (type == ComponentId.class) return ComponentId.parse("tool:look");
    if (type == String.class) return "x";
    if (type == int.class) return 1;
    if (type == long.class) return 1L;
    if (type == boolean.class) return true;
    if (type == double.class) return 0.5;
    if (type == List.class) return List.of();
    if (type == Set.class) return Set.of();
    if (type == Optional.class) return Optional.empty();
    if (type == Duration.class) return Duration.ZERO;
    if (type == LocalDate.class) return LocalDate.EPOCH;
    if (type.isEnum()) return type.getEnumConstants()[0];
    if (!type.isRecord()) throw new IllegalArgumentException("no sample of " + type);
    var components = type.getRecordComponents();
    var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    var values = new Object[types.length];
    for (int i = 0; i < types.length; i++) values[i] = sample(types[i]);
    var constructor = type.getDeclaredConstructor(types);
    constructor.setAccessible(true);
    return constructor.newInstance(values);
  }
}
