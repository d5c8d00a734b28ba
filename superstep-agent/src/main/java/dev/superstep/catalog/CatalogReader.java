package dev.superstep.catalog;

import dev.superstep.catalog.CatalogJson.ModelForm;
import dev.superstep.catalog.CatalogJson.PeriodForm;
import dev.superstep.catalog.CatalogJson.ProviderForm;
import dev.superstep.catalog.PricePeriod.Hours;
import dev.superstep.json.Json;
import dev.superstep.model.Capability;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/// Reads a catalogue, and collects what is wrong with its words. For one thread and one text.
final class CatalogReader {
  private final List<CatalogProblem> problems = new ArrayList<>();
  private List<Source> sources = List.of();

  /// The parsed catalogue; meaningless if there are problems.
  record Read(LocalDate date, List<Source> sources, List<CatalogProvider> providers) {}

  Read read(Json json) {
    var form = CatalogJson.CODEC.decode(json);
    if (form.schema() != ModelCatalog.SCHEMA) {
      add(
          "unsupported-schema",
          "The catalogue has schema %d, this version of Superstep reads %d. Make it anew or update."
              .formatted(form.schema(), ModelCatalog.SCHEMA));
    }
    sources =
        form.sources().stream()
            .map(s -> new Source(s.name(), s.version(), s.licence(), s.gives()))
            .toList();
    var date = date(form.date(), "The date of the catalogue");
    return new Read(date, sources, form.providers().stream().map(this::provider).toList());
  }

  /// In the order of the catalogue; may be added to.
  List<CatalogProblem> problems() {
    return problems;
  }

  private CatalogProvider provider(ProviderForm form) {
    var entries = form.models().stream().map(model -> entry(form, model)).toList();
    return new CatalogProvider(form.id(), form.sources(), form.hosts(), entries);
  }

  private ModelEntry entry(ProviderForm provider, ModelForm form) {
    var where = "Model `" + form.id() + "` of `" + provider.id() + "`";
    return new ModelEntry(
        provider.id(),
        form.id(),
        form.names().orElse(List.of()),
        form.status().flatMap(text -> constant(ModelStatus.class, text, where)),
        integer(form.context()),
        integer(form.output()),
        new Capabilities(capabilities(form.has(), where), capabilities(form.lacks(), where)),
        pricing(provider, form, where),
        provenance(provider, form, where));
  }

  // A word is the place of a source and the facts that it states.
  private Provenance provenance(ProviderForm provider, ModelForm form, String where) {
    var facts = new HashMap<String, List<String>>();
    for (var text : form.from().orElse(List.of())) {
      var words = text.split(" ", -1);
      var source = source(words[0]);
      if (source.isEmpty() || words.length == 1) {
        add(
            "bad-source",
            "%s has the origin `%s`. Write the place of a source and facts, such as `0 pricing`."
                .formatted(where, text));
        continue;
      }
      for (int i = 1; i < words.length; i++) {
        facts.computeIfAbsent(words[i], _ -> new ArrayList<>(1)).add(source.get());
      }
    }
    return new Provenance.Snapshot(provider.sources(), facts);
  }

  private Optional<String> source(String place) {
    for (int i = 0; i < sources.size(); i++) {
      if (place.equals(Integer.toString(i))) return Optional.of(sources.get(i).name());
    }
    return Optional.empty();
  }

  private Optional<Pricing> pricing(ProviderForm provider, ModelForm form, String where) {
    var prices = form.prices().orElse(List.of());
    if (prices.isEmpty()) return Optional.empty();
    var periods = prices.stream().map(period -> period(period, where)).toList();
    var besides = new TreeSet<>(form.besides().orElse(List.of()));
    return Optional.of(new Pricing(provider.currency(), periods, besides));
  }

  private PricePeriod period(PeriodForm form, String where) {
    var from = form.from().map(text -> date(text, where));
    var daily = form.daily().flatMap(hours -> hours(hours, where));
    var rates =
        new Rates(
            form.input().flatMap(text -> rate(text, where)),
            form.cached().flatMap(text -> rate(text, where)),
            form.write().flatMap(text -> rate(text, where)),
            form.output().flatMap(text -> rate(text, where)));
    return new PricePeriod(from, daily, rates);
  }

  private Optional<Rate> rate(String text, String where) {
    try {
      return Optional.of(Rate.parse(text));
    } catch (NumberFormatException _) {
      add(
          "bad-price",
          "%s has the price `%s`. Write `1.5` or `1.5 200000:3`.".formatted(where, text));
      return Optional.empty();
    }
  }

  private LocalDate date(String text, String where) {
    try {
      return LocalDate.parse(text);
    } catch (DateTimeException _) {
      add("bad-date", "%s has the date `%s`. Write it like `2026-09-23`.".formatted(where, text));
      return LocalDate.EPOCH;
    }
  }

  private Optional<Hours> hours(List<String> texts, String where) {
    try {
      if (texts.size() == 2) {
        return Optional.of(new Hours(time(texts.getFirst()), time(texts.getLast())));
      }
    } catch (DateTimeException _) {
      // told below
    }
    add(
        "bad-time",
        "%s has the hours `%s`. Write two times like `00:30:00Z`."
            .formatted(where, String.join(", ", texts)));
    return Optional.empty();
  }

  private static LocalTime time(String text) {
    return LocalTime.parse(text.endsWith("Z") ? text.substring(0, text.length() - 1) : text);
  }

  private Set<Capability> capabilities(Optional<List<String>> texts, String where) {
    var found = EnumSet.noneOf(Capability.class);
    for (var text : texts.orElse(List.of())) {
      constant(Capability.class, text, where).ifPresent(found::add);
    }
    return found;
  }

  private <E extends Enum<E>> Optional<E> constant(Class<E> type, String text, String where) {
    for (var constant : type.getEnumConstants()) {
      if (constant.name().equals(text)) return Optional.of(constant);
    }
    var all = List.of(type.getEnumConstants()).toString();
    add("unknown-word", "%s has `%s`. Write one of %s.".formatted(where, text, all));
    return Optional.empty();
  }

  private static OptionalInt integer(Optional<Integer> number) {
    return number.map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  private void add(String code, String message) {
    problems.add(new CatalogProblem(code, message));
  }
}
