package dev.superstep.catalog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The differences between two catalogues, for a person who has to judge a refresh. Immutable.
///
/// @param changes sorted by provider and model
public record CatalogDiff(List<Change> changes) {
  private static final String NONE = "unknown";

  public CatalogDiff {
    changes = List.copyOf(changes);
  }

  /// A difference.
  public sealed interface Change {
    String provider();

    String model();

    /// Only the later catalogue has the model.
    record Added(String provider, String model) implements Change {}

    /// Only the earlier catalogue has the model.
    record Removed(String provider, String model) implements Change {}

    /// Both have the model, but do not say the same of it.
    record Altered(String provider, String model, List<Detail> details) implements Change {
      public Altered {
        details = List.copyOf(details);
      }
    }
  }

  /// A property that differs.
  ///
  /// @param property `names`, `status`, `contextWindow`, `maxOutputTokens`, `has`, `lacks`,
  ///   `pricing` or `provenance`
  public record Detail(String property, String before, String after) {}

  /// Compares two catalogues.
  public static CatalogDiff between(ModelCatalog before, ModelCatalog after) {
    var old = byKey(before);
    var now = byKey(after);
    var changes = new ArrayList<Change>();
    var keys = new TreeSet<>(old.keySet());
    keys.addAll(now.keySet());
    for (var key : keys) {
      var was = old.get(key);
      var is = now.get(key);
      if (was == null && is != null) {
        changes.add(new Change.Added(is.provider(), is.id()));
      } else if (was != null && is == null) {
        changes.add(new Change.Removed(was.provider(), was.id()));
      } else if (was != null && is != null) {
        var details = details(was, is);
        if (!details.isEmpty()) changes.add(new Change.Altered(is.provider(), is.id(), details));
      }
    }
    return new CatalogDiff(changes);
  }

  /// Returns true if both catalogues say the same of the same models.
  public boolean isEmpty() {
    return changes.isEmpty();
  }

  /// A line for each change, with `+`, `-` and `~`, and one below for each thing said otherwise.
  public String text() {
    if (isEmpty()) return "no changes\n";
    var text = new StringBuilder();
    for (var change : changes) {
      var name = change.provider() + "/" + change.model() + "\n";
      switch (change) {
        case Change.Added _ -> text.append("+ ").append(name);
        case Change.Removed _ -> text.append("- ").append(name);
        case Change.Altered(_, _, var details) -> {
          text.append("~ ").append(name);
          for (var d : details) {
            text.append("    %s: %s -> %s\n".formatted(d.property(), d.before(), d.after()));
          }
        }
      }
    }
    return text.toString();
  }

  private static Map<String, ModelEntry> byKey(ModelCatalog catalog) {
    var entries = new LinkedHashMap<String, ModelEntry>();
    for (var entry : catalog.entries()) entries.put(entry.provider() + "/" + entry.id(), entry);
    return entries;
  }

  private static List<Detail> details(ModelEntry was, ModelEntry is) {
    var after = properties(is);
    var details = new ArrayList<Detail>();
    properties(was)
        .forEach((property, before) -> {
          var now = after.getOrDefault(property, NONE);
          if (!before.equals(now)) details.add(new Detail(property, before, now));
        });
    return details;
  }

  private static Map<String, String> properties(ModelEntry entry) {
    var properties = new LinkedHashMap<String, String>();
    properties.put("names", entry.names().isEmpty() ? "none" : String.join(", ", entry.names()));
    properties.put("status", entry.status().map(ModelStatus::name).orElse(NONE));
    properties.put("contextWindow", number(entry.contextWindow()));
    properties.put("maxOutputTokens", number(entry.maxOutputTokens()));
    properties.put("has", entry.capabilities().has().toString());
    properties.put("lacks", entry.capabilities().lacks().toString());
    properties.put("pricing", entry.pricing().map(CatalogDiff::words).orElse(NONE));
    properties.put("provenance", words(entry.provenance()));
    return properties;
  }

  private static String number(OptionalInt number) {
    return number.isPresent() ? String.valueOf(number.getAsInt()) : NONE;
  }

  private static String words(Provenance provenance) {
    return switch (provenance) {
      case Provenance.Snapshot _ -> "snapshot";
      case Provenance.Overridden(var layer, var parts, _) -> "override `" + layer + "` of " + parts;
    };
  }

  private static String words(Pricing pricing) {
    return pricing.periods().stream()
        .map(CatalogDiff::words)
        .collect(Collectors.joining("; ", pricing.currency() + " ", ""));
  }

  private static String words(PricePeriod period) {
    var words = new ArrayList<String>();
    period.from().ifPresent(from -> words.add("from " + from));
    period.daily().ifPresent(hours -> words.add(hours.start() + " to " + hours.end() + " UTC"));
    var rates = period.rates();
    rates.input().ifPresent(rate -> words.add("input " + rate.text()));
    rates.cachedInput().ifPresent(rate -> words.add("cached " + rate.text()));
    rates.cacheWrite().ifPresent(rate -> words.add("write " + rate.text()));
    rates.output().ifPresent(rate -> words.add("output " + rate.text()));
    return String.join(", ", words);
  }
}
