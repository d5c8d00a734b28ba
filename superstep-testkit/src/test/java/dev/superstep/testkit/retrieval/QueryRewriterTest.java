package dev.superstep.testkit.retrieval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.Message;
import dev.superstep.model.ScriptedModel;
import dev.superstep.retrieval.Match;
import dev.superstep.retrieval.RetrievalEvent;
import dev.superstep.retrieval.Retriever;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.refine.QueryRewriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Questions that are rewritten for a search.
class QueryRewriterTest {
  private static final List<Message> TALK =
      List.of(
          Message.system("secret instructions"),
          Message.user("How do refunds work?"),
          Message.assistant("Within a week."),
          Message.user("And by card?"));

  private static Match match(String id) {
    return new Match(Chunk.of(id, "text of " + id), 0.5);
  }

  @Test
  void a_follow_up_question_is_made_to_stand_alone() throws Exception {
    var model = ScriptedModel.saying("{\"question\":\"How do refunds to a card work?\"}");
    assertThat(QueryRewriter.by(model).standAlone(TALK))
        .isEqualTo("How do refunds to a card work?");
    var sent = model.requests().getFirst().messages().getLast().text();
    assertThat(sent).contains("How do refunds work?").contains("Within a week.");
    assertThat(sent).doesNotContain("secret instructions");
  }

  @Test
  void a_first_question_is_not_rewritten() throws Exception {
    var model = ScriptedModel.saying("never");
    assertThat(QueryRewriter.by(model).standAlone(TALK.subList(0, 2)))
        .isEqualTo("How do refunds work?");
    assertThat(QueryRewriter.by(model).standAlone(List.of())).isEmpty();
    assertThat(model.calls()).isZero();
  }

  @Test
  void a_question_stays_as_it_is_if_the_model_fails() throws Exception {
    var events = new ArrayList<RetrievalEvent>();
    var rewriter =
        QueryRewriter.by(ScriptedModel.saying("no", "no", "no", "no")).withListener(events::add);
    assertThat(rewriter.standAlone(TALK)).isEqualTo("And by card?");
    assertThat(rewriter.queries("And by card?")).containsExactly("And by card?");
    assertThat(events).hasSize(2).allMatch(RetrievalEvent.QueryRewritingFailed.class::isInstance);
    var blank = QueryRewriter.by(ScriptedModel.saying("{\"question\":\" \"}"));
    assertThat(blank.standAlone(TALK)).isEqualTo("And by card?");
  }

  @Test
  void a_question_becomes_a_limited_number_of_distinct_queries() throws Exception {
    var model =
        ScriptedModel.saying("{\"queries\":[\"refund CARD\",\"Refund card\",\" \",\"b\",\"c\"]}");
    var queries = QueryRewriter.by(model).withQueries(3).queries("refund card");
    assertThat(queries).containsExactly("refund card", "b", "c");
  }

  @Test
  void what_several_queries_find_is_fused_by_rank() throws Exception {
    var found =
        Map.of(
            "q", List.of(match("a"), match("b")),
            "two", List.of(match("b"), match("c")),
            "three", List.of(match("b"), match("a")));
    Retriever search = question -> found.getOrDefault(question, List.of());
    var model = ScriptedModel.saying("{\"queries\":[\"two\",\"three\"]}");
    var matches = QueryRewriter.by(model).over(search, 2).retrieve("q");
    assertThat(matches).extracting(m -> m.chunk().id()).containsExactly("b", "a");
    var first = matches.getFirst();
    assertThat(first.score()).isBetween(0.99, 1.0);
    assertThat(first.similarity()).isEqualTo(0.5);
    assertThat(first.reranked()).contains(new Match.Reranked("query-rewriter", 0.5, 1));
  }
}
