package dev.superstep.cli;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.Graph;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.DurableModel;
import dev.superstep.node.Approval;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.program.Program;
import dev.superstep.program.ProgramContext;
import dev.superstep.program.UnusableInput;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// A program for tests. A model says of each letter whether it is fine or risky; a person approves
/// the risky ones, and gives a reason for those that want one.
public final class LettersProgram implements Program {
  static final Channel<List<String>, String> LETTERS = Channel.append("letters", String.class);
  static final Channel<List<String>, String> DONE = Channel.append("done", String.class);
  static final Channel<String, String> REPORT = Channel.latest("report", String.class);
  static final Target<String> SETTLE = Target.of("settle", String.class);
  static final Question<String, Approval> SEND = Question.of("send", String.class, Approval.class);
  static final Question<String, Integer> PRICE = Question.of("price", String.class, Integer.class);

  private final String manners;

  /// As the toml names it.
  public LettersProgram() {
    this("");
  }

  private LettersProgram(String manners) {
    this.manners = manners;
  }

  /// A later version, which asks the model otherwise.
  public static final class Polite implements Program {
    private final LettersProgram letters = new LettersProgram("please: ");

    @Override
    public Graph graph(ProgramContext context) {
      return letters.graph(context);
    }

    @Override
    public Input input(Path source) {
      return letters.input(source);
    }

    @Override
    public String ask(Interrupt question) {
      return letters.ask(question);
    }

    @Override
    public String summary(State state) {
      return letters.summary(state);
    }
  }

  @Override
  public Graph graph(ProgramContext around) {
    return Graph.named("letters")
        .channels(LETTERS, DONE, REPORT)
        .questions(SEND, PRICE)
        .node("read", (_, _) -> NodeResult.nothing())
        .node(SETTLE, (letter, _, context) -> settle(letter, context, around))
        .node("report", (state, _) -> report(state, around.output()))
        .edge(START, "read")
        .fanOut("read", state -> sends(state.get(LETTERS)), SETTLE)
        .edge("settle", "report")
        .edge("report", END)
        .compile();
  }

  private static List<Send<?>> sends(List<String> letters) {
    var sends = new ArrayList<Send<?>>();
    for (var letter : letters) sends.add(Send.to(SETTLE, letter));
    return sends;
  }

  private NodeResult settle(String letter, NodeContext context, ProgramContext around)
      throws IOException, InterruptedException {
    if (letter.contains("price")) {
      return Update.of(DONE, letter + ": " + context.interrupt(PRICE, letter));
    }
    if (letter.contains("wait") && System.getenv("NO_WAITING") == null) {
      context.emit("waiting", letter);
      new java.util.concurrent.CountDownLatch(1).await();
    }
    if (letter.contains("hold") && System.getenv("NO_WAITING") == null) {
      context.emit("waiting", letter);
      System.in.read();
    }
    var model = DurableModel.in(context, around.model());
    var reply = model.call(ChatRequest.of(new UserMessage("", manners + letter)));
    log(around.output(), letter);
    var word = reply.message().text();
    if (!word.equals("risky")) return Update.of(DONE, letter + ": " + word);
    var answer = context.interrupt(SEND, letter);
    var note = answer.note().map(n -> " because " + n).orElse("");
    return Update.of(DONE, letter + ": " + (answer.approved() ? "sent" : "kept") + note);
  }

  /// One line for every time that a letter is worked on.
  private static synchronized void log(Path output, String letter) throws IOException {
    Files.createDirectories(output);
    var log = output.resolve("log.txt");
    Files.writeString(log, letter + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static NodeResult report(State state, Path output) throws IOException {
    Files.createDirectories(output);
    var file = output.resolve("report.txt");
    Files.writeString(file, String.join("\n", state.get(DONE)) + "\n");
    return Update.of(REPORT, file.toString());
  }

  @Override
  public Input input(Path source) {
    try (var files = Files.list(source)) {
      var letters = new ArrayList<String>();
      for (var file : files.sorted().toList()) letters.add(Files.readString(file).strip());
      if (letters.isEmpty()) throw new UnusableInput("Folder " + source + " holds no letters.");
      return Input.all(LETTERS, letters);
    } catch (IOException e) {
      throw new UnusableInput("Letters in " + source + " cannot be read: " + e.getMessage() + ".");
    }
  }

  @Override
  public String ask(Interrupt question) {
    return "Letter: " + question.payload().as(String.class);
  }

  @Override
  public String summary(State state) {
    return "report: " + state.get(REPORT);
  }
}
