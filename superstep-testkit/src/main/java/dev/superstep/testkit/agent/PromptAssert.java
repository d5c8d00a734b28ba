package dev.superstep.testkit.agent;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.PromptLayout;
import dev.superstep.model.ToolSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractAssert;

/// Assertions on a model's request: [AgentAssertions#assertThatPrompt].
public final class PromptAssert extends AbstractAssert<PromptAssert, ChatRequest> {
  PromptAssert(ChatRequest actual) {
    super(actual, PromptAssert.class);
  }

  /// Some system message has this text in it.
  public PromptAssert hasSystemText(String part) {
    isNotNull();
    boolean has =
        actual.messages().stream()
            .anyMatch(m -> m instanceof SystemMessage && m.text().contains(part));
    if (!has) failWithMessage("No system message has `%s` in it:%n%s", part, format());
    return this;
  }

  /// The messages are of these roles: `system`, `user`, `assistant`, `tool`.
  public PromptAssert hasRoles(String... roles) {
    isNotNull();
    var found = actual.messages().stream().map(Prompts::role).toList();
    if (!found.equals(List.of(roles))) {
      failWithMessage("The roles are not %s:%n%s", List.of(roles), format());
    }
    return this;
  }

  /// Messages have these texts in them, each in a later message than the one before.
  public PromptAssert saysInOrder(String... parts) {
    isNotNull();
    int at = 0;
    var messages = actual.messages();
    for (var part : parts) {
      int from = at;
      while (at < messages.size() && !messages.get(at).text().contains(part)) at++;
      if (at == messages.size()) {
        failWithMessage("No message from %d on has `%s` in it:%n%s", from, part, format());
      }
      at++;
    }
    return this;
  }

  /// The last message has this text in it.
  public PromptAssert endsWith(String part) {
    isNotNull();
    if (!actual.messages().getLast().text().contains(part)) {
      failWithMessage("The last message does not have `%s` in it:%n%s", part, format());
    }
    return this;
  }

  /// The model may call these tools and no others, whatever their order.
  public PromptAssert offersExactly(String... tools) {
    isNotNull();
    var missing = new ArrayList<>(List.of(tools));
    var others = new ArrayList<String>();
    for (var tool : actual.tools()) if (!missing.remove(tool.name())) others.add(tool.name());
    if (!missing.isEmpty() || !others.isEmpty()) {
      failWithMessage(
          "The tools are not %s: missing are %s, not expected are %s:%n%s",
          List.of(tools), missing, others, format());
    }
    return this;
  }

  /// Asserts that a vendor can continue where the other prompt's cache ends: the part that stays
  /// the same from turn to turn is the same, byte for byte.
  public PromptAssert hasSamePrefixAs(ChatRequest other) {
    isNotNull();
    var changed = changed(other);
    if (!changed.isEmpty()) {
      failWithMessage(
          "The prefix is another one; these segments differ: %s%n%s", changed, format());
    }
    return this;
  }

  /// Verifies that the stable prefix differs from that of another request.
  public PromptAssert hasOtherPrefixThan(ChatRequest other) {
    isNotNull();
    if (changed(other).isEmpty()) failWithMessage("The prefix is the same:%n%s", format());
    return this;
  }

  private List<String> changed(ChatRequest other) {
    var before = prefix(other);
    var now = prefix(actual);
    var changed = new ArrayList<String>();
    now.forEach((id, print) -> {
      if (!print.equals(before.remove(id))) changed.add(id);
    });
    changed.addAll(before.keySet());
    return changed;
  }

  private static Map<String, String> prefix(ChatRequest request) {
    var prints = new LinkedHashMap<String, String>();
    for (var segment : PromptLayout.of(request).segments()) {
      if (segment.role() != PromptLayout.Role.STABLE_PREFIX) continue;
      prints.put(segment.id(), segment.fingerprint());
    }
    return prints;
  }

  /// Nothing that is sent has one of these in it: texts, thoughts, arguments, tools, options.
  public PromptAssert hasNoSecret(String... secrets) {
    isNotNull();
    for (int i = 0; i < secrets.length; i++) {
      if (secrets[i].isEmpty()) throw new IllegalArgumentException("a secret is empty");
      for (var part : sent().entrySet()) {
        if (!part.getValue().contains(secrets[i])) continue;
        // Logs of tests are read by many: the secret is not repeated, and nor is what is around it.
        failWithMessage("Secret %d of %d is in %s.", i + 1, secrets.length, part.getKey());
      }
    }
    return this;
  }

  private Map<String, String> sent() {
    var parts = new LinkedHashMap<String, String>();
    for (int i = 0; i < actual.messages().size(); i++) {
      var message = actual.messages().get(i);
      var where = "message " + i + " (" + Prompts.role(message) + ")";
      parts.put(where, message.text());
      for (int part = 0; part < message.content().size(); part++) {
        parts.put(where + ", part " + part, message.content().get(part).toString());
      }
      if (!(message instanceof AssistantMessage reply)) continue;
      for (var call : reply.calls()) {
        parts.put(where + ", call " + call.id(), call.tool() + " " + call.arguments());
      }
    }
    for (var tool : actual.tools()) {
      parts.put("tool " + tool.name(), tool.description() + " " + tool.parameters().text());
    }
    actual.vendorOptions().map(Json::text).ifPresent(text -> parts.put("vendor options", text));
    return parts;
  }

  /// Each tool call is answered exactly once, next to it, and there is no other answer: what
  /// vendors refuse otherwise.
  public PromptAssert isWellFormed() {
    isNotNull();
    var open = new ArrayList<String>();
    for (int i = 0; i < actual.messages().size(); i++) {
      Message message = actual.messages().get(i);
      if (message instanceof ToolMessage answer) {
        if (!open.remove(answer.callId())) {
          failWithMessage("Message %d answers no open call:%n%s", i, format());
        }
        continue;
      }
      if (!open.isEmpty()) {
        failWithMessage("Before message %d, calls %s have no answer:%n%s", i, open, format());
      }
      if (!(message instanceof AssistantMessage reply)) continue;
      for (var call : reply.calls()) {
        if (open.contains(call.id())) {
          failWithMessage("Message %d has two calls with id `%s`:%n%s", i, call.id(), format());
        }
        open.add(call.id());
      }
    }
    if (!open.isEmpty())
      failWithMessage("At the end, calls %s have no answer:%n%s", open, format());
    return this;
  }

  /// The names of the tools that are offered, for assertions of other kinds.
  public List<String> tools() {
    isNotNull();
    return actual.tools().stream().map(ToolSpec::name).toList();
  }

  private String format() {
    return Prompts.show(actual);
  }
}
