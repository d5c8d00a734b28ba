package dev.superstep.mcp.server;

import dev.superstep.json.Json;
import dev.superstep.mcp.McpAnswer;
import dev.superstep.mcp.McpElicitation;
import dev.superstep.mcp.McpQuestions;
import dev.superstep.mcp.server.content.McpParts;
import dev.superstep.mcp.server.content.ServedPrompt;
import dev.superstep.mcp.server.content.ServedResource;
import dev.superstep.mcp.server.options.LogLevel;
import dev.superstep.message.Content;
import dev.superstep.node.Question;
import dev.superstep.schema.JsonSchema;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolHandler;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// The server that the official conformance suite expects.
final class ConformanceServer {
  static final String PICTURE =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5Er"
          + "kJggg==";
  static final String SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
  private static final String TEXT = "text/plain";

  private ConformanceServer() {}

  record Nothing() {}

  record Prompted(String prompt) {}

  record Said(String message) {}

  /// Serves at the port of the first argument until the process ends.
  public static void main(String[] arguments) throws Exception {
    var server = open().start(Integer.parseInt(arguments[0]));
    System.out.println(server.address());
    server.awaitStop();
  }

  static McpHost open() {
    var opened = new AtomicReference<McpHost>();
    var host = McpHost.named("conformance").version("1.0.0");
    tools(host);
    asking(host);
    askingInResults(host);
    resources(host);
    prompts(host);
    ModernFixtures.addTo(host, opened);
    var built = host.build();
    opened.set(built);
    return built;
  }

  private static void resources(McpHostBuilder host) {
    host.resource(
            ServedResource.of(
                    "test://static-text",
                    "text",
                    TEXT,
                    _ -> Content.of("This is the content of the static text resource."))
                .describedAs("A text."))
        .resource(
            ServedResource.of(
                    "test://static-binary",
                    "picture",
                    "image/png",
                    _ -> List.of(new Content.Image("image/png", PICTURE)))
                .describedAs("A picture."))
        .resource(
            ServedResource.of(
                    "test://watched-resource", "watched", TEXT, _ -> Content.of("Watched."))
                .describedAs("Something that changes."))
        .resource(
            ServedResource.template(
                    "test://template/{id}/data",
                    "template",
                    "application/json",
                    parts ->
                        Content.of(
                            "{\"id\":\"%s\",\"templateTest\":true,\"data\":\"Data for ID: %s\"}"
                                .formatted(parts.get("id"), parts.get("id"))))
                .describedAs("Data."));
  }

  private static void prompts(McpHostBuilder host) {
    host.prompt(
            ServedPrompt.of(
                "test_simple_prompt",
                "Simple.",
                _ -> List.of(ServedPrompt.Line.user("This is a simple prompt for testing."))))
        .prompt(
            ServedPrompt.of(
                    "test_prompt_with_arguments",
                    "With arguments.",
                    given ->
                        List.of(
                            ServedPrompt.Line.user(
                                "Prompt with arguments: arg1='%s', arg2='%s'"
                                    .formatted(given.get("arg1"), given.get("arg2")))))
                .argument(
                    new ServedPrompt.Argument(
                        "arg1", "First.", true, typed -> List.of(typed + "is", typed + "k")))
                .argument("arg2", "Second.", true))
        .prompt(
            ServedPrompt.of(
                    "test_prompt_with_embedded_resource",
                    "With a resource.",
                    given ->
                        List.of(
                            new ServedPrompt.Line(
                                true,
                                McpParts.resource(
                                    given.getOrDefault("resourceUri", ""),
                                    TEXT,
                                    "Embedded resource content for testing.")),
                            ServedPrompt.Line.user("Please process the embedded resource above.")))
                .argument("resourceUri", "The resource.", true))
        .prompt(
            ServedPrompt.of(
                "test_prompt_with_image",
                "With a picture.",
                _ ->
                    List.of(
                        new ServedPrompt.Line(true, new Content.Image("image/png", PICTURE)),
                        ServedPrompt.Line.user("Please analyze the image above."))));
  }

  private static void tools(McpHostBuilder host) {
    host.tool(
            plain(
                "test_simple_text",
                (_, _) -> ToolResult.of("This is a simple text response for testing.")))
        .tool(
            plain(
                "test_image_content",
                (_, _) -> ToolResult.of(List.of(new Content.Image("image/png", PICTURE)))))
        .tool(
            plain(
                "test_audio_content",
                (_, _) -> ToolResult.of(List.of(new Content.File("audio/wav", SOUND)))))
        .tool(
            plain(
                "test_embedded_resource",
                (_, _) ->
                    ToolResult.of(
                        List.of(
                            McpParts.resource(
                                "test://embedded-resource",
                                TEXT,
                                "This is an embedded resource content.")))))
        .tool(
            plain(
                "test_multiple_content_types",
                (_, _) ->
                    ToolResult.of(
                        List.of(
                            new Content.Text("Multiple content types test:"),
                            new Content.Image("image/png", PICTURE),
                            McpParts.resource(
                                "test://mixed-content-resource",
                                "application/json",
                                "{\"test\":\"data\",\"value\":123}")))))
        .tool(
            plain(
                "test_error_handling",
                (_, _) -> ToolResult.error("This tool intentionally returns an error for testing")))
        .tool(plain("test_tool_with_logging", ConformanceServer::logging))
        .tool(plain("test_tool_with_progress", ConformanceServer::progress))
        .tool(plain("test_reconnection", ConformanceServer::reconnection))
        .tool(
            Tool.of(
                "json_schema_2020_12_tool",
                "Tool with JSON Schema 2020-12 features",
                JsonSchema.parse(
                    Json.parse(
                        """
                        {"$schema": "https://json-schema.org/draft/2020-12/schema",
                         "type": "object",
                         "$defs": {"address": {"$anchor": "addressDef", "type": "object",
                           "properties":
                             {"street": {"type": "string"}, "city": {"type": "string"}}}},
                         "properties": {"name": {"type": "string"},
                           "address": {"$ref": "#/$defs/address"},
                           "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                           "phone": {"type": "string"}, "email": {"type": "string"}},
                         "allOf": [{"anyOf":
                           [{"required": ["phone"]}, {"required": ["email"]}]}],
                         "if": {"properties": {"contactMethod": {"const": "phone"}},
                           "required": ["contactMethod"]},
                         "then": {"required": ["phone"]},
                         "else": {"required": ["email"]},
                         "additionalProperties": false}
                        """)),
                (given, _) -> given));
  }

  private static Tool plain(String name, ToolHandler<Nothing> handler) {
    return Tool.of(name, "For the suite.", Nothing.class, handler)
        .withPolicy(ToolPolicy.readOnly());
  }

  private static ToolResult logging(Nothing nothing, ToolContext context) throws Exception {
    var call = McpCall.of(context).orElseThrow();
    call.log(LogLevel.INFO, Json.string("Tool execution started"));
    Thread.sleep(50);
    call.log(LogLevel.INFO, Json.string("Tool processing data"));
    Thread.sleep(50);
    call.log(LogLevel.INFO, Json.string("Tool execution completed"));
    return ToolResult.of("Logged.");
  }

  private static ToolResult progress(Nothing nothing, ToolContext context) throws Exception {
    var call = McpCall.of(context).orElseThrow();
    for (int done = 0; done <= 100; done += 50) {
      call.progress(done, 100, "");
      Thread.sleep(50);
    }
    return ToolResult.of("Told.");
  }

  private static ToolResult reconnection(Nothing nothing, ToolContext context) throws Exception {
    McpCall.of(context).orElseThrow().comeAgain(Duration.ofMillis(500));
    Thread.sleep(200);
    return ToolResult.of("Reconnected.");
  }

  record Name(String name) {}

  record Ok(boolean ok) {}

  record Colour(String color) {}

  private static final Question<String, Name> USER_NAME =
      Question.of("user_name", String.class, Name.class);
  private static final Question<String, Ok> CONFIRM =
      Question.of("confirm", String.class, Ok.class);
  private static final Question<String, Name> STEP_1 =
      Question.of("step1", String.class, Name.class);
  private static final Question<String, Colour> STEP_2 =
      Question.of("step2", String.class, Colour.class);

  /// The tools of revision 2026-07-28, which ask in their results.
  private static void askingInResults(McpHostBuilder host) {
    host.tool(
            Tool.of(
                    "test_input_required_result_elicitation",
                    "Asks for a name.",
                    Nothing.class,
                    (_, context) ->
                        "Hello, " + context.ask(USER_NAME, "What is your name?").name() + "!")
                .withQuestions(USER_NAME))
        .tool(confirming("test_input_required_result_request_state"))
        .tool(confirming("test_input_required_result_tampered_state"))
        .tool(
            Tool.of(
                    "test_input_required_result_multi_round",
                    "Asks twice.",
                    Nothing.class,
                    (_, context) ->
                        context.ask(STEP_1, "What is your name?").name()
                            + " likes "
                            + context.ask(STEP_2, "Which colour do you like?").color())
                .withQuestions(STEP_1, STEP_2))
        .tool(plain("test_logging_tool", ConformanceServer::logging))
        .tool(confirming("test_streaming_elicitation"));
  }

  private static Tool confirming(String name) {
    return Tool.of(
            name,
            "Asks for a confirmation.",
            Nothing.class,
            (_, context) -> context.ask(CONFIRM, "Please confirm.").ok() ? "state-ok" : "no")
        .withQuestions(CONFIRM);
  }

  private static void asking(McpHostBuilder host) {
    host.tool(
            Tool.of(
                "test_sampling",
                "Asks the model of the client.",
                Prompted.class,
                (given, context) ->
                    "LLM response: "
                        + McpCall.of(context).orElseThrow().sample(given.prompt(), 100)))
        .tool(
            Tool.of(
                    "test_elicitation",
                    "Asks the user of the client.",
                    Said.class,
                    (given, context) ->
                        "User response: "
                            + answer(
                                context,
                                given.message(),
                                """
                                {"username": {"type": "string", "description": "User's response"},
                                 "email": {"type": "string",
                                   "description": "User's email address"}}
                                """,
                                "[\"username\", \"email\"]"))
                .withQuestions(McpQuestions.ELICITED))
        .tool(
            asks(
                "test_elicitation_sep1034_defaults",
                """
                {"name": {"type": "string", "default": "John Doe"},
                 "age": {"type": "integer", "default": 30},
                 "score": {"type": "number", "default": 95.5},
                 "status": {"type": "string", "enum": ["active", "inactive", "pending"],
                   "default": "active"},
                 "verified": {"type": "boolean", "default": true}}
                """))
        .tool(
            asks(
                "test_elicitation_sep1330_enums",
                """
                {"untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
                 "titledSingle": {"type": "string", "oneOf": [
                   {"const": "value1", "title": "First Option"},
                   {"const": "value2", "title": "Second Option"},
                   {"const": "value3", "title": "Third Option"}]},
                 "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
                   "enumNames": ["Option One", "Option Two", "Option Three"]},
                 "untitledMulti": {"type": "array", "items":
                   {"type": "string", "enum": ["option1", "option2", "option3"]}},
                 "titledMulti": {"type": "array", "items": {"anyOf": [
                   {"const": "value1", "title": "First Choice"},
                   {"const": "value2", "title": "Second Choice"},
                   {"const": "value3", "title": "Third Choice"}]}}}
                """));
  }

  private static Tool asks(String name, String properties) {
    return Tool.of(
            name,
            "Asks the user of the client.",
            Nothing.class,
            (_, context) ->
                "Elicitation completed: "
                    + answer(context, "Please fill this in.", properties, "[]"))
        .withQuestions(McpQuestions.ELICITED);
  }

  private static String answer(
      ToolContext context, String message, String properties, String required) {
    var schema =
        Json.parse(
            "{\"type\": \"object\", \"properties\": %s, \"required\": %s}"
                .formatted(properties, required));
    McpAnswer answer =
        context.ask(
            McpQuestions.ELICITED,
            new McpElicitation("", message, Optional.of(schema), Optional.empty()));
    return "action=%s, content=%s"
        .formatted(
            answer.action().name().toLowerCase(java.util.Locale.ROOT),
            answer.content().map(Json::text).orElse("{}"));
  }
}
