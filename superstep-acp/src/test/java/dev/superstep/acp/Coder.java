package dev.superstep.acp;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.files.FileTools;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.middleware.TodoList;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Question;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;

/// An agent for tests, which does what the last message says: `call TOOL {...}` calls a tool,
/// anything else is answered by words. As a program, it serves by standard streams.
final class Coder {
  static final Question<String, String> NAME = Question.of("name", String.class, String.class);
  static final Question<String, Colour> COLOUR = Question.of("colour", String.class, Colour.class);
  static final Question<String, Integer> SIZE =
      Question.of("size", String.class, Integer.class)
          .checkedBy(n -> n <= 10 ? Optional.empty() : Optional.of("at most 10"));

  static final Question<String, Person> PERSON = Question.of("person", String.class, Person.class);

  private static final Pattern CALL = Pattern.compile("call (\\w+) (\\{.*})", Pattern.DOTALL);

  private final Path folder;
  final CountDownLatch began = new CountDownLatch(1);

  /// @param folder for what its tools do
  Coder(Path folder) {
    this.folder = folder;
  }

  enum Colour {
    RED,
    GREEN
  }

  record Nothing() {}

  record Person(String name, Optional<Integer> age) {}

  record Place(String place) {}

  public static void main(String[] arguments) {
    var folder = Path.of(arguments[0]);
    var coder = new Coder(folder);
    try (var store = SqliteCheckpointer.open(folder.resolve("sessions.db"))) {
      AcpAgent.of(coder.builder().build(), store).serve();
    }
  }

  AgentBuilder builder() {
    return Agent.named("coder").model(ScriptedModel.by(Coder::reply)).tools(tools());
  }

  static ChatReply reply(ChatRequest request) {
    return switch (request.messages().getLast()) {
      case ToolMessage result -> ScriptedModel.text("It says: " + result.text());
      case UserMessage said -> {
        var call = CALL.matcher(said.text());
        if (!call.find()) yield ScriptedModel.text("You said: " + said.text());
        yield ScriptedModel.calls(new ToolCall("c1", call.group(1), call.group(2)));
      }
      default -> ScriptedModel.text("?");
    };
  }

  Tools tools() {
    var all = new ArrayList<Tool>();
    var files = FileTools.of(EditorFiles.alone());
    for (var name : files.names()) all.add(files.find(name).orElseThrow());
    all.add(
        Tool.of(
                "deploy",
                "Deploys it.",
                Place.class,
                (given, context) -> effect(given.place(), context))
            .withPolicy(ToolPolicy.readOnly().approved()));
    all.add(
        Tool.of("name", "Asks.", Nothing.class, (_, context) -> context.ask(NAME, "Which name?"))
            .withQuestions(NAME));
    all.add(
        Tool.of(
                "size",
                "Asks.",
                Nothing.class,
                (_, context) -> "size " + context.ask(SIZE, "Which size?"))
            .withQuestions(SIZE));
    all.add(
        Tool.of(
                "colour",
                "Asks.",
                Nothing.class,
                (_, context) -> "colour " + context.ask(COLOUR, "Which colour?"))
            .withQuestions(COLOUR));
    all.add(
        Tool.of(
                "person",
                "Asks.",
                Nothing.class,
                (_, context) -> String.valueOf(context.ask(PERSON, "Who is it?")))
            .withQuestions(PERSON));
    all.add(Tool.of("wait", "Waits.", Nothing.class, (_, _) -> waits()));
    return Tools.of(all);
  }

  private String effect(String place, ToolContext context) {
    var session = EditorSession.of(context.node()).orElseThrow();
    try {
      Files.writeString(
          folder.resolve("effects"),
          place + " in " + session.folder().getFileName() + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "deployed to " + place;
  }

  /// Waits until there is a file `go`.
  private String waits() throws Exception {
    Files.writeString(folder.resolve("waiting"), "");
    began.countDown();
    while (!Files.exists(folder.resolve("go"))) Thread.sleep(20);
    return "went on";
  }

  /// What was done so far, one on a line.
  static String effects(Path folder) throws IOException {
    var file = folder.resolve("effects");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  static TodoList todos() {
    return TodoList.create();
  }
}
