package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T13")
class ChatRequestTest {
  private static final Json SCHEMA =
      Json.parse("{\"type\":\"object\",\"properties\":{},\"required\":[]}");

  /// A setting, by the name of its method.
  private static Map<String, UnaryOperator<ChatRequest>> settings() {
    var all = new LinkedHashMap<String, UnaryOperator<ChatRequest>>();
    all.put("withMessages", r -> r.withMessages(List.of(Message.user("b"))));
    all.put("withPrefix", r -> r.withPrefix(1, CacheHint.LONG));
    all.put("withTools", r -> r.withTools(List.of(new ToolSpec("t", "T.", SCHEMA))));
    all.put("withHostedTools", r -> r.withHostedTools(new HostedTool("v", Json.parse("{}"))));
    all.put("withDeferredTools", r -> r.withDeferredTools(Set.of("t")));
    all.put("withFormat", r -> r.withFormat(new ResponseFormat.JsonSchema("f", SCHEMA)));
    all.put("withTemperature", r -> r.withTemperature(0.5));
    all.put("withMaxTokens", r -> r.withMaxTokens(7));
    all.put("withSeed", r -> r.withSeed(3));
    all.put("withTopP", r -> r.withTopP(0.25));
    all.put("withStop", r -> r.withStop("END"));
    all.put("withEffort", r -> r.withEffort(Effort.HIGH));
    all.put("withToolChoice", r -> r.withToolChoice(new ToolChoice.Required()));
    all.put("withVendorOptions", r -> r.withVendorOptions(Json.parse("{\"a\":1}")));
    all.put("withNeeds", r -> r.withNeeds(Capability.VISION));
    all.put("withLabel", r -> r.withLabel("tenant", "7"));
    all.put("withTimeout", r -> r.withTimeout(Duration.ofSeconds(1)));
    all.put("withFirstByteTimeout", r -> r.withFirstByteTimeout(Duration.ofSeconds(2)));
    all.put("withIdleTimeout", r -> r.withIdleTimeout(Duration.ofSeconds(3)));
    all.put("withWholeReplyTimeout", r -> r.withWholeReplyTimeout(Duration.ofSeconds(4)));
    return all;
  }

  /// All that a request says of itself.
  private static Map<String, Object> fields(ChatRequest request) {
    var all = new LinkedHashMap<String, Object>();
    all.put("messages", List.copyOf(request.messages()));
    all.put("prefix", request.prefix());
    all.put("cacheHint", request.cacheHint());
    all.put("tools", request.tools());
    all.put("hostedTools", request.hostedTools());
    all.put("deferredTools", request.deferredTools());
    all.put("format", request.format());
    all.put("temperature", request.temperature());
    all.put("maxTokens", request.maxTokens());
    all.put("seed", request.seed());
    all.put("topP", request.topP());
    all.put("stop", request.stop());
    all.put("effort", request.effort());
    all.put("toolChoice", request.toolChoice());
    all.put("vendorOptions", request.vendorOptions());
    all.put("needs", request.needs());
    all.put("labels", request.labels());
    all.put("timeout", request.timeout());
    all.put("firstByteTimeout", request.firstByteTimeout());
    all.put("idleTimeout", request.idleTimeout());
    all.put("wholeReplyTimeout", request.wholeReplyTimeout());
    return all;
  }

  /// With a limit for whole replies of its own, which otherwise follows that of the call.
  private static ChatRequest plain(String text) {
    return ChatRequest.of(Message.user(text)).withWholeReplyTimeout(Duration.ofSeconds(9));
  }

  @Test
  void each_setting_changes_its_own_field_and_leaves_all_others() {
    var methods =
        Arrays.stream(ChatRequest.class.getDeclaredMethods())
            .filter(m -> Modifier.isPublic(m.getModifiers()) && m.getName().startsWith("with"))
            .map(m -> m.getName())
            .toList();
    assertThat(settings().keySet()).containsExactlyInAnyOrderElementsOf(methods);
    var plain = plain("a");
    settings()
        .forEach((name, setting) -> {
          var before = fields(plain);
          var after = fields(setting.apply(plain));
          var changed = before.keySet().stream().filter(f -> !before.get(f).equals(after.get(f)));
          var expected = name.equals("withPrefix") ? 2 : 1;
          assertThat(changed).as(name).hasSize(expected);
        });
  }

  @Test
  void each_setting_survives_all_others() {
    var all = plain("a");
    for (var setting : settings().values()) all = setting.apply(all);
    for (var one : settings().entrySet()) {
      var alone = fields(one.getValue().apply(plain("b")));
      var plain = fields(plain("b"));
      var together = fields(all);
      alone.forEach((field, value) -> {
        if (!value.equals(plain.get(field))) {
          assertThat(together).as(one.getKey()).containsEntry(field, value);
        }
      });
    }
  }

  @Test
  void an_agents_settings_reach_its_model() throws InterruptedException {
    var model = ScriptedModel.saying("Done.");
    var own = settings();
    own.keySet().removeAll(List.of("withMessages", "withTools", "withFormat", "withToolChoice"));
    own.remove("withNeeds");
    UnaryOperator<ChatRequest> change =
        request -> {
          for (var setting : own.values()) request = setting.apply(request);
          return request;
        };
    var _ = Agent.named("a").model(model).request(change).build().run("a");
    var asked = fields(model.requests().getFirst());
    var wanted = fields(change.apply(ChatRequest.of(Message.user("a"))));
    wanted.remove("messages");
    assertThat(asked).containsAllEntriesOf(wanted);
  }
}
