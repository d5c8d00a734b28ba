package dev.superstep.testkit.retrieval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Json;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.retrieval.Match;
import dev.superstep.retrieval.RetrievalEvent;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.refine.HttpReranker;
import dev.superstep.retrieval.refine.ModelReranker;
import dev.superstep.retrieval.refine.RerankFailed;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Rerankers: a service over HTTP and a chat model.
@Timeout(60)
class RerankerTest {
  private static final String KEY = "secret-key-123";
  private static final List<Match> MATCHES =
      List.of(
          new Match(Chunk.of("a", "first"), 0.9),
          new Match(Chunk.of("b", "second"), 0.8),
          new Match(Chunk.of("c", "third"), 0.7));

  private final Deque<Answer> answers = new ArrayDeque<>();
  private final List<String> bodies = new ArrayList<>();
  private final List<String> keys = new ArrayList<>();
  private HttpServer server;
  private URI url;

  private record Answer(int status, String body, Map<String, String> headers) {}

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/rerank",
        exchange -> {
          bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          var answer = answers.size() > 1 ? answers.pop() : answers.getFirst();
          answer.headers().forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
          var bytes = answer.body().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(answer.status(), bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/rerank");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(int status, String body) {
    answers.add(new Answer(status, body, Map.of()));
  }

  private static List<String> ids(List<Match> matches) {
    return matches.stream().map(match -> match.chunk().id()).toList();
  }

  @Test
  void a_service_with_the_interface_of_cohere_orders_matches() throws Exception {
    answer(
        200,
        """
        {"id":"x","results":[{"index":2,"relevance_score":0.9},{"index":0,"relevance_score":0.2},
        {"index":1,"relevance_score":0.2}],"meta":{}}\
        """);
    var reranker = HttpReranker.cohere(url).withModel("rerank-v3.5").withKey(KEY);
    var ranked = reranker.rerank("which?", MATCHES);
    assertThat(ids(ranked)).containsExactly("c", "a", "b");
    assertThat(ranked.getFirst().score()).isEqualTo(0.9);
    assertThat(ranked.getFirst().similarity()).isEqualTo(0.7);
    assertThat(ranked.getFirst().reranked()).contains(new Match.Reranked("rerank-v3.5", 0.7, 3));
    assertThat(Json.parse(bodies.getFirst()))
        .isEqualTo(
            Json.parse(
                """
                {"model":"rerank-v3.5","query":"which?","documents":["first","second","third"],
                "top_n":3}\
                """));
    assertThat(keys).containsExactly("Bearer " + KEY);
    assertThat(reranker.toString()).doesNotContain(KEY);
  }

  @Test
  void a_server_of_text_embeddings_inference_orders_matches() throws Exception {
    answer(200, "[{\"index\":1,\"score\":0.99},{\"index\":0,\"score\":0.1}]");
    var ranked = HttpReranker.textEmbeddingsInference(url).rerank("which?", MATCHES);
    // The one without a score comes last.
    assertThat(ids(ranked)).containsExactly("b", "a", "c");
    assertThat(Json.parse(bodies.getFirst()))
        .isEqualTo(
            Json.parse(
                """
                {"query":"which?","texts":["first","second","third"],"truncate":true}\
                """));
    assertThat(keys).containsExactly("null");
  }

  @Test
  void a_refusal_for_now_is_repeated_and_another_is_not() throws Exception {
    answers.add(new Answer(429, "slow down", Map.of("Retry-After", "0")));
    answers.add(new Answer(503, "", Map.of("Retry-After", "0")));
    answer(200, "{\"results\":[{\"index\":1,\"relevance_score\":0.9}]}");
    var reranker = HttpReranker.cohere(url).withKey(KEY);
    assertThat(ids(reranker.rerank("which?", MATCHES))).containsExactly("b", "a", "c");
    assertThat(bodies).hasSize(3);
    answers.clear();
    answer(401, "the key " + KEY + " is not valid");
    assertThatThrownBy(() -> reranker.rerank("which?", MATCHES))
        .isInstanceOf(RerankFailed.class)
        .hasMessageContaining("401")
        .hasMessageContaining("Check the key")
        .hasMessageNotContaining(KEY);
    assertThat(bodies).hasSize(4);
  }

  @Test
  void answers_that_make_no_sense_are_refused() {
    var bodies =
        List.of(
            "",
            "no json",
            "{}",
            "[]",
            "{\"results\":[{\"index\":3,\"relevance_score\":1}]}",
            "{\"results\":[{\"index\":-1,\"relevance_score\":1}]}",
            "{\"results\":[7]}",
            "{\"results\":[{\"index\":\"0\",\"relevance_score\":1}]}",
            "x".repeat(3_000_000));
    var reranker = HttpReranker.cohere(url).withRetries(0);
    for (var body : bodies) {
      answers.clear();
      answer(200, body);
      assertThatThrownBy(() -> reranker.rerank("which?", MATCHES)).isInstanceOf(RerankFailed.class);
    }
  }

  @Test
  void a_redirect_is_not_followed() {
    answers.add(new Answer(307, "", Map.of("Location", url.toString())));
    var reranker = HttpReranker.cohere(url).withKey(KEY);
    assertThatThrownBy(() -> reranker.rerank("which?", MATCHES)).hasMessageContaining("307");
    assertThat(keys).hasSize(1);
  }

  @Test
  void a_service_that_never_answers_is_left() throws Exception {
    var release = new CountDownLatch(1);
    server.createContext(
        "/slow",
        exchange -> {
          try {
            release.await();
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
          exchange.close();
        });
    var slow =
        HttpReranker.cohere(url.resolve("/slow"))
            .withTimeout(Duration.ofMillis(200))
            .withRetries(0);
    assertThatThrownBy(() -> slow.rerank("which?", MATCHES)).isInstanceOf(RerankFailed.class);
    release.countDown();
  }

  @Test
  void a_retriever_keeps_the_order_of_the_search_if_its_reranker_fails() throws Exception {
    answer(400, "no");
    var events = new ArrayList<RetrievalEvent>();
    var retriever = HttpReranker.cohere(url).over(_ -> MATCHES, 2, events::add);
    assertThat(retriever.retrieve("which?")).isEqualTo(MATCHES.subList(0, 2));
    assertThat(events)
        .containsExactly(
            new RetrievalEvent.RerankingFailed("127.0.0.1", "retrieval.rerank-failed"));
  }

  @Test
  void a_retriever_keeps_the_best_matches() throws Exception {
    answer(200, "[{\"index\":2,\"score\":0.9},{\"index\":1,\"score\":0.8}]");
    var events = new ArrayList<RetrievalEvent>();
    var retriever = HttpReranker.textEmbeddingsInference(url).over(_ -> MATCHES, 2, events::add);
    assertThat(ids(retriever.retrieve("which?"))).containsExactly("c", "b");
    assertThat(events)
        .singleElement()
        .satisfies(event -> {
          var reranked = (RetrievalEvent.MatchesReranked) event;
          assertThat(reranked.ids()).containsExactly("c", "b");
        });
  }

  @Test
  void a_key_goes_to_no_other_machine_in_the_clear() {
    assertThatThrownBy(
            () -> HttpReranker.cohere(URI.create("http://192.0.2.1/rerank")).withKey(KEY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("https")
        .hasMessageNotContaining(KEY);
    assertThatThrownBy(() -> HttpReranker.cohere(URI.create("file:///etc/passwd")))
        .isInstanceOf(IllegalArgumentException.class);
    var bad = catchThrowable(() -> HttpReranker.cohere(url).withKey("two words"));
    assertThat(bad).hasMessageContaining("key").hasMessageNotContaining("two words");
  }

  @Test
  void a_model_grades_passages() throws Exception {
    var model =
        ScriptedModel.saying(
            """
            {"grades":[{"passage":2,"relevance":9},{"passage":1,"relevance":3},
            {"passage":3,"relevance":3},{"passage":99,"relevance":10},{"passage":2,"relevance":0}]}\
            """);
    var ranked = ModelReranker.by(model).rerank("which?", MATCHES);
    assertThat(ids(ranked)).containsExactly("b", "a", "c");
    assertThat(ranked.getFirst().score()).isEqualTo(0.9);
    assertThat(ranked.getFirst().reranked().orElseThrow().rankBefore()).isEqualTo(2);
    assertThat(model.requests().getFirst().messages().getLast().text())
        .contains("Passage 2: \"second\"");
  }

  @Test
  void a_model_sees_few_and_short_passages() throws Exception {
    var many = new ArrayList<Match>();
    for (int i = 0; i < 40; i++) many.add(new Match(Chunk.of("d" + i, "x".repeat(5_000)), 0.5));
    var model = ScriptedModel.saying("{\"grades\":[{\"passage\":5,\"relevance\":10}]}");
    var ranked = ModelReranker.by(model).withPassages(10).rerank("which?", many);
    assertThat(ranked).hasSize(40);
    assertThat(ids(ranked).subList(0, 3)).containsExactly("d4", "d0", "d1");
    assertThat(model.requests().getFirst().messages().getLast().text()).hasSizeLessThan(16_500);
  }

  @Test
  void a_model_that_cannot_grade_fails_or_falls_back() throws Exception {
    var reranker = ModelReranker.by(ScriptedModel.saying("no", "still no", "no", "no"));
    assertThatThrownBy(() -> reranker.rerank("which?", MATCHES)).isInstanceOf(ModelException.class);
    assertThat(reranker.over(_ -> MATCHES, 3).retrieve("which?")).isEqualTo(MATCHES);
  }
}
