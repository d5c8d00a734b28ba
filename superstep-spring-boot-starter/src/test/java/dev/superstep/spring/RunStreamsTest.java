package dev.superstep.spring;

import static dev.superstep.spring.SseClient.all;
import static dev.superstep.spring.SseClient.lines;
import static dev.superstep.spring.SseClient.names;
import static dev.superstep.spring.SseClient.next;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.run.Outcome;
import dev.superstep.spring.Shop.Hold;
import dev.superstep.spring.SseClient.Received;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

@Timeout(180)
class RunStreamsTest {
  private static final int CLIENTS = Integer.getInteger("superstep.spring.clients", 40);

  @TempDir static Path folder;
  private static ConfigurableApplicationContext shop;
  private final SseClient client =
      new SseClient(() -> shop.getEnvironment().getRequiredProperty("local.server.port"));

  @BeforeAll
  static void start() {
    shop = started();
  }

  private static ConfigurableApplicationContext started() {
    return new SpringApplicationBuilder(Shop.class)
        .properties("superstep.store.file=" + folder.resolve("threads.db"))
        .properties("spring.threads.virtual.enabled=true")
        .run();
  }

  @AfterEach
  void stop() {
    Shop.HELD.values().forEach(hold -> hold.goOn().countDown());
    Shop.HELD.clear();
    client.close();
  }

  @AfterAll
  static void close() {
    shop.close();
  }

  @Test
  void a_request_streams_what_the_agent_does_and_says() throws Exception {
    var events = all(client.post("/chats/t1", "Where is my order?"));
    assertThat(names(events))
        .startsWith("started")
        .containsSubsequence("tool.started", "tool.ended", "text", "kept", "ended")
        .endsWith("ended");
    assertThat(events.stream().filter(event -> event.name().equals("text")).map(Received::data))
        .singleElement()
        .satisfies(data -> assertThat(data.text()).contains("Done: order 7 is lost"));
    assertThat(events.getLast().data().text()).contains("COMPLETED");
    var told = events.toString();
    assertThat(told).as("arguments of tools stay here").doesNotContain("number");
  }

  @Test
  void a_question_is_an_event_and_its_answer_goes_on_with_the_run() throws Exception {
    var asked = all(client.post("/chats/t2", "Pay me back."));
    var question = asked.stream().filter(event -> event.name().equals("question")).toList();
    assertThat(question).hasSize(1);
    assertThat(question.getFirst().data().text()).contains("\"question\":\"review\"", "refund");
    assertThat(asked.getLast().data().text()).contains("WAITING");
    var id = ((ClientEvent.Question) question.getFirst().data().as(ClientEvent.class)).id();
    var answer = "{\"%s\":{\"decisions\":[{\"type\":\"approve\"}]}}".formatted(id);
    var after = all(client.post("/chats/t2/answers", answer));
    assertThat(names(after)).contains("answered", "text").endsWith("ended");
    assertThat(after.toString()).contains("Done: paid 7");
  }

  @Test
  void a_client_that_comes_back_reads_on_after_the_last_event_that_it_got() throws Exception {
    var hold = Hold.at(3);
    Shop.HELD.put("t3", hold);
    var first = client.post("/rounds/t3", "");
    var got = new ArrayList<Received>();
    var lines = lines(first);
    // Two rounds are kept before the third one waits.
    while (names(got).stream().filter("kept"::equals).count() < 2) got.add(next(lines));
    first.body().close();
    hold.reached().await();
    hold.goOn().countDown();
    got.addAll(all(client.again("/chats/t3", got.getLast().id())));
    var whole = all(client.get("/chats/t3"));
    assertThat(got).as("nothing twice, nothing left out").isEqualTo(whole);
    assertThat(names(got).stream().filter("kept"::equals)).hasSize(5);
    assertThat(client.again("/chats/t3", got.getLast().id()).statusCode())
        .as("tells a browser not to come back")
        .isEqualTo(204);
    assertThat(client.again("/chats/nobody", "nonsense").statusCode()).isEqualTo(204);
  }

  @Test
  void after_a_restart_the_journal_has_what_was_kept_and_the_resumed_run_follows()
      throws Exception {
    var hold = Hold.at(3);
    Shop.HELD.put("t4", hold);
    var response = client.post("/rounds/t4", "");
    var lines = lines(response);
    var first = next(lines);
    hold.reached().await();
    var stop = Thread.startVirtualThread(shop::close);
    hold.goOn().countDown();
    stop.join();
    Shop.HELD.clear();
    shop = started();
    assertThat(shop.getBean(Runs.class).resume("t4").outcome())
        .isInstanceOf(Outcome.Completed.class);
    var events = all(client.again("/chats/t4", first.id()));
    assertThat(events.getFirst().name()).isEqualTo("replay");
    assertThat(names(events).stream().filter("kept"::equals)).hasSize(5);
    assertThat(names(events)).containsSubsequence("started", "ended", "started", "ended");
    assertThat(events.getLast().data().text()).contains("COMPLETED");
  }

  @Test
  void many_clients_at_once_each_get_the_whole_of_their_run() throws Exception {
    manyClients(CLIENTS);
  }

  @Test
  @Tag("long")
  void five_hundred_clients_at_once_each_get_the_whole_of_their_run() throws Exception {
    manyClients(500);
  }

  /// All runs are held in their third round until each client has its stream.
  private void manyClients(int clients) throws Exception {
    var holds = new ArrayList<Hold>();
    for (int i = 0; i < clients; i++) {
      var hold = Hold.at(3);
      holds.add(hold);
      Shop.HELD.put("c" + i, hold);
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var streams =
          threads.invokeAll(
              IntStream.range(0, clients)
                  .<Callable<HttpResponse<InputStream>>>mapToObj(
                      i -> () -> client.post("/rounds/c" + i, ""))
                  .toList());
      for (var hold : holds) hold.reached().await();
      holds.forEach(hold -> hold.goOn().countDown());
      for (var stream : streams) {
        var events = all(stream.get());
        assertThat(names(events).stream().filter("kept"::equals)).hasSize(5);
        assertThat(events.getLast().data().text()).contains("COMPLETED");
      }
    }
  }
}
