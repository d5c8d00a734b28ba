package dev.superstep.catalog;

import dev.superstep.catalog.CatalogMatch.Via;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds the entry of one provider that a name leads to: the first that has it as a name or whose
/// pattern it fits, then the one with that id, then the same without a date at the end. Immutable,
/// safe for many threads.
final class ModelIndex {
  private static final Pattern DATED =
      Pattern.compile("^(.+)[-@](20\\d{2})(-?)(\\d{2})\\3(\\d{2})$");

  private final List<ModelEntry> entries;
  private final Map<String, Integer> names = new HashMap<>();
  private final Map<String, ModelEntry> ids = new HashMap<>();
  private final List<Placed> patterns = new ArrayList<>();

  /// A pattern and the place of its entry.
  private record Placed(int place, NameRule rule) {}

  ModelIndex(List<ModelEntry> entries) {
    this.entries = entries;
    for (int place = 0; place < entries.size(); place++) {
      var entry = entries.get(place);
      ids.putIfAbsent(entry.id().toLowerCase(Locale.ROOT), entry);
      for (var text : entry.names()) {
        var rule = NameRule.parse(text);
        var name = rule.name();
        if (name.isPresent()) names.putIfAbsent(name.get(), place);
        else patterns.add(new Placed(place, rule));
      }
    }
  }

  Optional<CatalogMatch> find(String model) {
    var exact = exact(model);
    if (exact.isPresent()) return exact;
    var undated = undated(model);
    if (undated.isPresent()) return undated;
    return Optional.ofNullable(ids.get(ModelEntry.ALL))
        .map(all -> new CatalogMatch(all, Via.PATTERN));
  }

  /// Models whose names begin like a name, those that begin most alike first.
  List<String> alike(String model, int most) {
    return entries.stream()
        .map(ModelEntry::id)
        .filter(id -> common(id, model) >= Math.min(3, model.length()))
        .sorted((a, b) -> Integer.compare(common(b, model), common(a, model)))
        .limit(most)
        .toList();
  }

  private Optional<CatalogMatch> exact(String model) {
    var lower = model.toLowerCase(Locale.ROOT);
    Integer named = names.get(lower);
    for (var pattern : patterns) {
      if (named != null && named <= pattern.place) break;
      if (pattern.rule.matches(model)) {
        return Optional.of(new CatalogMatch(entries.get(pattern.place), Via.PATTERN));
      }
    }
    @Nullable ModelEntry found = named == null ? ids.get(lower) : entries.get(named);
    return Optional.ofNullable(found).map(entry -> new CatalogMatch(entry, Via.NAME));
  }

  private Optional<CatalogMatch> undated(String model) {
    if (model.length() > NameRule.NAME_MAX) return Optional.empty();
    var dated = DATED.matcher(model);
    if (!dated.matches() || !isDate(dated.group(2), dated.group(4), dated.group(5))) {
      return Optional.empty();
    }
    // The source writes dates with dashes where others may write them without.
    var dashed = String.join("-", dated.group(1), dated.group(2), dated.group(4), dated.group(5));
    return exact(dashed)
        .or(() -> exact(dated.group(1)).map(match -> new CatalogMatch(match.entry(), Via.UNDATED)));
  }

  private static boolean isDate(String year, String month, String day) {
    try {
      LocalDate.of(Integer.parseInt(year), Integer.parseInt(month), Integer.parseInt(day));
      return true;
    } catch (DateTimeException _) {
      return false;
    }
  }

  private static int common(String a, String b) {
    int length = 0;
    while (length < a.length() && length < b.length() && a.charAt(length) == b.charAt(length)) {
      length++;
    }
    return length;
  }
}
