package dev.superstep.example.guide.cookbook;

import static dev.superstep.model.ScriptedModel.calls;
import static dev.superstep.model.ScriptedModel.text;

import dev.superstep.agent.Agent;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.schema.Description;
import dev.superstep.schema.Limits;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;

/// A model repairs a call that does not fit the tool.
public final class BadArguments {
  record Booking(@Limits(min = 1, max = 8) int people, @Description("18:30") String time) {}

  private BadArguments() {}

  static Agent<String> agent(ChatModel model) {
    var book =
        Tool.of(
            "book",
            "Books a table.",
            Booking.class,
            (booking, _) ->
                booking.time().compareTo("22:00") > 0
                    ? ToolResult.error("The kitchen closes at 22:00. Offer an earlier time.")
                    : ToolResult.of("Booked for " + booking.people()));
    return Agent.named("waiter").model(model).tools(book).build();
  }

  public static void main(String[] args) throws InterruptedException {
    var model =
        ScriptedModel.replying(
            calls(new ToolCall("c1", "book", "{\"people\":12,\"time\":\"19:00\"}")),
            calls(new ToolCall("c2", "book", "{\"people\":8,\"time\":\"23:00\"}")),
            calls(new ToolCall("c3", "book", "{\"people\":8,\"time\":\"19:00\"}")),
            text("See you at seven."));
    for (var message : agent(model).run("A table for 12.").report().conversation()) {
      if (message instanceof ToolMessage) System.out.println(message.text());
    }
  }
}
