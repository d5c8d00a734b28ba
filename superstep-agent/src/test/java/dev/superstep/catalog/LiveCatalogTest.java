package dev.superstep.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.catalog.PriceResult.Known;
import dev.superstep.json.Json;
import dev.superstep.model.Capability;
import dev.superstep.model.ModelRef;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A catalogue in use: overrides, refreshes and what is told of them.
@Tag("T115")
@Tag("T123")
class LiveCatalogTest {
  private static final Instant NOW = Instant.parse("2026-10-01T12:00:00Z");
  private static final ModelRef BIG = ModelRef.parse("openai://big");
  private final List<CatalogEvent> events = new ArrayList<>();

  @Test
  void an_override_of_an_id_changes_the_entry_for_all_its_names() {
    var catalog = catalog("2026-01-01", "3").with("ours", CatalogOverride.of(BIG).contextWindow(7));
    var entry = catalog.get(ModelRef.parse("openai://big-latest"));
    assertThat(entry.contextWindow()).hasValue(7);
    assertThat(entry.pricing()).isPresent();
    assertThat(entry.provenance())
        .isEqualTo(
            new Provenance.Overridden(
                "ours",
                List.of("contextWindow"),
                Optional.of(new Provenance.Snapshot(List.of("test")))));
  }

  @Test
  void an_override_of_another_name_changes_that_name_alone() {
    var alias = ModelRef.parse("openai://big-latest");
    var catalog =
        catalog("2026-01-01", "3")
            .with("ours", CatalogOverride.of(alias).status(ModelStatus.RETIRED));
    assertThat(catalog.get(alias).status()).hasValue(ModelStatus.RETIRED);
    assertThat(catalog.get(alias).pricing()).isPresent();
    assertThat(catalog.get(BIG).status()).isEmpty();
    assertThat(catalog.get(BIG).provenance()).isInstanceOf(Provenance.Snapshot.class);
  }

  @Test
  void a_later_layer_lies_over_an_earlier_one() {
    var catalog =
        catalog("2026-01-01", "3")
            .with("first", CatalogOverride.of(BIG).contextWindow(1).maxOutputTokens(1))
            .with("second", CatalogOverride.of(BIG).contextWindow(2));
    assertThat(catalog.get(BIG).contextWindow()).hasValue(2);
    assertThat(catalog.get(BIG).maxOutputTokens()).hasValue(1);
  }

  @Test
  void an_override_may_add_a_provider_and_correct_capabilities() {
    var mine = ModelRef.parse("openai-compatible://http://localhost:8080/v1/mine");
    var catalog =
        catalog("2026-01-01", "3")
            .with("ours", CatalogOverride.of(mine).capabilities(Capabilities.of(Capability.TOOLS)))
            .with(
                "more",
                CatalogOverride.of(mine)
                    .capabilities(
                        new Capabilities(Set.of(Capability.VISION), Set.of(Capability.TOOLS))));
    assertThat(catalog.get(mine).capabilities().has()).containsExactly(Capability.VISION);
    assertThat(catalog.get(mine).capabilities().lacks()).containsExactly(Capability.TOOLS);
  }

  @Test
  void an_override_whose_name_belongs_to_another_model_is_refused() {
    var override = CatalogOverride.of("openai", "new").names("=big-latest");
    assertThatThrownBy(() -> catalog("2026-01-01", "3").with("ours", override))
        .isInstanceOf(InvalidCatalog.class)
        .hasMessageContaining("alias-clash");
  }

  @Test
  void nothing_is_loaded_before_it_is_asked_for_and_then_once() {
    var live = live();
    assertThat(events).isEmpty();
    live.find(BIG);
    live.find(ModelRef.parse("openai://none"));
    assertThat(names())
        .containsExactly("catalog.snapshot_loaded", "catalog.lookup_hit", "catalog.lookup_missed");
    assertThat(events.get(1))
        .isEqualTo(new CatalogEvent.LookupHit("openai", "big", "big", CatalogMatch.Via.NAME));
  }

  @Test
  void a_failing_source_is_reported_and_retried() {
    var broken = new boolean[] {true};
    var live =
        LiveCatalog.of(
                () -> {
                  if (broken[0]) throw new IOException("no file");
                  return catalog("2026-01-01", "3");
                })
            .listener(events::add);
    assertThatThrownBy(live::catalog)
        .isInstanceOf(CatalogUnavailable.class)
        .hasMessageContaining("no file");
    assertThat(names()).containsExactly("catalog.snapshot_failed");
    broken[0] = false;
    assertThat(live.catalog().get(BIG).id()).isEqualTo("big");
  }

  @Test
  void a_refresh_keeps_overrides_and_publishes_the_changes() throws InterruptedException {
    var live = live().override("ours", CatalogOverride.of(BIG).contextWindow(7));
    live.catalog();
    var diff = live.refresh(() -> catalog("2026-02-01", "4"));
    assertThat(diff.text())
        .isEqualTo(
            """
            ~ openai/big
                pricing: USD input 3, output 9 -> USD input 4, output 9
            """);
    assertThat(live.catalog().get(BIG).contextWindow()).hasValue(7);
    assertThat(names())
        .containsExactly(
            "catalog.snapshot_loaded",
            "catalog.override_applied",
            "catalog.refresh_started",
            "catalog.snapshot_loaded",
            "catalog.override_applied",
            "catalog.refresh_completed");
  }

  @Test
  void a_refresh_that_fails_changes_nothing() {
    var live = live();
    var before = live.catalog();
    assertThatThrownBy(() -> live.refresh(() -> ModelCatalog.parse(Json.parse("{}"))))
        .isInstanceOf(CatalogUnavailable.class)
        .hasMessageContaining("The one before stays in use.");
    assertThatThrownBy(() -> live.refresh(() -> catalog("2026-01-01", "-1")))
        .isInstanceOf(InvalidCatalog.class);
    assertThat(live.catalog()).isSameAs(before);
    assertThat(names())
        .endsWith(
            "catalog.refresh_started",
            "catalog.refresh_failed",
            "catalog.refresh_started",
            "catalog.refresh_failed");
  }

  @Test
  void an_outdated_catalogue_is_reported_once() {
    var live = live().staleAfter(Duration.ofDays(30), Clock.fixed(NOW, ZoneOffset.UTC));
    live.find(BIG);
    live.find(BIG);
    assertThat(names()).containsOnlyOnce("catalog.stale");
  }

  @Test
  void a_listener_that_throws_has_no_effect() {
    var live =
        LiveCatalog.of(() -> catalog("2026-01-01", "3"))
            .listener(_ -> {
              throw new IllegalStateException("no");
            });
    assertThat(live.find(BIG)).isPresent();
  }

  @Test
  @Tag("T52")
  void an_unknown_price_is_reported_or_fails_as_the_policy_says() {
    var live = live();
    assertThat(live.price(BIG, Tokens.of(1_000_000, 0), NOW, CostPolicy.FAIL))
        .isEqualTo(new Known(Cost.of("3", "USD")));
    var none = ModelRef.parse("openai://none");
    assertThat(live.price(none, Tokens.of(1, 1), NOW, CostPolicy.UNPRICED))
        .isEqualTo(new PriceResult.Unpriced("The model catalogue has no `openai://none`."));
    assertThatThrownBy(() -> live.price(none, Tokens.of(1, 1), NOW, CostPolicy.FAIL))
        .isInstanceOf(UnknownPrice.class);
  }

  @Test
  void a_diff_lists_added_and_removed_models() {
    var before = catalog("2026-01-01", "3");
    var after = before.with("ours", CatalogOverride.of("openai", "new"));
    assertThat(CatalogDiff.between(before, before).isEmpty()).isTrue();
    assertThat(CatalogDiff.between(before, after).text()).isEqualTo("+ openai/new\n");
    assertThat(CatalogDiff.between(after, before).text()).isEqualTo("- openai/new\n");
  }

  private LiveCatalog live() {
    return LiveCatalog.of(() -> catalog("2026-01-01", "3")).listener(events::add);
  }

  private List<String> names() {
    return events.stream().map(CatalogEvent::name).toList();
  }

  private static ModelCatalog catalog(String date, String input) {
    return ModelCatalog.parse(
        Json.parse(
            """
            {"schema":1,"date":"%s",
             "sources":[{"name":"test","version":"1","licence":"MIT","gives":"all"}],
             "providers":[{"id":"openai","currency":"USD","sources":["test"],"hosts":[],"models":[
              {"id":"big","names":["=big","=big-latest"],
               "prices":[{"input":"%s","output":"9"}]}]}]}
            """
                .formatted(date, input)));
  }
}
