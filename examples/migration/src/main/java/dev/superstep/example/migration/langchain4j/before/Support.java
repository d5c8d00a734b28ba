package dev.superstep.example.migration.langchain4j.before;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;

/// A service with tools, and a memory for each customer.
public final class Support {
  interface Clerk {
    @dev.langchain4j.service.SystemMessage("You work for a lamp shop.")
    String answer(@MemoryId String customer, @UserMessage String question);
  }

  /// The tools of the clerk.
  public static final class Shop {
    @Tool("Finds an order by its number.")
    public String findOrder(@P("as on the bill") int number) {
      return "order " + number + ": a blue lamp, sent on Monday";
    }

    @Tool("Cancels an order.")
    public String cancelOrder(@P("as on the bill") int number) {
      return "order " + number + " is cancelled";
    }
  }

  private Support() {}

  public static void main(String[] args) {
    var model =
        new ScriptedModel(
            ScriptedModel.call("c1", "findOrder", "{\"number\": 17}"),
            AiMessage.from("Your lamp was sent on Monday."),
            ScriptedModel.call("c2", "cancelOrder", "{\"number\": 17}"),
            AiMessage.from("Order 17 is cancelled."));
    var memory = MessageWindowChatMemory.withMaxMessages(20);
    var clerk =
        AiServices.builder(Clerk.class)
            .chatModel(model)
            .tools(new Shop())
            .chatMemoryProvider(customer -> memory)
            .build();
    System.out.println(clerk.answer("ada", "Where is order 17?"));
    System.out.println(clerk.answer("ada", "Cancel it."));
    var said = memory.messages().stream().filter(m -> !(m instanceof SystemMessage)).toList();
    System.out.println(said.size() + " messages in the memory");
  }
}
