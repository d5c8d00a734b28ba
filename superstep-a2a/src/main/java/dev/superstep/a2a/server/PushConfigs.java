package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.json.Json;
import dev.superstep.server.extension.RunTopic;
import dev.superstep.server.extension.ServerRequest;
import dev.superstep.server.extension.Subscription;
import dev.superstep.server.extension.Subscriptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The webhooks of tasks. For one request.
final class PushConfigs {
  private static final int CONFIGS_MAX = 10;
  private static final int ID_MAX = 200;
  private static final String TOKEN = "X-A2A-Notification-Token";

  private final ServerRequest request;
  private final TaskReader tasks;

  PushConfigs(ServerRequest request, TaskReader tasks) {
    this.request = request;
    this.tasks = tasks;
  }

  private Subscriptions of(KnownTask task) {
    return request.subscriptions(task.context(), new RunTopic(TaskReader.TASK, task.id()));
  }

  // --- The configs ---

  /// Saves a webhook. One for a task that is not at work hears how the task stands at once: its
  /// client may have been too late for the change.
  ObjectNode create(KnownTask task, JsonNode params) throws InterruptedException {
    var one = read(params);
    boolean isAtWork = of(task).put(one, CONFIGS_MAX);
    if (!isAtWork) {
      var now = tasks.find(task.id());
      // If it was answered meanwhile, the end of that run is told.
      if (!now.isAtWork()) {
        of(task).send(one, now.run().path("run_id").asString("") + "/ended", notice(now));
      }
    }
    return json(task, one);
  }

  /// Reads what a client sends.
  ///
  /// @throws RpcError if it is no config
  static Subscription read(JsonNode params) {
    if (!params.isObject()) throw RpcError.params("The push notification config is no object.");
    var given = params.path("id").asString("");
    boolean isId = given.length() <= ID_MAX && given.chars().allMatch(c -> c > ' ' && c < 0x7f);
    if (!isId || given.contains("/")) {
      throw RpcError.params(
          "`id` must have at most %d characters of ASCII, without blanks and slashes."
              .formatted(ID_MAX));
    }
    if (!params.path("url").isString()) throw RpcError.params("`url` must be a URL.");
    var headers = headers(params);
    var settings = Trees.object();
    copy(params, "token", settings);
    if (params.path("authentication") instanceof ObjectNode authentication) {
      var kept = settings.putObject("authentication");
      copy(authentication, "scheme", kept);
      copy(authentication, "credentials", kept);
    }
    var id = given.isEmpty() ? UUID.randomUUID().toString() : given;
    var url = params.path("url").stringValue();
    try {
      return new Subscription(id, url, headers, Trees.json(settings));
    } catch (IllegalArgumentException e) {
      throw RpcError.params("`url` is no usable URL: " + e.getMessage() + ".");
    }
  }

  private static void copy(JsonNode from, String name, ObjectNode to) {
    if (from.path(name).isString()) to.set(name, from.path(name));
  }

  private static Map<String, String> headers(JsonNode params) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Type", "application/a2a+json");
    headers.put("A2A-Version", "1.0");
    var token = text(params.path("token"), "token");
    if (!token.isEmpty()) headers.put(TOKEN, token);
    var authentication = params.path("authentication");
    if (Trees.isNone(authentication)) return headers;
    var scheme = text(authentication.path("scheme"), "authentication.scheme");
    if (!scheme.matches("[A-Za-z0-9-]{1,50}")) {
      throw RpcError.params("`authentication.scheme` must be a scheme of HTTP, such as Bearer.");
    }
    var credentials = text(authentication.path("credentials"), "authentication.credentials");
    if (!credentials.isEmpty()) headers.put("Authorization", scheme + " " + credentials);
    return headers;
  }

  private static String text(JsonNode value, String name) {
    if (Trees.isNone(value)) return "";
    // Room for the scheme before credentials.
    boolean isGood =
        value.isString()
            && value.stringValue().length() <= 4_000
            && Subscription.isValue(value.stringValue());
    if (isGood) return value.stringValue();
    throw RpcError.params("`" + name + "` must have at most 4000 printable characters of ASCII.");
  }

  /// A webhook by its id.
  ///
  /// @throws RpcError if there is none
  ObjectNode get(KnownTask task, String id) {
    for (var one : of(task).all()) if (one.id().equals(id)) return json(task, one);
    throw RpcError.noConfig(task.id(), id);
  }

  /// All of them; there are few.
  ObjectNode list(KnownTask task) {
    var json = Trees.object();
    var configs = json.putArray("configs");
    for (var one : of(task).all()) configs.add(json(task, one));
    return json.put("nextPageToken", "");
  }

  /// Deletes a webhook, if it is there.
  void delete(KnownTask task, String id) {
    var _ = of(task).remove(id);
  }

  private static ObjectNode json(KnownTask task, Subscription one) {
    var json = Trees.object().put("id", one.id()).put("taskId", task.id()).put("url", one.url());
    if (Trees.of(one.settings()) instanceof ObjectNode settings) json.setAll(settings);
    return json;
  }

  // --- Changes that no run makes ---

  /// Tells that a task was cancelled while it asked something.
  void tellCanceled(KnownTask task) {
    var all = of(task);
    for (var one : all.all()) all.send(one, "canceled", notice(task));
  }

  private Json notice(KnownTask task) {
    return PushNotices.of(tasks.json(), task);
  }
}
