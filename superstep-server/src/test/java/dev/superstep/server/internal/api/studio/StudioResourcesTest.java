package dev.superstep.server.internal.api.studio;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Redaction;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Approval;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.server.graph.NotServed;
import dev.superstep.server.graph.RagSources;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Guard;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.log.AuditLog;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Authorizer;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The requests of the studio to the server, beside those of LangGraph's API, on a graph that asks.
@Tag("SV13")
final class StudioResourcesTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Channel<Integer, Integer> PRICE = Channel.latest("price", Integer.class);
  private static final Question<String, Approval> MAY =
      Question.of("may", String.class, Approval.class);

  private final Checkpointer store = new InMemoryCheckpointer();
  private final RunOptions options =
      RunOptions.thread("t").checkpoints(store).journal(Redaction.none());
  private final Graph graph = offer("for ");
  private final List<String> known = new ArrayList<>(List.of("t"));
  private final Routes routes = routes(graph);

  private static Graph offer(String word) {
    return Graph.named("offer")
        .channels(SAID, PRICE)
        .questions(MAY)
        .node("price", (_, _) -> Update.of(PRICE, 12))
        .node(
            "ask",
            (state, context) -> {
              var answer = context.interrupt(MAY, "Offer it for " + state.get(PRICE) + "?");
              return Update.of(SAID, answer.approved() ? "yes" : "no");
            })
        .node("offer", (state, _) -> Update.of(SAID, word + state.get(PRICE)))
        .edge(START, "price")
        .edge("price", "ask")
        .edge("ask", "offer")
        .edge("offer", END)
        .compile();
  }

  private Routes routes(Graph served) {
    var threads =
        new StudioThreads() {
          @Override
          public void admit(Call call, Access.Action action, String thread) {
            if (action == Access.Action.CREATE || known.contains(thread)) return;
            throw new HttpFailure(404, "no thread " + thread);
          }

          @Override
          public void forked(Call call, String from, String as) {
            known.add(as);
          }

          @Override
          public void changed(String thread) {}
        };
    var graphs =
        new StudioGraphs(
            List.of(ServedGraph.of(served).describedAs("Makes offers")),
            List.of(new NotServed("old", "", "It takes a file.")));
    var all = new Routes();
    new GraphResource(graphs, RagSources.none()).addTo(all);
    new JournalResource(store, threads).addTo(all);
    new ThreadResource(graphs, store, threads).addTo(all);
    new ThreadEdits(graphs, store, threads).addTo(all);
    new RagResource(new Guard(Authorizer.everything(), AuditLog.none()), RagSources.none())
        .addTo(all);
    new StudioAssets().addTo(all);
    return all;
  }

  @BeforeEach
  void run() throws InterruptedException {
    assertThat(graph.invoke(Input.none(), options)).isInstanceOf(Outcome.Interrupted.class);
  }

  private String question() throws Exception {
    var all = Asked.json(Asked.get(routes, "/superstep/threads/t/questions")).get("questions");
    return all.get(0).get("id").asString();
  }

  private void answer() throws Exception {
    graph.resume(Answers.of(question(), Approval.yes()), options);
  }

  @Test
  void graphs_are_listed_with_those_that_cannot_be_started() throws Exception {
    var all = Asked.json(Asked.get(routes, "/superstep/graphs")).get("graphs");
    assertThat(all.get(0).get("id").asString()).isEqualTo("offer");
    assertThat(all.get(0).get("startable").asBoolean()).isTrue();
    assertThat(all.get(1).get("why").asString()).isEqualTo("It takes a file.");

    var shape = Asked.json(Asked.get(routes, "/superstep/graphs/offer/topology"));
    assertThat(shape.get("nodes")).hasSize(3);
    assertThatThrownBy(() -> Asked.get(routes, "/superstep/graphs/none/topology"))
        .isInstanceOf(HttpFailure.class);
  }

  @Test
  void a_summary_counts_what_the_journal_tells_and_goes_on_from_there() throws Exception {
    var summary = Asked.json(Asked.get(routes, "/superstep/threads/t/summary"));
    assertThat(summary.get("status").asString()).isEqualTo("interrupted");
    assertThat(summary.get("totals").get("supersteps").asInt()).isEqualTo(1);
    assertThat(summary.get("totals").get("questions").asInt()).isEqualTo(1);

    answer();

    var after = Asked.json(Asked.get(routes, "/superstep/threads/t/summary"));
    assertThat(after.get("status").asString()).isEqualTo("idle");
    assertThat(after.get("totals").get("supersteps").asInt()).isEqualTo(3);
    assertThat(after.get("totals").get("runs").asInt()).isEqualTo(2);
  }

  @Test
  void a_question_comes_with_its_text_and_the_schema_of_its_answer() throws Exception {
    var one =
        Asked.json(Asked.get(routes, "/superstep/threads/t/questions")).get("questions").get(0);
    assertThat(one.get("node").asString()).isEqualTo("ask");
    assertThat(one.get("text").asString()).isEqualTo("Offer it for 12?");
    assertThat(one.get("schema").get("properties").get("approved").get("type").asString())
        .isEqualTo("boolean");
  }

  @Test
  void events_come_in_pages_and_live_from_where_the_client_was_cut_off() throws Exception {
    var page = Asked.json(Asked.get(routes, "/superstep/threads/t/events", "limit", "2"));
    assertThat(page.get("events")).hasSize(2);
    assertThat(page.get("next").asLong()).isEqualTo(2);
    long last = page.get("last").asLong();

    var live =
        (Reply.Events)
            Asked.live(
                routes,
                "/superstep/threads/t/events",
                "accept",
                "text/event-stream",
                "last-event-id",
                "2");
    try (var source = live.source()) {
      var frames = source.next(Duration.ofSeconds(10));
      assertThat(frames.getFirst().id()).isEqualTo("3");
      assertThat(frames).hasSize((int) last - 2);
      answer();
      var more = source.next(Duration.ofSeconds(10));
      assertThat(more.getFirst().id()).isEqualTo(Long.toString(last + 1));
    }
  }

  @Test
  void an_edit_replaces_values_and_is_refused_after_a_newer_state() throws Exception {
    var state = Asked.json(Asked.get(routes, "/superstep/threads/t/state"));
    assertThat(state.get("values").get("price").asInt()).isEqualTo(12);
    assertThat(state.get("channels").get("price").get("schema").get("type").asString())
        .isEqualTo("integer");
    var seen = state.get("checkpoint").get("id").asString();
    var body =
        "{\"values\":{\"price\":15,\"said\":[\"a\",\"b\"]},\"checkpoint_id\":\"" + seen + "\"}";

    Asked.post(routes, "/superstep/threads/t/state", body);

    var after = Asked.json(Asked.get(routes, "/superstep/threads/t/state")).get("values");
    assertThat(after.toString()).isEqualTo("{\"price\":15,\"said\":[\"a\",\"b\"]}");
    assertThatThrownBy(() -> Asked.post(routes, "/superstep/threads/t/state", body))
        .hasMessageContaining("newer state");
    assertThatThrownBy(() ->
            Asked.post(routes, "/superstep/threads/t/state", "{\"values\":{\"price\":\"x\"}}"))
        .isInstanceOfSatisfying(
            HttpFailure.class, failure -> assertThat(failure.status()).isEqualTo(422));
  }

  @Test
  void a_fork_and_a_rewind_begin_from_an_older_checkpoint() throws Exception {
    answer();
    var history = Asked.json(Asked.get(routes, "/superstep/threads/t/checkpoints"));
    var older = history.get("checkpoints").get(2);
    assertThat(older.get("changed").get(0).asString()).isEqualTo("price");
    var body = "{\"checkpoint_id\":\"" + older.get("id").asString() + "\",\"as\":\"u\"}";

    Asked.post(routes, "/superstep/threads/t/fork", body);
    Asked.post(routes, "/superstep/threads/t/rewind", body);

    for (var thread : List.of("t", "u")) {
      var state = Asked.json(Asked.get(routes, "/superstep/threads/" + thread + "/state"));
      assertThat(state.get("checkpoint").get("next").get(0).asString()).isEqualTo("ask");
      assertThat(state.get("checkpoint").get("origin").get("thread").asString()).isEqualTo("t");
    }
    assertThatThrownBy(() -> Asked.post(routes, "/superstep/threads/t/fork", body))
        .isInstanceOfSatisfying(
            HttpFailure.class, failure -> assertThat(failure.status()).isEqualTo(409));
  }

  @Test
  void a_replay_tells_where_the_graph_now_does_something_else() throws Exception {
    answer();
    var same = Asked.json(Asked.post(routes, "/superstep/threads/t/replay", "{}"));
    assertThat(same.get("equal").asBoolean()).isTrue();
    assertThat(same.get("supersteps").asInt()).isEqualTo(3);

    var changed =
        Asked.json(Asked.post(routes(offer("only ")), "/superstep/threads/t/replay", "{}"));
    var divergence = changed.get("divergence");
    assertThat(divergence.get("channel").asString()).isEqualTo("said");
    assertThat(divergence.get("recorded").asString()).contains("for 12");
    assertThat(divergence.get("now").asString()).contains("only 12");
  }

  @Test
  void the_page_comes_from_the_jar_or_says_why_there_is_none() throws Exception {
    var page = (Reply.Bytes) Asked.get(routes, "/studio/");
    assertThat(page.status()).isEqualTo(StudioAssets.isBuilt() ? 200 : 501);
    assertThat(page.headers().get("Content-Security-Policy")).contains("default-src 'none'");
    assertThat(Asked.get(routes, "/studio").headers()).containsEntry("Location", "studio/");
    assertThatThrownBy(() -> Asked.get(routes, "/studio/..%2Fx")).isInstanceOf(HttpFailure.class);
  }
}
