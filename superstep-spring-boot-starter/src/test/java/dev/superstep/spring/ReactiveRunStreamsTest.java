package dev.superstep.spring;

import static dev.superstep.spring.SseClient.all;
import static dev.superstep.spring.SseClient.lines;
import static dev.superstep.spring.SseClient.names;
import static dev.superstep.spring.SseClient.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.spring.Shop.Hold;
import dev.superstep.spring.SseClient.Received;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscription;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.codec.ServerSentEvent;
import reactor.core.publisher.BaseSubscriber;

/// Streams of an application with WebFlux on Netty.
@Timeout(180)
class ReactiveRunStreamsTest {
  @TempDir static Path folder;
  private static ConfigurableApplicationContext shop;
  private final SseClient client =
      new SseClient(() -> shop.getEnvironment().getRequiredProperty("local.server.port"));

  @BeforeAll
  static void start() {
    shop = started();
    assertThat(shop.getBeanProvider(NettyReactiveWebServerFactory.class).getIfUnique()).isNotNull();
    assertThat(shop.getBeanProvider(RunStreams.class).getIfUnique()).isNull();
  }

  private static ConfigurableApplicationContext started() {
    return new SpringApplicationBuilder(FluxShop.class)
        .web(WebApplicationType.REACTIVE)
        .properties("server.port=0", "superstep.store.file=" + folder.resolve("threads.db"))
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
    assertThat(events.toString()).contains("Done: order 7 is lost").doesNotContain("number");
  }

  @Test
  void a_question_is_an_event_and_its_answer_goes_on_with_the_run() throws Exception {
    var asked = all(client.post("/chats/t2", "Pay me back."));
    var question = asked.stream().filter(event -> event.name().equals("question")).toList();
    assertThat(question).hasSize(1);
    assertThat(asked.getLast().data().text()).contains("WAITING");
    var id = ((ClientEvent.Question) question.getFirst().data().as(ClientEvent.class)).id();
    var answer = "{\"%s\":{\"decisions\":[{\"type\":\"approve\"}]}}".formatted(id);
    var after = all(client.post("/chats/t2/answers", answer));
    assertThat(names(after)).contains("answered", "text").endsWith("ended");
    assertThat(after.toString()).contains("Done: paid 7");
  }

  @Test
  void a_client_that_leaves_and_comes_back_reads_on_and_its_run_did_not_wait() throws Exception {
    var hold = Hold.at(3);
    Shop.HELD.put("t3", hold);
    var first = client.post("/rounds/t3", "");
    var got = new ArrayList<Received>();
    var lines = lines(first);
    while (names(got).stream().filter("kept"::equals).count() < 2) got.add(next(lines));
    first.body().close();
    hold.reached().await();
    hold.goOn().countDown();
    got.addAll(all(client.again("/chats/t3", got.getLast().id())));
    var whole = all(client.get("/chats/t3"));
    assertThat(got).as("nothing twice, nothing left out").isEqualTo(whole);
    assertThat(names(got).stream().filter("kept"::equals)).hasSize(5);
    assertThat(client.again("/chats/t3", got.getLast().id()).statusCode()).isEqualTo(204);
    assertThat(client.again("/chats/nobody", "nonsense").statusCode()).isEqualTo(204);
  }

  @Test
  void after_a_restart_the_journal_has_what_was_kept_and_the_resumed_run_follows()
      throws Exception {
    var hold = Hold.at(3);
    Shop.HELD.put("t4", hold);
    var first = next(lines(client.post("/rounds/t4", "")));
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
    assertThat(events.getLast().data().text()).contains("COMPLETED");
  }

  @Test
  void a_run_that_cannot_start_is_an_error_before_the_first_event() throws Exception {
    var hold = Hold.at(1);
    Shop.HELD.put("t5", hold);
    var run = shop.getBean(Runs.class).start("rounds", Input.none(), "t5");
    hold.reached().await();
    assertThat(client.post("/rounds/t5", "").statusCode()).isEqualTo(500);
    hold.goOn().countDown();
    assertThat(run.outcome()).isInstanceOf(Outcome.Completed.class);
  }

  /// Asks for a number of events at first.
  private static final class Reader extends BaseSubscriber<ServerSentEvent<String>> {
    final List<ServerSentEvent<String>> got = new CopyOnWriteArrayList<>();
    final CountDownLatch ended = new CountDownLatch(1);
    final CountDownLatch few;
    private final int first;

    Reader(int first) {
      this.first = first;
      this.few = new CountDownLatch(first);
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      request(first);
    }

    @Override
    protected void hookOnNext(ServerSentEvent<String> event) {
      got.add(event);
      few.countDown();
    }

    @Override
    protected void hookOnComplete() {
      ended.countDown();
    }
  }

  @Test
  void a_subscriber_gets_as_many_events_as_it_asks_for() throws Exception {
    var run = shop.getBean(Runs.class).start("rounds", Input.none(), "t6");
    assertThat(run.outcome()).isInstanceOf(Outcome.Completed.class);
    var reader = new Reader(2);
    shop.getBean(ReactiveRunStreams.class).of(run).subscribe(reader);
    assertThat(reader.few.await(1, TimeUnit.MINUTES)).isTrue();
    assertThat(reader.got).extracting(ServerSentEvent::event).containsExactly("started", "kept");
    assertThat(reader.ended.getCount()).isEqualTo(1);
    reader.requestUnbounded();
    assertThat(reader.ended.await(1, TimeUnit.MINUTES)).isTrue();
    assertThat(reader.got.stream().filter(event -> "kept".equals(event.event()))).hasSize(5);
  }

  @Test
  void a_subscriber_that_cancels_ends_its_thread_and_not_the_run() throws Exception {
    var hold = Hold.at(3);
    Shop.HELD.put("t7", hold);
    var run = shop.getBean(Runs.class).start("rounds", Input.none(), "t7");
    var sending = new CopyOnWriteArrayList<Thread>();
    var reader = new Reader(1);
    shop.getBean(ReactiveRunStreams.class)
        .of(run)
        .doOnNext(_ -> sending.add(Thread.currentThread()))
        .subscribe(reader);
    assertThat(reader.few.await(1, TimeUnit.MINUTES)).isTrue();
    reader.cancel();
    assertThat(sending.getFirst().isVirtual()).isTrue();
    assertThat(sending.getFirst().join(java.time.Duration.ofMinutes(1))).isTrue();
    hold.goOn().countDown();
    assertThat(run.outcome()).isInstanceOf(Outcome.Completed.class);
  }

  @Test
  void a_demand_counts_what_is_asked_for() throws Exception {
    var demand = new Demand();
    assertThat(demand.takeNow()).isFalse();
    demand.add(2);
    demand.take();
    assertThat(demand).hasToString("Demand[1]");
    demand.add(Long.MAX_VALUE);
    demand.take();
    assertThat(demand).hasToString("Demand[" + Long.MAX_VALUE + "]");
    var waiting = new Demand();
    var taking =
        Thread.ofVirtual()
            .start(
                () -> assertThatThrownBy(waiting::take).isInstanceOf(InterruptedException.class));
    taking.interrupt();
    assertThat(taking.join(java.time.Duration.ofMinutes(1))).isTrue();
    assertThat(shop.getBean(ReactiveRunStreams.class).toString()).startsWith("ReactiveRunStreams[");
  }
}
