package dev.superstep.catalog;

import dev.superstep.model.ModelRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The catalogue that a program uses: loaded when it is first asked for, with the program's own
/// overrides over it, refreshed when the program says so, with events for a listener.
///
/// ```java
/// var catalog = LiveCatalog.of(ModelCatalog::shipped).listener(log::add);
/// catalog.override("ours", CatalogOverride.all("local").pricing(Pricing.free("USD")));
/// catalog.refresh(() -> ModelCatalog.parse(Json.parse(Files.readString(path))));
/// ```
///
/// Safe for many threads. A refresh changes nothing for those who hold the [#catalog] before it.
public final class LiveCatalog {
  private final ReentrantLock changing = new ReentrantLock();
  private final CatalogSource first;
  private final List<Layer> layers = new ArrayList<>();
  private volatile CatalogListener listener = _ -> {};
  private volatile @Nullable Limit limit;
  private @Nullable ModelCatalog beneath;
  private volatile @Nullable Current current;

  /// Overrides that were made together.
  private record Layer(String name, List<CatalogOverride> overrides) {}

  /// When a catalogue is too old.
  private record Limit(Clock clock, Duration age) {}

  /// A catalogue in use, and whether its age was reported. Safe for many threads.
  private static final class Current {
    final ModelCatalog catalog;
    final AtomicBoolean published = new AtomicBoolean();

    Current(ModelCatalog catalog) {
      this.catalog = catalog;
    }
  }

  private LiveCatalog(CatalogSource first) {
    this.first = first;
  }

  /// A catalogue that begins with what a source gives when it is first needed.
  public static LiveCatalog of(CatalogSource first) {
    return new LiveCatalog(first);
  }

  /// A catalogue that begins with the snapshot that comes with Superstep.
  public static LiveCatalog shipped() {
    return of(ModelCatalog::shipped);
  }

  /// Sends events to this listener from now on.
  public LiveCatalog listener(CatalogListener newListener) {
    listener = newListener;
    return this;
  }

  /// Reports a catalogue that is older than this when it is next asked.
  public LiveCatalog staleAfter(Duration age, Clock clock) {
    limit = new Limit(clock, age);
    return this;
  }

  /// Lays overrides over this and every later catalogue.
  ///
  /// @throws InvalidCatalog with everything that is wrong with them; then nothing has changed
  public LiveCatalog override(String layer, CatalogOverride... overrides) {
    changing.lock();
    try {
      var added = new Layer(layer, List.of(overrides));
      if (beneath != null) {
        current = new Current(current().catalog.with(layer, overrides));
        publish(added);
      }
      layers.add(added);
    } finally {
      changing.unlock();
    }
    return this;
  }

  /// The catalogue as it is now.
  ///
  /// @throws CatalogUnavailable if the source of the first one failed; it is asked again next time
  /// @throws InvalidCatalog if the overrides do not go with it
  public ModelCatalog catalog() {
    return current().catalog;
  }

  /// The entry of a model, if there is one.
  public Optional<CatalogMatch> find(ModelRef model) {
    var now = current();
    publishIfStale(now);
    var found = now.catalog.find(model);
    var event =
        found
            .<CatalogEvent>map(match ->
                new CatalogEvent.LookupHit(
                    model.provider(), model.model(), match.entry().id(), match.via()))
            .orElseGet(() -> new CatalogEvent.LookupMissed(model.provider(), model.model()));
    publish(event);
    return found;
  }

  /// The cost of a model call.
  ///
  /// @param at when the model was called
  /// @throws UnknownPrice if nobody knows and the policy asks for that
  public PriceResult price(ModelRef model, Tokens tokens, Instant at, CostPolicy policy) {
    find(model);
    return policy.apply(catalog().price(model, tokens, at));
  }

  /// Takes a newer catalogue into use, with all overrides over it.
  ///
  /// @return what has changed
  /// @throws CatalogUnavailable if the source failed; the catalogue stays as it was
  /// @throws InvalidCatalog if what it gave cannot be used; the catalogue stays as it was
  /// @throws InterruptedException if interrupted in the source; the catalogue stays as it was
  public CatalogDiff refresh(CatalogSource source) throws InterruptedException {
    changing.lock();
    try {
      var before = catalog();
      publish(new CatalogEvent.RefreshStarted(before.date()));
      var loaded = loaded(source);
      use(loaded);
      var diff = CatalogDiff.between(before, catalog());
      publish(new CatalogEvent.RefreshCompleted(loaded.date(), diff));
      return diff;
    } finally {
      changing.unlock();
    }
  }

  private ModelCatalog loaded(CatalogSource source) throws InterruptedException {
    try {
      var loaded = source.load();
      layered(loaded); // fails before anything has changed
      return loaded;
    } catch (InterruptedException | InvalidCatalog e) {
      publish(new CatalogEvent.RefreshFailed(String.valueOf(e.getMessage())));
      throw e;
    } catch (Exception e) {
      publish(new CatalogEvent.RefreshFailed(String.valueOf(e.getMessage())));
      throw new CatalogUnavailable(
          "The model catalogue could not be refreshed", "The one before stays in use.", e);
    }
  }

  private Current current() {
    var now = current;
    if (now != null) return now;
    changing.lock();
    try {
      now = current;
      return now != null ? now : begin();
    } finally {
      changing.unlock();
    }
  }

  private Current begin() {
    try {
      return use(first.load());
    } catch (InvalidCatalog e) {
      publish(new CatalogEvent.SnapshotFailed(String.valueOf(e.getMessage())));
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) Thread.currentThread().interrupt();
      publish(new CatalogEvent.SnapshotFailed(String.valueOf(e.getMessage())));
      throw new CatalogUnavailable(
          "The model catalogue could not be loaded", "It is tried again when next asked.", e);
    }
  }

  private Current use(ModelCatalog loaded) {
    var made = new Current(layered(loaded));
    beneath = loaded;
    current = made;
    publish(new CatalogEvent.SnapshotLoaded(loaded.date(), loaded.entries().size()));
    layers.forEach(this::publish);
    return made;
  }

  private ModelCatalog layered(ModelCatalog loaded) {
    var made = loaded;
    for (var layer : layers) {
      made = made.with(layer.name, layer.overrides.toArray(CatalogOverride[]::new));
    }
    return made;
  }

  private void publish(Layer layer) {
    for (var each : layer.overrides) {
      publish(
          new CatalogEvent.OverrideApplied(
              layer.name, each.provider(), each.model(), each.parts()));
    }
  }

  private void publishIfStale(Current now) {
    var oldest = limit;
    if (oldest != null
        && now.catalog.isStale(oldest.clock, oldest.age)
        && now.published.compareAndSet(false, true)) {
      publish(new CatalogEvent.Stale(now.catalog.date()));
    }
  }

  private void publish(CatalogEvent event) {
    try {
      listener.on(event);
    } catch (RuntimeException e) {
      System.getLogger(LiveCatalog.class.getName())
          .log(System.Logger.Level.WARNING, "A listener of the model catalogue threw.", e);
    }
  }

  @Override
  public String toString() {
    return "LiveCatalog[" + catalog() + "]";
  }
}
