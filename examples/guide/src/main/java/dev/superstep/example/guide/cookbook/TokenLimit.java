package dev.superstep.example.guide.cookbook;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatReply.Finish;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.tool.Tool;
import java.util.List;

/// A run that ends before it uses more than 50,000 tokens.
public final class TokenLimit {
  record Page(int number) {}

  private TokenLimit() {}

  static Agent<String> agent(ChatModel model) {
    var read =
        Tool.of(
            "read",
            "Reads a page.",
            Page.class,
            (page, _) -> page.number() + " lorem ipsum".repeat(2_000));
    return Agent.named("reader")
        .model(model)
        .tools(read)
        .budget(Budget.unlimited().totalTokens(50_000))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var model = ScriptedModel.by(TokenLimit::readOn);
    var options = RunOptions.thread("book").checkpoints(new InMemoryCheckpointer());
    try {
      agent(model).run("Read the book.", options);
    } catch (BudgetExceeded e) {
      System.out.println(e.getMessage());
    }
    System.out.println(model.requests().size() + " calls were sent");
  }

  /// Calls the tool again and again, and reports a token for four characters.
  private static ChatReply readOn(ChatRequest request) {
    int characters = request.messages().stream().mapToInt(m -> m.text().length()).sum();
    var message =
        new AssistantMessage("", "", List.of(new ToolCall("c", "read", "{\"number\":1}")));
    return ScriptedModel.reply(message, new Usage(characters / 4, 0, 20, 0), Finish.TOOL_CALLS);
  }
}
