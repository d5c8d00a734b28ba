package dev.superstep.example.guide.operations;

import dev.superstep.catalog.CatalogOverride;
import dev.superstep.catalog.ModelCatalog;
import dev.superstep.catalog.PriceResult.Known;
import dev.superstep.catalog.PriceResult.Unpriced;
import dev.superstep.catalog.Pricing;
import dev.superstep.catalog.Tokens;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import java.time.Instant;

/// A program put together from named parts, and what its models cost.
public final class Parts {
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");

  private Parts() {}

  static Registry registry() {
    return Registry.named("desk")
        .register(Component.of(Kind.MODEL, "small@1", ScriptedModel.saying("yes")))
        .register(Component.of(Kind.MODEL, "small@2", ScriptedModel.saying("no")))
        .alias(Kind.MODEL, "small", "small@2")
        .register(
            Component.perRun(Kind.SCRIPT, "letter", parts -> "written for " + parts.run())
                .withDependencies("model:small", "tool:mail"));
  }

  static void show(ModelCatalog catalog, String url) {
    var cost = catalog.price(ModelRef.parse(url), new Tokens(12_000, 8_000, 0, 500), NOON);
    System.out.println(
        switch (cost) {
          case Known(var known) -> url + " costs " + known;
          case Unpriced(var reason) -> reason;
        });
  }

  public static void main(String[] args) {
    var registry = registry();
    System.out.println(registry.describe(Kind.MODEL.id("small")).id());
    registry.diagnose().forEach(each -> System.out.println(each.code() + ": " + each.message()));

    var catalog = ModelCatalog.shipped();
    show(catalog, "openai://gpt-5.2-2025-12-11");
    show(catalog, "local://gemma3-270m");
    var free = CatalogOverride.all("local").pricing(Pricing.free("USD"));
    show(catalog.with("ours", free), "local://gemma3-270m");
  }
}
