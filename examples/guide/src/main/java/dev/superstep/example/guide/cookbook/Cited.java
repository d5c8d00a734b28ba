package dev.superstep.example.guide.cookbook;

import static dev.superstep.model.ScriptedModel.calls;

import dev.superstep.agent.Agent;
import dev.superstep.example.guide.operations.LetterEmbedder;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.retrieval.Cleanup;
import dev.superstep.retrieval.IndexRecords;
import dev.superstep.retrieval.Indexer;
import dev.superstep.retrieval.Retriever;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.chunk.Document;
import dev.superstep.retrieval.chunk.Splitter;
import dev.superstep.schema.Description;
import java.util.List;

/// Answers that name their sources.
public final class Cited {
  record Answer(
      String text, @Description("sources as shown, such as rules.md") List<String> sources) {}

  private Cited() {}

  static Agent<Answer> agent(ChatModel model, VectorIndex index) {
    var search = Retriever.over(index, query -> query.limit(2).hybrid());
    return Agent.named("porter")
        .model(model)
        .instructions("Search first. Answer from the passages only, and list their sources.")
        .tools(search.tool("search", "Finds passages of the house rules."))
        .answering(Answer.class);
  }

  public static void main(String[] args) throws InterruptedException {
    var index = VectorIndex.inMemory(new LetterEmbedder());
    var rules = Document.of("rules.md", "# Dogs\nDogs are welcome on a lead.");
    var prices = Document.of("prices.md", "# Prices\nA ticket is 8 euros.");
    Indexer.of(index, Splitter.markdown(800, 80), IndexRecords.inMemory())
        .index(List.of(rules, prices), Cleanup.FULL);
    var answer = "{\"text\":\"Yes, on a lead.\",\"sources\":[\"rules.md\"]}";
    var model =
        ScriptedModel.replying(
            calls(new ToolCall("c1", "search", "{\"question\":\"dogs allowed\"}")),
            calls(new ToolCall("c2", "answer", answer)));
    var result = agent(model, index).run("May I bring my dog?");
    System.out.println(result.report().conversation().get(2).text());
    System.out.println(result.answer());
  }
}
