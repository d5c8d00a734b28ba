package dev.superstep.example.guide.operations;

import dev.superstep.agent.Agent;
import dev.superstep.catalog.ModelCatalog;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;

/// A model that is known by the catalogue. It is scripted; its name is one of a vendor's.
public final class Known {
  private record Vendor(ModelRef ref, ChatModel model) implements ChatModel {
    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      return model.call(request);
    }
  }

  private Known() {}

  static void ask(ChatModel model, String text) throws InterruptedException {
    var known = ModelCatalog.shipped().profiled(model);
    System.out.println("context: " + known.profile().contextWindow().orElse(0));
    try {
      System.out.println(Agent.named("clerk").model(known).build().run(text).answer());
    } catch (ModelException e) {
      System.out.println(e.getMessage());
    }
  }

  public static void main(String[] args) throws InterruptedException {
    var model =
        new Vendor(ModelRef.parse("openai://gpt-5.2"), ScriptedModel.saying("Twelve parcels."));
    ask(model, "How many parcels?");
    ask(model, "parcel ".repeat(500_000));
  }
}
