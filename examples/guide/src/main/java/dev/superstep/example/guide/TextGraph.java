package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.language.Source;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.message.Message;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.DurableModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.rag.Rag;
import dev.superstep.rag.RagGraph;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.run.Outcome.Interrupted;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// A graph as text, and one in Java that does what it does. The model is scripted, so that the
/// program runs anywhere.
public final class TextGraph {
  static final Channel<String, String> REQUEST = Channel.latest("request", String.class);
  static final Channel<String, String> SIZE = Channel.latest("size", String.class);
  static final Channel<String, String> DECISION = Channel.latest("decision", String.class);
  static final Channel<String, String> REPLY = Channel.latest("reply", String.class);
  static final Question<String, String> REFUND = Question.of("refund", String.class, String.class);

  private TextGraph() {}

  static Graph inJava(ChatModel small) {
    return Graph.named("refunds")
        .channels(REQUEST, SIZE, DECISION, REPLY)
        .questions(REFUND)
        .node(
            "judge",
            (state, context) -> {
              var rule = "A request over 100 EUR is large. Answer `small` or `large`: ";
              return Update.of(SIZE, said(small, context, rule + state.get(REQUEST)));
            })
        .node(
            "ask",
            (state, context) -> Update.of(DECISION, context.interrupt(REFUND, state.get(REQUEST))))
        .node(
            "write",
            (state, context) -> {
              var decision = state.find(DECISION).orElse("");
              var prompt = "Reply to: %s The decision: %s".formatted(state.get(REQUEST), decision);
              return Update.of(REPLY, said(small, context, prompt));
            })
        .edge(START, "judge")
        .route("judge", TextGraph::size, "ask", "write")
        .edge("ask", "write")
        .edge("write", END)
        .compile();
  }

  private static String size(State state) {
    return state.get(SIZE).equals("large") ? "ask" : "write";
  }

  private static String said(ChatModel model, NodeContext context, String prompt)
      throws InterruptedException {
    var request = ChatRequest.of(Message.user(prompt));
    return DurableModel.in(context, model).call(request).message().text();
  }

  static RagGraph asText(ChatModel small) throws IOException {
    var text = Files.readString(examples().resolve("refunds/refunds.rag"));
    var registry = Registry.named("refunds");
    registry.register(Component.of(Kind.MODEL, "small", small));
    var program =
        Rag.compile(Source.of("refunds.rag", text), registry, CheckPolicy.file("refunds.rag"));
    if (!program.isValid()) throw new IllegalStateException(program.text());
    return program.graph();
  }

  /// The folder of the examples, from wherever in the repository this runs.
  private static Path examples() {
    for (var at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.exists(at.resolve("examples/refunds"))) return at.resolve("examples");
    }
    throw new IllegalStateException("run this somewhere in the repository");
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    var request = "My chair for 450 EUR broke.";
    var options = RunOptions.thread("one").checkpoints(new InMemoryCheckpointer());
    var text = asText(ScriptedModel.saying("large", "We refund your chair."));
    var input = text.input(Map.of("request", request));
    if (text.run(input, options) instanceof Interrupted(var questions)) {
      var yes = Answers.of(questions.getFirst().id(), "yes");
      if (text.resume(yes, options) instanceof Completed(var state)) {
        System.out.println("text: " + text.output(state).text());
      }
    }
    options = RunOptions.thread("two").checkpoints(new InMemoryCheckpointer());
    var java = inJava(ScriptedModel.saying("large", "We refund your chair."));
    if (java.invoke(Input.of(REQUEST, request), options) instanceof Interrupted(var questions)) {
      var yes = Answers.of(questions.getFirst().id(), "yes");
      if (java.resume(yes, options) instanceof Completed(var state)) {
        System.out.println("Java: " + state.get(REPLY));
      }
    }
  }
}
