package dev.superstep.example.guide.calls;

import dev.superstep.agent.Agent;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.tool.Tools;
import dev.superstep.tool.search.ToolSearch;

/// An agent with a thousand tools that the vendor of its model searches.
public final class VendorSearch {
  private VendorSearch() {}

  static Agent<String> agent(ChatModel model, Tools tools) {
    return Agent.named("office")
        .model(model)
        .instructions("Do the work of the office.")
        .middleware(ToolSearch.over(tools).byVendor())
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var model = ModelProviders.open(ModelRef.parse("anthropic://claude-sonnet-4-5"));
    System.out.println(agent(model, ManyTools.tools()).run("Bill Ada 9.00").answer());
  }
}
