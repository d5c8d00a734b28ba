package dev.superstep.catalog;

import dev.superstep.model.ModelRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/// A correction of the catalogue by a user, or an addition to it. Immutable.
///
/// ```java
/// catalog.with("ours",
///     CatalogOverride.of(ModelRef.parse("openai://gpt-5.2")).pricing(negotiated),
///     CatalogOverride.all("ollama").pricing(Pricing.free("USD")))
/// ```
///
/// An override of an entry's id changes that entry, for all names that it has. One of another name
/// makes an entry of that name's own, which otherwise says what the name led to before.
public final class CatalogOverride {
  private final String provider;
  private final String model;
  private final List<String> names;
  private final Optional<ModelStatus> status;
  private final OptionalInt contextWindow;
  private final OptionalInt maxOutputTokens;
  private final Capabilities capabilities;
  private final Optional<Pricing> pricing;

  private CatalogOverride(
      String provider,
      String model,
      List<String> names,
      Optional<ModelStatus> status,
      OptionalInt contextWindow,
      OptionalInt maxOutputTokens,
      Capabilities capabilities,
      Optional<Pricing> pricing) {
    this.provider = provider;
    this.model = model;
    this.names = List.copyOf(names);
    this.status = status;
    this.contextWindow = contextWindow;
    this.maxOutputTokens = maxOutputTokens;
    this.capabilities = capabilities;
    this.pricing = pricing;
  }

  /// Of one model.
  public static CatalogOverride of(ModelRef model) {
    return of(model.provider(), model.model());
  }

  /// Of one model of a provider that may have no scheme, such as `groq`.
  public static CatalogOverride of(String provider, String model) {
    return new CatalogOverride(
        provider,
        model,
        List.of(),
        Optional.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Capabilities.UNKNOWN,
        Optional.empty());
  }

  /// Of all models of a provider for which the catalogue has no entry, such as those of `local`.
  public static CatalogOverride all(String provider) {
    return of(provider, ModelEntry.ALL);
  }

  /// Other names that the entry stands for; see [ModelEntry#names].
  public CatalogOverride names(String... rules) {
    return new CatalogOverride(
        provider,
        model,
        List.of(rules),
        status,
        contextWindow,
        maxOutputTokens,
        capabilities,
        pricing);
  }

  public CatalogOverride status(ModelStatus newStatus) {
    return new CatalogOverride(
        provider,
        model,
        names,
        Optional.of(newStatus),
        contextWindow,
        maxOutputTokens,
        capabilities,
        pricing);
  }

  public CatalogOverride contextWindow(int tokens) {
    return new CatalogOverride(
        provider,
        model,
        names,
        status,
        OptionalInt.of(tokens),
        maxOutputTokens,
        capabilities,
        pricing);
  }

  public CatalogOverride maxOutputTokens(int tokens) {
    return new CatalogOverride(
        provider,
        model,
        names,
        status,
        contextWindow,
        OptionalInt.of(tokens),
        capabilities,
        pricing);
  }

  /// Sets capabilities that the model is known to have and to lack; others stay as they were.
  public CatalogOverride capabilities(Capabilities known) {
    return new CatalogOverride(
        provider, model, names, status, contextWindow, maxOutputTokens, known, pricing);
  }

  public CatalogOverride pricing(Pricing newPricing) {
    return new CatalogOverride(
        provider,
        model,
        names,
        status,
        contextWindow,
        maxOutputTokens,
        capabilities,
        Optional.of(newPricing));
  }

  /// The providers with this over them.
  List<CatalogProvider> over(List<CatalogProvider> providers, String layer) {
    var address = ModelCoordinates.of(providers, provider, model);
    var changed = new ArrayList<>(providers);
    for (int i = 0; i < changed.size(); i++) {
      var known = changed.get(i);
      if (known.id().equals(address.provider())) {
        changed.set(i, over(known, address, layer));
        return changed;
      }
    }
    var entries = List.of(made(address, Optional.empty(), layer));
    changed.add(new CatalogProvider(address.provider(), List.of(), List.of(), entries));
    return changed;
  }

  private CatalogProvider over(CatalogProvider known, ModelCoordinates address, String layer) {
    var entries = new ArrayList<>(known.entries());
    for (int i = 0; i < entries.size(); i++) {
      var entry = entries.get(i);
      if (entry.id().equalsIgnoreCase(address.model())) {
        entries.set(i, made(address, Optional.of(entry), layer));
        return with(known, entries);
      }
    }
    var before =
        new ModelIndex(entries)
            .find(address.model())
            .map(CatalogMatch::entry)
            .filter(entry -> !entry.isForAll() && !address.model().equals(ModelEntry.ALL));
    var own = "=" + address.model().toLowerCase(Locale.ROOT);
    entries.replaceAll(e -> e.withNames(e.names().stream().filter(n -> !n.equals(own)).toList()));
    entries.addFirst(made(address, before.map(e -> e.withNames(List.of(own))), layer));
    return with(known, entries);
  }

  private static CatalogProvider with(CatalogProvider known, List<ModelEntry> entries) {
    return new CatalogProvider(known.id(), known.sources(), known.hosts(), entries);
  }

  private ModelEntry made(ModelCoordinates address, Optional<ModelEntry> before, String layer) {
    var own = "=" + address.model().toLowerCase(Locale.ROOT);
    var allNames = new ArrayList<>(before.map(ModelEntry::names).orElse(List.of(own)));
    allNames.addAll(names);
    var window = before.map(ModelEntry::contextWindow).orElse(OptionalInt.empty());
    var output = before.map(ModelEntry::maxOutputTokens).orElse(OptionalInt.empty());
    return new ModelEntry(
        address.provider(),
        before
            .map(ModelEntry::id)
            .filter(address.model()::equalsIgnoreCase)
            .orElse(address.model()),
        allNames,
        status.or(() -> before.flatMap(ModelEntry::status)),
        contextWindow.isPresent() ? contextWindow : window,
        maxOutputTokens.isPresent() ? maxOutputTokens : output,
        before.map(ModelEntry::capabilities).orElse(Capabilities.UNKNOWN).correctedBy(capabilities),
        pricing.or(() -> before.flatMap(ModelEntry::pricing)),
        new Provenance.Overridden(layer, parts(), before.map(ModelEntry::provenance)));
  }

  /// Which parts of an entry it changes.
  List<String> parts() {
    var parts = new ArrayList<String>();
    if (!names.isEmpty()) parts.add("names");
    if (status.isPresent()) parts.add("status");
    if (contextWindow.isPresent()) parts.add("contextWindow");
    if (maxOutputTokens.isPresent()) parts.add("maxOutputTokens");
    if (!capabilities.equals(Capabilities.UNKNOWN)) parts.add("capabilities");
    if (pricing.isPresent()) parts.add("pricing");
    return parts;
  }

  String provider() {
    return provider;
  }

  String model() {
    return model;
  }

  @Override
  public String toString() {
    return "CatalogOverride[" + provider + "/" + model + "]";
  }
}
