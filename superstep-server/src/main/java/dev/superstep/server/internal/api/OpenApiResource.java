package dev.superstep.server.internal.api;

import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Describes the API in the form of OpenAPI: made of the routes that the server has, with what was
/// written about each in `operations.txt` and `schemas.json`.
public final class OpenApiResource implements Resource {
  private static final Pattern PARTS = Pattern.compile("\\{([^}]*)}");
  private static final String STREAM = "stream";
  private static final String NONE = "none";
  private static final String REFUSAL = "Refusal";
  private static final String NAME = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$";
  private static final int LIMIT_MAX = 1_000;
  private static final int COLUMNS = 5;

  private final Routes routes;
  private final String version;
  private final boolean isAsking;

  /// @param routes all routes of the server, also those that are added later
  /// @param isAsking whether clients show who they are
  public OpenApiResource(Routes routes, String version, boolean isAsking) {
    this.routes = routes;
    this.version = version;
    this.isAsking = isAsking;
  }

  @Override
  public void addTo(Routes all) {
    all.open("GET", "/openapi.json", _ -> Reply.ok(document()));
  }

  /// A line of the table.
  record Operation(String summary, String query, String body, String answer) {}

  /// The table, by method and path.
  static Map<String, Operation> operations() {
    var all = new LinkedHashMap<String, Operation>();
    for (var line : text("operations.txt").lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) continue;
      var cells = line.split("\\|", -1);
      if (cells.length != COLUMNS) throw new IllegalStateException("operations.txt: " + line);
      all.put(
          cells[0].strip(),
          new Operation(cells[1].strip(), cells[2].strip(), cells[3].strip(), cells[4].strip()));
    }
    return all;
  }

  private static String text(String name) {
    try (var in = OpenApiResource.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ObjectNode document() {
    var json = JsonNodeFactory.instance.objectNode().put("openapi", "3.1.0");
    json.putObject("info").put("title", "Superstep Server").put("version", version);
    var operations = operations();
    var schemas = JsonMapper.shared().readTree(text("schemas.json"));
    var paths = json.putObject("paths");
    for (var route : routes.all()) {
      var known = operations.get(route.method() + " " + route.template());
      var path = paths.withObjectProperty(route.template());
      var operation = operation(route, known, schemas);
      if (isAsking && route.isOpen()) operation.putArray("security");
      path.set(route.method().toLowerCase(Locale.ROOT), operation);
    }
    var components = json.putObject("components");
    components.set("schemas", schemas);
    if (isAsking) ask(json, components.putObject("securitySchemes"));
    return json;
  }

  /// Either of the two is enough.
  private static void ask(ObjectNode json, ObjectNode schemes) {
    schemes.putObject("key").put("type", "apiKey").put("in", "header").put("name", "x-api-key");
    schemes.putObject("bearer").put("type", "http").put("scheme", "bearer");
    var security = json.putArray("security");
    for (var name : schemes.propertyNames()) security.addObject().putArray(name);
  }

  /// Where there is a schema that is named like the answer's with `Refusal` behind it, refusals
  /// have that one.
  ///
  /// @param known what is written about it; null for pages and for what is Superstep's own
  private static ObjectNode operation(
      Routes.Route route, @org.jspecify.annotations.Nullable Operation known, JsonNode schemas) {
    var json = JsonNodeFactory.instance.objectNode();
    if (known != null) json.put("summary", known.summary());
    var parameters = json.putArray("parameters");
    for (var part : PARTS.matcher(route.template()).results().toList()) {
      parameter(parameters.addObject(), part.group(1), "path");
    }
    if (known != null && !known.query().isEmpty()) {
      for (var name : known.query().split(",", -1))
        parameter(parameters.addObject(), name, "query");
    }
    if (known != null && !known.body().isEmpty()) {
      var schema = schemas.path(known.body());
      boolean isNeeded = schema.has("required") || schema.path("type").asString("").equals("array");
      content(json.putObject("requestBody").put("required", isNeeded), known.body());
    }
    var responses = json.putObject("responses");
    boolean isEmpty = known != null && known.answer().equals(NONE);
    var good = responses.putObject(isEmpty ? "204" : "200").put("description", "Done.");
    if (known != null && !isEmpty) content(good, known.answer());
    var bad = responses.putObject("default").put("description", "The reason for the refusal.");
    var name = known == null ? REFUSAL : known.answer() + REFUSAL;
    content(bad, schemas.has(name) ? name : REFUSAL);
    return json;
  }

  private static void parameter(ObjectNode json, String name, String in) {
    json.put("name", name).put("in", in);
    if (in.equals("path")) json.put("required", true);
    var schema = json.putObject("schema");
    switch (name) {
      case "limit" -> schema.put("type", "integer").put("minimum", 1).put("maximum", LIMIT_MAX);
      case "offset" -> schema.put("type", "integer").put("minimum", 0);
      case "action" ->
          schema.put("type", "string").putArray("enum").add("interrupt").add("rollback");
      // Nothing is named with control characters, and such addresses are refused.
      default -> schema.put("type", "string").put("pattern", NAME);
    }
  }

  private static void content(ObjectNode json, String schema) {
    var content = json.putObject("content");
    if (schema.equals(STREAM)) {
      var event = content.putObject("text/event-stream").putObject("schema").put("type", "object");
      var fields = event.putObject("properties");
      for (var field : List.of("id", "event", "data")) {
        fields.putObject(field).put("type", "string");
      }
    } else {
      var reference = content.putObject("application/json").putObject("schema");
      reference.put("$ref", "#/components/schemas/" + schema);
    }
  }
}
