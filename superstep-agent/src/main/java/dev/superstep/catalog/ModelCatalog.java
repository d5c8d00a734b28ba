package dev.superstep.catalog;

import dev.superstep.catalog.PriceResult.Unpriced;
import dev.superstep.json.Json;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelRef;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The known models as of a date: their status, limits, capabilities and prices.
///
/// ```java
/// var catalog = ModelCatalog.shipped();
/// var priced = catalog.price(ModelRef.parse("openai://gpt-5.2"), Tokens.of(1_200, 80), now);
/// ```
///
/// It tells nothing that its sources do not: what is unknown is empty. A run that must be
/// understood later keeps the names and costs that it had, not a reference into a catalogue.
/// Immutable, safe for many threads.
public final class ModelCatalog {
  /// The version of the form that [#parse] reads.
  public static final int SCHEMA = 1;

  private static final String SHIPPED = "models.json";
  private static final int ALIKE_MAX = 3;

  private final LocalDate date;
  private final List<Source> sources;
  private final List<CatalogProvider> providers;
  private final Map<String, CatalogProvider> byId;
  private final Map<String, ModelIndex> indexes = new ConcurrentHashMap<>();

  private ModelCatalog(LocalDate date, List<Source> sources, List<CatalogProvider> providers) {
    this.date = date;
    this.sources = List.copyOf(sources);
    this.providers = List.copyOf(providers);
    this.byId =
        this.providers.stream().collect(Collectors.toMap(CatalogProvider::id, Function.identity()));
  }

  /// Read when it is first asked for.
  private static final class Shipped {
    static final ModelCatalog CATALOG = parse(Json.unchecked(text()));

    private static String text() {
      try (InputStream in = ModelCatalog.class.getResourceAsStream(SHIPPED)) {
        return new String(
            Objects.requireNonNull(in, SHIPPED).readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /// The snapshot that comes with this version of Superstep.
  public static ModelCatalog shipped() {
    return Shipped.CATALOG;
  }

  /// A catalogue of one's own.
  ///
  /// @param date as of when it is right
  /// @throws InvalidCatalog with everything that is wrong
  public static ModelCatalog of(
      LocalDate date, List<Source> sources, List<CatalogProvider> providers) {
    var problems = CatalogCheck.of(sources, providers);
    if (!problems.isEmpty()) throw new InvalidCatalog(problems);
    return new ModelCatalog(date, sources, providers);
  }

  /// Reads the form of the snapshot that is shipped.
  ///
  /// @throws dev.superstep.json.MalformedJson if it does not have that form
  /// @throws InvalidCatalog with everything that is wrong with what it says
  public static ModelCatalog parse(Json json) {
    var reading = new CatalogReader();
    var read = reading.read(json);
    var problems = reading.problems();
    problems.addAll(CatalogCheck.of(read.sources(), read.providers()));
    if (!problems.isEmpty()) throw new InvalidCatalog(problems);
    return new ModelCatalog(read.date(), read.sources(), read.providers());
  }

  /// As of when it is right.
  public LocalDate date() {
    return date;
  }

  public List<Source> sources() {
    return sources;
  }

  public List<CatalogProvider> providers() {
    return providers;
  }

  /// All entries, provider by provider.
  public List<ModelEntry> entries() {
    return providers.stream().flatMap(provider -> provider.entries().stream()).toList();
  }

  /// The entry of a model, if there is one.
  public Optional<CatalogMatch> find(ModelRef model) {
    return find(model.provider(), model.model());
  }

  /// The entry of a model, if there is one.
  ///
  /// @param provider the scheme of a `ModelRef`, or a provider that has none, such as `groq`
  public Optional<CatalogMatch> find(String provider, String model) {
    var address = ModelCoordinates.of(providers, provider, model);
    return index(address.provider()).flatMap(index -> index.find(address.model()));
  }

  /// The entry of a model.
  ///
  /// @throws UnknownModel if there is none
  public ModelEntry get(ModelRef model) {
    return find(model).map(CatalogMatch::entry).orElseThrow(() -> unknown(model));
  }

  /// A model of which is known what this catalogue tells, where it does not say so itself:
  ///
  /// ```java
  /// Agent.named("clerk").model(ModelCatalog.shipped().profiled(model))
  /// ```
  ///
  /// What needs a profile then works by itself: requests that a model cannot take are refused
  /// before they are sent, contexts are fitted into its window, chains choose those that fit. Of a
  /// model that is not in here nothing more is known than it says.
  public ChatModel profiled(ChatModel model) {
    return new ProfiledModel(model, () -> find(model.ref()).map(CatalogMatch::entry));
  }

  /// The model with the profile of [#shipped], which is read when the profile is first asked for.
  static ChatModel profiledWhenAsked(ChatModel model) {
    return new ProfiledModel(model, () -> shipped().find(model.ref()).map(CatalogMatch::entry));
  }

  /// The cost of a model call, or the reason why it is unknown.
  ///
  /// @param at when the model was called
  public PriceResult price(ModelRef model, Tokens tokens, Instant at) {
    var found = find(model);
    if (found.isEmpty()) {
      return new Unpriced("The model catalogue has no `%s`.".formatted(model));
    }
    var pricing = found.get().entry().pricing();
    if (pricing.isEmpty()) {
      return new Unpriced("The model catalogue has no price for `%s`.".formatted(model));
    }
    return pricing.get().cost(tokens, at);
  }

  /// This catalogue with overrides over it, the later over the earlier.
  ///
  /// @param layer what they are called in [ModelEntry#provenance]
  /// @throws InvalidCatalog with everything that is wrong then
  public ModelCatalog with(String layer, CatalogOverride... overrides) {
    var layered = providers;
    for (var each : overrides) layered = each.over(layered, layer);
    return of(date, sources, layered);
  }

  /// Returns true if the date of the catalogue is longer ago than this.
  public boolean isStale(Clock clock, Duration age) {
    var day = date.atStartOfDay(ZoneOffset.UTC).toInstant();
    return Duration.between(day, clock.instant()).compareTo(age) > 0;
  }

  private UnknownModel unknown(ModelRef model) {
    var address = ModelCoordinates.of(providers, model.provider(), model.model());
    var alike =
        index(address.provider())
            .map(index -> index.alike(address.model(), ALIKE_MAX))
            .orElse(List.of());
    return new UnknownModel(address.provider(), address.model(), alike);
  }

  private Optional<ModelIndex> index(String provider) {
    var known = byId.get(provider);
    if (known == null) return Optional.empty();
    return Optional.of(indexes.computeIfAbsent(provider, _ -> new ModelIndex(known.entries())));
  }

  @Override
  public String toString() {
    return "ModelCatalog[%s, %d providers]".formatted(date, providers.size());
  }
}
