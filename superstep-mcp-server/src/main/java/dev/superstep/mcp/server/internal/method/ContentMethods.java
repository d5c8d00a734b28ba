package dev.superstep.mcp.server.internal.method;

import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.content.ServedPrompt;
import dev.superstep.mcp.server.content.ServedResource;
import dev.superstep.mcp.server.internal.call.ClientSession;
import dev.superstep.mcp.server.internal.protocol.ContentJson;
import dev.superstep.mcp.server.internal.protocol.Params;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.internal.protocol.RpcFailure;
import dev.superstep.mcp.server.internal.protocol.UriTemplate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The methods for resources, prompts and completions. Safe for many threads.
public final class ContentMethods {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.mcp.server");
  private static final int VALUES_MAX = 100;

  private final Supplier<Offer> offer;
  private final int page;

  public ContentMethods(Supplier<Offer> offer, int page) {
    this.offer = offer;
    this.page = page;
  }

  // --- Resources ---

  ObjectNode resources(JsonNode params, boolean areTemplates) throws RpcFailure {
    var all =
        offer.get().resources().stream().filter(one -> one.isTemplate() == areTemplates).toList();
    var field = areTemplates ? "resourceTemplates" : "resources";
    return Params.page(field, all, page, params, ContentMethods::listed);
  }

  private static ObjectNode listed(ServedResource one) {
    var json = Wire.object().put(one.isTemplate() ? "uriTemplate" : "uri", one.uri());
    json.put("name", one.name());
    if (!one.description().isEmpty()) json.put("description", one.description());
    return json.put("mimeType", one.mediaType());
  }

  ObjectNode read(JsonNode params) throws RpcFailure, InterruptedException {
    var uri = Params.required(params, "uri");
    var json = Wire.object();
    for (var one : offer.get().resources()) {
      var parts = parts(one, uri);
      if (parts.isEmpty()) continue;
      var content = made("resource " + one.name(), () -> one.reader().read(parts.get()));
      json.set("contents", ContentJson.contents(uri, one.mediaType(), content));
      return json;
    }
    throw new RpcFailure(Rpc.NO_RESOURCE, "There is no resource with this URI.");
  }

  private static Optional<Map<String, String>> parts(ServedResource one, String uri) {
    if (one.isTemplate()) return UriTemplate.match(one.uri(), uri);
    return one.uri().equals(uri) ? Optional.of(Map.of()) : Optional.empty();
  }

  ObjectNode subscribe(JsonNode params, ClientSession session) throws RpcFailure {
    var uri = Params.required(params, "uri");
    if (offer.get().resources().stream().noneMatch(one -> parts(one, uri).isPresent())) {
      throw new RpcFailure(Rpc.NO_RESOURCE, "There is no resource with this URI.");
    }
    session.subscribe(uri);
    return Wire.object();
  }

  // --- Prompts ---

  ObjectNode prompts(JsonNode params) throws RpcFailure {
    return Params.page("prompts", offer.get().prompts(), page, params, ContentMethods::listed);
  }

  private static ObjectNode listed(ServedPrompt one) {
    var json = Wire.object().put("name", one.name()).put("description", one.description());
    var list = json.putArray("arguments");
    for (var argument : one.arguments()) {
      list.addObject()
          .put("name", argument.name())
          .put("description", argument.description())
          .put("required", argument.isRequired());
    }
    return json;
  }

  private ServedPrompt prompt(String name) throws RpcFailure {
    return offer.get().prompts().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow(() -> RpcFailure.params("There is no prompt of this name."));
  }

  ObjectNode prompt(JsonNode params) throws RpcFailure, InterruptedException {
    var prompt = prompt(Params.required(params, "name"));
    var given = arguments(prompt, params);
    var lines = made("prompt " + prompt.name(), () -> prompt.writer().write(given));
    var json = Wire.object().put("description", prompt.description());
    var messages = json.putArray("messages");
    for (var line : lines) AskingPrompt.message(line).ifPresent(messages::add);
    return json;
  }

  /// The prompt of this name, if it is one that asks.
  Optional<AskingPrompt> asking(JsonNode params) throws RpcFailure {
    return offer.get().asking(Params.required(params, "name"));
  }

  /// The arguments that a prompt is given.
  Map<String, String> arguments(ServedPrompt prompt, JsonNode params) throws RpcFailure {
    var given = new HashMap<String, String>();
    for (var argument : prompt.arguments()) {
      var value = params.path("arguments").path(argument.name());
      if (value.isString()) given.put(argument.name(), Wire.whole(value.asString()));
      else if (argument.isRequired()) {
        throw RpcFailure.params("The prompt needs the argument `" + argument.name() + "`.");
      }
    }
    return Map.copyOf(given);
  }

  // --- Completions ---

  ObjectNode complete(JsonNode params) throws RpcFailure, InterruptedException {
    var argument = Params.required(params.path("argument"), "name");
    var typed = Wire.text(params.path("argument"), "value");
    var values =
        switch (Wire.text(params.path("ref"), "type")) {
          case "ref/prompt" -> {
            var prompt = prompt(Params.required(params.path("ref"), "name"));
            var found =
                prompt.arguments().stream()
                    .filter(one -> one.name().equals(argument))
                    .findFirst()
                    .orElseThrow(
                        () -> RpcFailure.params("The prompt has no argument of this name."));
            yield values(found.completion(), typed);
          }
          case "ref/resource" -> {
            var uri = Params.required(params.path("ref"), "uri");
            var found =
                offer.get().resources().stream()
                    .filter(one -> one.uri().equals(uri))
                    .findFirst()
                    .orElseThrow(
                        () -> RpcFailure.params("There is no resource template of this URI."));
            yield values(found.completions().getOrDefault(argument, _ -> List.of()), typed);
          }
          default -> throw RpcFailure.params("`ref` must be a prompt or a resource.");
        };
    var json = Wire.object();
    var completion = json.putObject("completion");
    var list = completion.putArray("values");
    values.stream().limit(VALUES_MAX).forEach(list::add);
    completion.put("total", values.size()).put("hasMore", values.size() > VALUES_MAX);
    return json;
  }

  private static List<String> values(Function<String, List<String>> completion, String typed)
      throws RpcFailure, InterruptedException {
    return made("completion", () -> completion.apply(typed));
  }

  // --- Code of the program ---

  /// Makes something.
  private interface Maker<T> {
    T make() throws Exception;
  }

  private static <T> T made(String what, Maker<T> maker) throws RpcFailure, InterruptedException {
    try {
      return maker.make();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      LOG.error("The {} failed", what, e);
      throw new RpcFailure(
          Rpc.INTERNAL, "The " + what + " failed; the log of the server tells why.");
    }
  }
}
