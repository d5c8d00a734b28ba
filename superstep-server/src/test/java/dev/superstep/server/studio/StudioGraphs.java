package dev.superstep.server.studio;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Prices;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Subgraph;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.node.Approval;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.state.Channel;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/// Graphs that have something to look at in each part of the studio.
final class StudioGraphs {
  private static final Channel<String, String> TOPIC = Channel.latest("topic", String.class);
  private static final Channel<Integer, Integer> BUDGET = Channel.latest("budget", Integer.class);
  private static final Channel<List<String>, String> PARTS = Channel.append("parts", String.class);
  private static final Channel<List<String>, String> NOTES = Channel.append("notes", String.class);
  private static final Channel<String, String> ITEM = Channel.latest("item", String.class);
  private static final Channel<String, String> FOUND = Channel.latest("found", String.class);
  private static final Channel<Offer, Offer> OFFER = Channel.latest("offer", Offer.class);
  private static final Target<String> RESEARCH = Target.of("research", String.class);
  private static final Question<String, Approval> PUBLISH =
      Question.of("publish", String.class, Approval.class);
  private static final Question<String, Offer> PRICE =
      Question.of("price", String.class, Offer.class);

  /// An offer of somebody.
  record Offer(int price, Size size, Optional<String> note) {}

  /// The size of it.
  enum Size {
    SMALL,
    LARGE
  }

  record City(String name) {}

  record Order(int number, String reason) {}

  private StudioGraphs() {}

  static List<ServedGraph> all(String word) {
    return List.of(
        ServedGraph.of(report(word)).describedAs("Plans a report, researches its parts, and asks"),
        ServedGraph.of(sale()).describedAs("Asks for a price in a form"),
        ServedGraph.of(broken()).describedAs("Fails in its second node"),
        ServedGraph.of(many()).describedAs("Makes as many supersteps as its budget"),
        ServedGraph.of(slow()).describedAs("Waits until somebody stops it"),
        ServedGraph.of(agent().graph()).describedAs("An agent with a tool and a budget"),
        ServedGraph.of(clerk().graph()).describedAs("An agent that asks before it pays"),
        ServedGraph.of(desk()).describedAs("Lets an agent inside it search"));
  }

  /// A plan, a fan-out over graphs inside, a question, and an end.
  private static Graph report(String word) {
    var inside =
        Graph.named("research")
            .channels(ITEM, FOUND)
            .node("find", (state, _) -> Update.of(FOUND, "about " + state.get(ITEM)))
            .node("check", (state, _) -> Update.of(FOUND, state.get(FOUND) + ", checked"))
            .sequence(START, "find", "check", END)
            .compile();
    return Graph.named("report")
        .channels(TOPIC, BUDGET, PARTS, NOTES)
        .questions(PUBLISH)
        .node(
            "plan",
            (state, _) ->
                Update.all(PARTS, List.of("history", "present", "future"))
                    .and(Update.of(NOTES, "planned " + state.find(TOPIC).orElse("nothing"))))
        .node(
            RESEARCH,
            Subgraph.of(
                inside, part -> Input.of(ITEM, part), end -> Update.of(NOTES, end.get(FOUND))))
        .node(
            "review",
            (state, context) -> {
              var answer =
                  context.interrupt(
                      PUBLISH, "Publish the report with " + state.get(NOTES).size() + " notes?");
              return Update.of(NOTES, answer.approved() ? "approved" : "rejected");
            })
        .node("publish", (state, _) -> Update.of(NOTES, word + state.get(NOTES).getLast()))
        .edge(START, "plan")
        .fanOut("plan", state -> Send.each(RESEARCH, state.get(PARTS)), RESEARCH)
        .edge("research", "review")
        .edge("review", "publish")
        .edge("publish", END)
        .compile();
  }

  private static Graph sale() {
    return Graph.named("sale")
        .channels(OFFER)
        .questions(PRICE)
        .node(
            "ask", (_, context) -> Update.of(OFFER, context.interrupt(PRICE, "What do you offer?")))
        .sequence(START, "ask", END)
        .compile();
  }

  private static Graph broken() {
    return Graph.named("broken")
        .channels(TOPIC)
        .node("first", (_, _) -> Update.of(TOPIC, "begun"))
        .node(
            "second",
            (_, _) -> {
              throw new IllegalStateException("the shelf is empty; fill it and continue the run");
            })
        .sequence(START, "first", "second", END)
        .compile();
  }

  private static Graph many() {
    return Graph.named("many")
        .channels(BUDGET)
        .node("count", (state, _) -> Update.of(BUDGET, state.get(BUDGET) - 1))
        .edge(START, "count")
        .route("count", state -> state.get(BUDGET) > 0 ? "count" : END, "count", END)
        .stepLimit(100_000)
        .compile();
  }

  private static Graph slow() {
    return Graph.named("slow")
        .channels(TOPIC)
        .node("begin", (_, _) -> Update.of(TOPIC, "begun"))
        .node(
            "wait",
            (_, _) -> {
              // A cancelled run interrupts its tasks.
              new CountDownLatch(1).await();
              return Update.of(TOPIC, "waited");
            })
        .sequence(START, "begin", "wait", END)
        .compile();
  }

  /// An agent whose tool waits for an approval.
  private static Agent<String> clerk() {
    var pay =
        Tool.of("pay", "Pays an order back.", Order.class, (order, _) -> "paid " + order.number())
            .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));
    return Agent.named("clerk")
        .model(ScriptedModel.by(StudioGraphs::clerks))
        .tools(pay)
        .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
        .build();
  }

  /// A graph with an agent inside, whose tool answers much, in the form of a page.
  private static Graph desk() {
    var search =
        Tool.of(
            "search",
            "Searches the shelves.",
            City.class,
            (city, _) -> "<b>found</b> " + (city.name() + " ").repeat(1_000));
    var agent =
        Agent.named("searcher")
            .model(ScriptedModel.by(StudioGraphs::searches))
            .tools(search)
            .build();
    return Graph.named("desk")
        .channels(TOPIC, FOUND)
        .node(
            "ask",
            agent.asking(
                state -> "Where is " + state.get(TOPIC) + "?", answer -> Update.of(FOUND, answer)))
        .sequence(START, "ask", END)
        .compile();
  }

  private static ChatReply searches(ChatRequest request) {
    if (request.messages().getLast() instanceof ToolMessage) return ScriptedModel.text("Here.");
    return ScriptedModel.calls(new ToolCall("s1", "search", "{\"name\":\"Oslo\"}"));
  }

  private static ChatReply clerks(ChatRequest request) {
    var last = request.messages().getLast();
    if (last instanceof ToolMessage) return ScriptedModel.text("The clerk says: " + last.text());
    return ScriptedModel.calls(new ToolCall("p1", "pay", "{\"number\":17,\"reason\":\"broken\"}"));
  }

  private static Agent<String> agent() {
    Prices ten = (_, usage) -> Optional.of(BigDecimal.valueOf(usage.total(), 5));
    return Agent.named("traveller")
        .model(ScriptedModel.by(StudioGraphs::reply))
        .tools(
            Tool.of(
                "weather",
                "Tells the weather.",
                City.class,
                (city, _) -> "sunny in " + city.name()))
        .budget(Budget.unlimited().money("5.00", "USD", ten))
        .request(request -> request.withMaxTokens(4_000))
        .build();
  }

  private static ChatReply reply(ChatRequest request) {
    var used = new Usage(1_000, 0, 250, 0);
    boolean isAnswered = request.messages().getLast() instanceof ToolMessage;
    var call = new ToolCall("c1", "weather", "{\"name\":\"Oslo\"}");
    var message =
        isAnswered
            ? new AssistantMessage("", "It is sunny in Oslo.", List.of())
            : new AssistantMessage("", "", List.of(call));
    var finish = isAnswered ? ChatReply.Finish.STOP : ChatReply.Finish.TOOL_CALLS;
    return ScriptedModel.reply(message, used, finish);
  }
}
