package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Control;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.state.Channel;
import java.util.List;

/// A middleware of one's own: it tells what a model is asked, and lets a thread have only so many
/// characters of answers.
public record Quota(int most) implements Middleware {
  private static final Channel<Long, Long> SAID = Channel.sum("quota-said");

  @Override
  public List<Channel<?, ?>> channels() {
    return List.of(SAID);
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    if (context.find(SAID).orElse(0L) >= most) {
      context.control(new Control.StopWith("That was enough for today."), name());
    }
    return request;
  }

  @Override
  public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    var reply = next.call(request);
    System.out.println(
        "  " + context.agent() + " shows " + request.messages().size() + " messages");
    return reply;
  }

  @Override
  public ChatReply afterModel(ChatReply reply, AgentContext context) {
    context.write(SAID, (long) reply.message().text().length());
    return reply;
  }

  public static void main(String[] args) throws InterruptedException {
    var model = ScriptedModel.saying("Once upon a time.", "There was a king.");
    var agent = Agent.named("teller").model(model).middleware(new Quota(30)).build();
    var options = RunOptions.thread("ann").checkpoints(new InMemoryCheckpointer());
    for (int i = 0; i < 3; i++) System.out.println(agent.run("Go on.", options).answer());
  }
}
