package dev.superstep.catalog;

import dev.superstep.model.Capability;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Currency;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds everything that is wrong with a catalogue. For one thread and one catalogue.
final class CatalogCheck {
  private final List<CatalogProblem> problems = new ArrayList<>();

  private CatalogCheck() {}

  static List<CatalogProblem> of(List<Source> sources, List<CatalogProvider> providers) {
    var check = new CatalogCheck();
    var named = sources.stream().map(Source::name).collect(Collectors.toSet());
    var seen = new HashSet<String>();
    for (var provider : providers) {
      if (!seen.add(provider.id())) {
        check.add("duplicate-key", "Provider `%s` is there twice.".formatted(provider.id()));
      }
      check.provider(provider, named);
    }
    return check.problems;
  }

  private void provider(CatalogProvider provider, Set<String> named) {
    boolean overridden =
        !provider.entries().isEmpty()
            && provider.entries().stream()
                .allMatch(entry -> entry.provenance() instanceof Provenance.Overridden);
    if (provider.sources().isEmpty() && !overridden) {
      add("missing-source", "Provider `%s` has no source. Name one.".formatted(provider.id()));
    }
    for (var source : provider.sources()) {
      if (!named.contains(source)) {
        add(
            "missing-source",
            "Provider `%s` names the source `%s`, which the catalogue does not list."
                .formatted(provider.id(), source));
      }
    }
    var ids = new HashSet<String>();
    var names = new HashMap<String, String>();
    for (var entry : provider.entries()) {
      if (!ids.add(entry.id().toLowerCase(Locale.ROOT))) {
        add("duplicate-key", "%s is there twice.".formatted(where(entry)));
      }
      entry(entry);
      names(entry, names);
    }
  }

  private void entry(ModelEntry entry) {
    var where = where(entry);
    if (entry.id().isBlank()) add("bad-name", "%s has a blank id.".formatted(where));
    limit(entry.contextWindow(), "context window", where);
    limit(entry.maxOutputTokens(), "output limit", where);
    var both = EnumSet.noneOf(Capability.class);
    both.addAll(entry.capabilities().has());
    both.retainAll(entry.capabilities().lacks());
    if (!both.isEmpty()) add("contradiction", "%s both has and lacks %s.".formatted(where, both));
    entry.pricing().ifPresent(pricing -> pricing(pricing, where));
  }

  private void limit(OptionalInt limit, String what, String where) {
    if (limit.isPresent() && limit.getAsInt() < 1) {
      add(
          "bad-limit",
          "%s has the %s %d. Leave it out if unknown.".formatted(where, what, limit.getAsInt()));
    }
  }

  private void pricing(Pricing pricing, String where) {
    if (!isCurrency(pricing.currency())) {
      add(
          "bad-currency",
          "%s has prices in `%s`, which is no ISO 4217 code such as `USD`."
              .formatted(where, pricing.currency()));
    }
    var before = LocalDate.MIN;
    for (var period : pricing.periods()) {
      rates(period.rates(), where);
      var from = period.from().orElse(before);
      if (from.isBefore(before)) {
        add(
            "bad-date",
            "%s has prices from %s after those from %s.".formatted(where, from, before));
      }
      before = from;
    }
  }

  private void rates(Rates rates, String where) {
    Stream.of(rates.input(), rates.cachedInput(), rates.cacheWrite(), rates.output())
        .flatMap(Optional::stream)
        .forEach(rate -> {
          price(rate.base(), where);
          long before = -1;
          for (var tier : rate.tiers()) {
            price(tier.price(), where);
            if (tier.over() <= before) {
              add(
                  "bad-tier",
                  "%s has a price over %d after %d.".formatted(where, tier.over(), before));
            }
            before = tier.over();
          }
        });
  }

  private void price(BigDecimal price, String where) {
    if (price.signum() < 0) {
      add("negative-price", "%s has the price %s. Prices are 0 or more.".formatted(where, price));
    }
  }

  /// Two entries that both have a name: who would be found hangs on their order.
  private void names(ModelEntry entry, Map<String, String> owners) {
    for (var text : entry.names()) {
      try {
        var name = NameRule.parse(text).name();
        if (name.isEmpty()) continue;
        var owner = owners.putIfAbsent(name.get(), entry.id());
        if (owner != null && !owner.equals(entry.id())) {
          add(
              "alias-clash",
              "%s has the name `%s`, which `%s` has.".formatted(where(entry), name.get(), owner));
        }
      } catch (IllegalArgumentException e) {
        add(
            "bad-rule",
            "%s has the rule `%s`: %s."
                .formatted(where(entry), text, String.valueOf(e.getMessage())));
      }
    }
  }

  private static boolean isCurrency(String code) {
    try {
      Currency.getInstance(code);
      return true;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static String where(ModelEntry entry) {
    return "Model `" + entry.id() + "` of `" + entry.provider() + "`";
  }

  private void add(String code, String message) {
    problems.add(new CatalogProblem(code, message));
  }
}
