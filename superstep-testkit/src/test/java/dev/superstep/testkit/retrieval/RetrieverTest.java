package dev.superstep.testkit.retrieval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.retrieval.IndexClosed;
import dev.superstep.retrieval.Match;
import dev.superstep.retrieval.Passages;
import dev.superstep.retrieval.Query;
import dev.superstep.retrieval.RetrievalEvent;
import dev.superstep.retrieval.Retriever;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.Document;
import dev.superstep.retrieval.chunk.Splitter;
import dev.superstep.testkit.WordEmbedder;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T51")
class RetrieverTest {
  private static final String FAQ =
      """
      # Payment
      ## Refunds
      Money comes back within a week.
      ## Cards
      All cards are fine.
      """;

  private final List<RetrievalEvent> events = new ArrayList<>();
  private final VectorIndex index = VectorIndex.inMemory(WordEmbedder.words(), events::add);

  @Test
  void a_retriever_uses_its_query_function() throws Exception {
    index.add(Splitter.markdown(200, 0).split(Document.of("faq.md", FAQ)));
    var all = Retriever.over(index).retrieve("when comes my money back");
    assertThat(all).hasSize(3);
    assertThat(all.getFirst().chunk().id()).isEqualTo("faq.md#1");
    var one = Retriever.over(index, query -> query.limit(1).hybrid());
    assertThat(one.retrieve("cards")).extracting(m -> m.chunk().id()).containsExactly("faq.md#2");
    assertThat(one.retrieve(" ")).isEmpty();
  }

  @Test
  @Tag("T123")
  void a_retriever_publishes_its_results_but_not_the_question() throws Exception {
    index.add(List.of(Chunk.of("a", "green tea")));
    events.clear();
    Retriever.over(index).retrieve("secret tea");
    assertThat(events)
        .extracting(RetrievalEvent::kind)
        .containsExactly(
            "retriever.started",
            "embedding.started",
            "embedding.completed",
            "vector_store.searched",
            "retriever.completed");
    assertThat(events.toString()).doesNotContain("secret");
    events.clear();
    index.close();
    assertThatThrownBy(() -> Retriever.over(index).retrieve("secret tea"))
        .isInstanceOf(IndexClosed.class);
    assertThat(events)
        .containsExactly(
            new RetrievalEvent.RetrieverStarted(),
            new RetrievalEvent.RetrieverFailed("retrieval.index-closed"));
  }

  @Test
  @Tag("T51")
  void a_model_asks_by_a_tool_whose_result_names_its_sources() throws Exception {
    index.add(Splitter.markdown(200, 0).split(Document.of("faq.md", FAQ)));
    var tool =
        Retriever.over(index, query -> query.limit(1))
            .tool("search_faq", "Searches the questions that guests ask often.");
    assertThat(asked(tool, "{\"question\":\"money back?\"}").text())
        .isEqualTo("[1] faq.md, Payment > Refunds\n## Refunds\nMoney comes back within a week.");
    var places = asked(tool, "{\"question\":\"money back?\"}").artifact().orElseThrow();
    var place = places.as(Retriever.Places.class).places().getFirst();
    assertThat(place.chunk()).isEqualTo("faq.md#1");
    assertThat(FAQ.substring(place.start(), place.end())).startsWith("## Refunds");
    assertThat(tool.policy()).isEqualTo(ToolPolicy.readOnly());
    assertThat(asked(tool, "{\"question\":\" \"}").text()).contains("blank");
    index.delete(List.of("faq.md#0", "faq.md#1", "faq.md#2"));
    assertThat(asked(tool, "{\"question\":\"money?\"}").text()).isEqualTo("Nothing was found.");
  }

  private static ToolMessage asked(Tool tool, String arguments) throws InterruptedException {
    var call = ScriptedModel.calls(new ToolCall("c1", "search_faq", arguments));
    var model = ScriptedModel.replying(call, ScriptedModel.text("Done."));
    var agent = Agent.named("clerk").model(model).tools(Tools.of(tool)).build();
    return agent.run("please").report().conversation().stream()
        .filter(ToolMessage.class::isInstance)
        .map(ToolMessage.class::cast)
        .findFirst()
        .orElseThrow();
  }

  @Test
  @Tag("T10")
  void less_relevant_passages_are_dropped_first() {
    var matches =
        List.of(
            new Match(Chunk.of("a", "first"), 0.9),
            new Match(Chunk.of("b", "second"), 0.8),
            new Match(Chunk.of("c", "third"), 0.7));
    var passages = new Passages(matches);
    assertThat(passages.text()).isEqualTo("[1] a\nfirst\n\n[2] b\nsecond\n\n[3] c\nthird");
    int length = passages.text().length();
    assertThat(passages.within(length)).isEqualTo(passages);
    assertThat(passages.within(length - 1).matches()).isEqualTo(matches.subList(0, 2));
    assertThat(passages.within(5).text()).isEqualTo("Nothing was found.");
    assertThat(new Passages(List.of()).text()).isEqualTo("Nothing was found.");
  }

  @Test
  void queries_that_make_no_sense_are_refused() {
    var query = Query.of("tea");
    assertThatThrownBy(() -> query.limit(0)).hasMessageContaining("limit");
    assertThatThrownBy(() -> query.limit(1_001)).hasMessageContaining("limit");
    assertThatThrownBy(() -> query.minScore(Double.NaN)).hasMessageContaining("minScore");
    assertThatThrownBy(() -> query.diverse(1.1, 5)).hasMessageContaining("lambda");
    assertThatThrownBy(() -> query.diverse(0.5, 0)).hasMessageContaining("fetch");
  }
}
