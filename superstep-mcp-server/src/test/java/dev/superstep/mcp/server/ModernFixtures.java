package dev.superstep.mcp.server;

import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.mcp.server.content.ClientQuestions;
import dev.superstep.mcp.server.content.ModelRequest;
import dev.superstep.mcp.server.content.ServedPrompt;
import dev.superstep.mcp.server.options.TaskUse;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.schema.JsonSchema;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// What the official conformance suite expects for revision 2026-07-28, in addition to the rest.
final class ModernFixtures {
  static final Question<String, Name> USER_NAME =
      Question.of("user_name", String.class, Name.class);

  private static final Question<String, Context> USER_CONTEXT =
      Question.of("user_context", String.class, Context.class);
  private static final Question<String, Confirmation> CONFIRM =
      Question.of("confirm_delete", String.class, Confirmation.class);
  private static final Question<String, Name> OTHER_NAME =
      Question.of("other_name", String.class, Name.class);
  private static final Channel<List<String>, String> HEARD = Channel.append("heard", String.class);
  private static final JsonSchema NOTHING =
      JsonSchema.parse(Json.parse("{\"type\": \"object\", \"properties\": {}}"));

  private ModernFixtures() {}

  record Nothing() {}

  record Name(String name) {}

  record Context(String context) {}

  record Confirmation(boolean confirm) {}

  record Slow(int seconds, Optional<String> label) {}

  record File(String filename) {}

  /// @param host as soon as it is there
  static void addTo(McpHostBuilder builder, AtomicReference<McpHost> host) {
    asking(builder);
    tasks(builder);
    changing(builder, host);
    builder.tool(
        Tool.of(
                "test_region",
                "Says where.",
                JsonSchema.parse(
                    Json.parse(
                        """
                        {"type": "object", "required": ["region"], "properties":
                          {"region": {"type": "string", "x-mcp-header": "Region"}}}
                        """)),
                (given, _) -> given)
            .withPolicy(ToolPolicy.readOnly()));
  }

  private static void asking(McpHostBuilder host) {
    host.tool(
            Tool.of(
                    "test_input_required_result_sampling",
                    "Asks the model of the client.",
                    Nothing.class,
                    (_, context) -> context.ask(ClientQuestions.MODEL, CAPITAL).text())
                .withQuestions(ClientQuestions.MODEL))
        .tool(
            Tool.of(
                    "test_missing_capability",
                    "Needs the model of the client.",
                    Nothing.class,
                    (_, context) -> context.ask(ClientQuestions.MODEL, CAPITAL).text())
                .withQuestions(ClientQuestions.MODEL))
        .tool(
            Tool.of(
                    "test_input_required_result_list_roots",
                    "Asks for folders.",
                    Nothing.class,
                    (_, context) -> context.ask(ClientQuestions.ROOTS, "to list them").toString())
                .withQuestions(ClientQuestions.ROOTS))
        .graph(
            "test_input_required_result_multiple_inputs",
            "Asks for three things at once.",
            asksAtOnce("three", List.of(USER_NAME, ClientQuestions.MODEL, ClientQuestions.ROOTS)),
            form())
        .graph(
            "test_input_required_result_capabilities",
            "Asks the user and the model.",
            asksAtOnce("two", List.of(USER_NAME, ClientQuestions.MODEL)),
            form())
        .prompt(
            ServedPrompt.asking(
                "test_input_required_result_prompt",
                "Asks for a context.",
                (_, context) -> {
                  var answer = context.ask(USER_CONTEXT, "What context should the prompt use?");
                  return List.of(ServedPrompt.Line.user("In the context " + answer.context()));
                },
                USER_CONTEXT));
  }

  private static final ModelRequest CAPITAL =
      ModelRequest.of("What is the capital of France?", 100);

  private static GraphForm form() {
    return new GraphForm(
        NOTHING,
        _ -> Input.of(HEARD, "begun"),
        end -> Json.string(end.get(HEARD).toString()),
        Optional.empty());
  }

  /// A graph that asks all of these in one superstep.
  private static Graph asksAtOnce(String name, List<Question<?, ?>> questions) {
    var builder =
        Graph.named("asks_" + name).channels(HEARD).questions(questions.toArray(Question[]::new));
    for (var question : questions) {
      builder =
          builder
              .node(question.name(), asks(question))
              .edge(Graph.START, question.name())
              .edge(question.name(), Graph.END);
    }
    return builder.compile();
  }

  private static Node asks(Question<?, ?> question) {
    return (_, context) ->
        Update.of(
            HEARD,
            question.equals(ClientQuestions.MODEL)
                ? context.interrupt(ClientQuestions.MODEL, CAPITAL).text()
                : question.equals(ClientQuestions.ROOTS)
                    ? context.interrupt(ClientQuestions.ROOTS, "to list them").toString()
                    : context
                        .interrupt(
                            question.equals(OTHER_NAME) ? OTHER_NAME : USER_NAME,
                            "What is your name?")
                        .name());
  }

  // --- Tasks ---

  private static void tasks(McpHostBuilder host) {
    host.tool(
            Tool.of("greet", "Greets.", Name.class, (given, _) -> "Hello, " + given.name() + "!")
                .withPolicy(ToolPolicy.readOnly()))
        .tool(
            Tool.of(
                    "slow_compute",
                    "Takes its time.",
                    Slow.class,
                    (given, _) -> {
                      Thread.sleep(1_000L * given.seconds());
                      return "Computed " + given.label().orElse("it") + ".";
                    })
                .withPolicy(ToolPolicy.readOnly()))
        .tasks("slow_compute", TaskUse.POSSIBLE)
        .tool(
            Tool.of(
                    "failing_job",
                    "Fails.",
                    Nothing.class,
                    (_, _) -> {
                      Thread.sleep(1_000);
                      return ToolResult.error("The job failed.");
                    })
                .withPolicy(ToolPolicy.readOnly()))
        .tasks("failing_job", TaskUse.ALWAYS)
        .graph("protocol_error_job", "Breaks.", breaks(), form())
        .tool(
            Tool.of(
                    "confirm_delete",
                    "Deletes what is confirmed.",
                    File.class,
                    (given, context) ->
                        context.ask(CONFIRM, "Delete " + given.filename() + "?").confirm()
                            ? "Deleted."
                            : "Kept.")
                .withQuestions(CONFIRM))
        .graph(
            "multi_input",
            "Asks for two names at once.",
            asksAtOnce("names", List.of(USER_NAME, OTHER_NAME)),
            form())
        .tool(
            Tool.of(
                    "test_tool_with_task",
                    "Asks first, and works as a task.",
                    Nothing.class,
                    (_, context) ->
                        "Hello, " + context.ask(USER_NAME, "What is your name?").name() + "!")
                .withQuestions(USER_NAME))
        .tasks("test_tool_with_task", TaskUse.AFTER_ANSWERS);
  }

  private static Graph breaks() {
    return Graph.named("breaks")
        .channels(HEARD)
        .node(
            "broken",
            (_, _) -> {
              throw new IllegalStateException("broken on purpose");
            })
        .edge(Graph.START, "broken")
        .edge("broken", Graph.END)
        .compile();
  }

  // --- Changes ---

  private static void changing(McpHostBuilder builder, AtomicReference<McpHost> host) {
    builder
        .tool(
            Tool.of(
                    "test_trigger_tool_change",
                    "Changes the tools.",
                    Nothing.class,
                    (_, _) -> {
                      host.get().changeTools(all -> new ArrayList<>(all));
                      return "Changed.";
                    })
                .withPolicy(ToolPolicy.readOnly()))
        .tool(
            Tool.of(
                    "test_trigger_prompt_change",
                    "Changes the prompts.",
                    Nothing.class,
                    (_, _) -> {
                      host.get().changePrompts(host.get().prompts());
                      return "Changed.";
                    })
                .withPolicy(ToolPolicy.readOnly()));
  }
}
