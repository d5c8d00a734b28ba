package dev.superstep.example.migration.springai.before;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;

/// A client with tools, and a memory for each conversation.
public final class Orders {
  /// The tools of the clerk.
  public static final class Shop {
    @Tool(description = "Finds an order by its number.")
    public String findOrder(@ToolParam(description = "as on the bill") int number) {
      return "a blue lamp, sent on Monday";
    }

    @Tool(description = "Cancels an order.")
    public String cancelOrder(@ToolParam(description = "as on the bill") int number) {
      System.out.println("cancelling " + number);
      return "cancelled";
    }
  }

  private Orders() {}

  public static void main(String[] args) {
    var model =
        new ScriptedModel(
            ScriptedModel.call("c1", "findOrder", "{\"number\": 17}"),
            ScriptedModel.text("Your lamp was sent on Monday."),
            ScriptedModel.call("c2", "cancelOrder", "{\"number\": 17}"),
            ScriptedModel.text("Order 17 is cancelled."));
    var memory = MessageWindowChatMemory.builder().maxMessages(20).build();
    var clerk =
        ChatClient.builder(model)
            .defaultSystem("You work for a lamp shop.")
            .defaultTools(new Shop())
            .defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build())
            .build();
    System.out.println(ask(clerk, "Where is order 17?"));
    System.out.println(ask(clerk, "Cancel it."));
    for (var message : memory.get("ada")) System.out.println("- " + message.getText());
  }

  private static String ask(ChatClient clerk, String question) {
    return clerk
        .prompt()
        .user(question)
        .advisors(spec -> spec.param(ChatMemory.CONVERSATION_ID, "ada"))
        .call()
        .content();
  }
}
