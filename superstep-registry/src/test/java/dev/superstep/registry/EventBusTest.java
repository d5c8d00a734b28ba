package dev.superstep.registry;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.catalog.LiveCatalog;
import dev.superstep.event.Backlog;
import dev.superstep.event.BacklogFull;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.model.ModelRef;
import dev.superstep.node.NodeResult;
import dev.superstep.registry.BusEvent.Level;
import dev.superstep.registry.BusEvent.Payload;
import dev.superstep.run.Input;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Events on their way to those who chose them.
@Tag("T114")
class EventBusTest {
  private final EventBus bus = new EventBus();

  @Test
  void events_of_registry_catalogue_and_run_arrive_at_one_listener() throws Exception {
    var all = bus.subscribe(Delivery.of(BusFilter.all()));
    var registry = Registry.named("desk").listener(event -> bus.publish(BusEvent.of(event)));
    registry.register(Component.of(Kind.SCRIPT, "hello", "…"));
    LiveCatalog.shipped()
        .listener(event -> bus.publish(BusEvent.of(event)))
        .find(ModelRef.parse("openai://gpt-5.2"));
    graph().invoke(Input.none(), RunOptions.defaults().listener(bus::publish));
    assertThat(rest(all))
        .extracting(BusEvent::name)
        .containsExactly(
            "registry.component_registered",
            "catalog.snapshot_loaded",
            "catalog.lookup_hit",
            "run.started",
            "step.started",
            "node.started",
            "node.finished",
            "step.finished",
            "run.completed");
  }

  @Test
  void filters_choose_by_kind_component_run_thread_tag_and_level() throws Exception {
    var id = ComponentId.parse("tool:weather");
    var event =
        BusEvent.of("tool.slow", Level.WARNING, Json.ofNull())
            .withComponent(id)
            .withRun("r")
            .withThread("t")
            .withTags("slow");
    assertThat(
            List.of(
                BusFilter.all(),
                BusFilter.kind("tool"),
                BusFilter.kind("tool.slow"),
                BusFilter.component(id),
                BusFilter.run("r"),
                BusFilter.thread("t"),
                BusFilter.tag("slow"),
                BusFilter.atLeast(Level.WARNING),
                BusFilter.run("r").and(BusFilter.tag("slow")),
                BusFilter.run("x").or(BusFilter.thread("t")),
                BusFilter.tag("x").not()))
        .allMatch(filter -> filter.matches(event));
    assertThat(
            List.of(
                BusFilter.kind("too"),
                BusFilter.kind("tool.slo"),
                BusFilter.component(ComponentId.parse("tool:weather@1")),
                BusFilter.run("t"),
                BusFilter.thread("r"),
                BusFilter.tag("fast"),
                BusFilter.atLeast(Level.ERROR),
                BusFilter.run("r").and(BusFilter.tag("x")),
                BusFilter.run("x").or(BusFilter.thread("x")),
                BusFilter.all().not()))
        .noneMatch(filter -> filter.matches(event));
  }

  @Test
  void a_slow_reader_loses_the_oldest_or_the_newest_and_learns_how_many() throws Exception {
    var oldest = reader(Backlog.droppingOldest());
    var newest = reader(Backlog.droppingNewest());
    for (int i = 1; i <= 5; i++) bus.publish(number(i));
    assertThat(words(oldest)).containsExactly("lost 3", "4", "5");
    assertThat(words(newest)).containsExactly("1", "2", "lost 3");
    assertThat(oldest.lost()).isEqualTo(3);
  }

  @Test
  void a_publisher_waits_for_a_blocking_reader() throws Exception {
    var all = reader(Backlog.blocking());
    var publishing =
        Thread.ofVirtual()
            .start(() -> {
              for (int i = 1; i <= 200; i++) bus.publish(number(i));
              bus.close();
            });
    var heard = new ArrayList<BusEvent>();
    for (var next = all.next(); next.isPresent(); next = all.next()) heard.add(next.get());
    publishing.join();
    assertThat(heard).hasSize(200);
    assertThat(all.lost()).isZero();
  }

  @Test
  void a_publisher_fails_when_the_backlog_of_a_strict_reader_is_full() throws Exception {
    var strict = reader(Backlog.failing());
    var other = bus.subscribe(Delivery.of(BusFilter.all()));
    bus.publish(number(1));
    bus.publish(number(2));
    assertThatThrownBy(() -> bus.publish(number(3))).isInstanceOf(BacklogFull.class);
    strict.next();
    bus.publish(number(4));
    assertThat(words(strict)).containsExactly("2", "4");
    assertThat(words(other)).containsExactly("1", "2", "3", "4");
  }

  @Test
  void a_listener_that_throws_is_removed_without_other_effects() throws Exception {
    var log = Logger.getLogger(EventBus.class.getName());
    var before = log.getLevel();
    log.setLevel(java.util.logging.Level.OFF);
    try {
      var called = new CountDownLatch(1);
      bus.deliver(
          Delivery.of(BusFilter.all()),
          _ -> {
            called.countDown();
            throw new IOException("no disk");
          });
      var heard = new LinkedBlockingQueue<BusEvent>();
      bus.deliver(Delivery.of(BusFilter.all()), heard::add);
      bus.publish(number(1));
      called.await();
      bus.publish(number(2));
      assertThat(List.of(heard.take(), heard.take())).containsExactly(number(1), number(2));
    } finally {
      log.setLevel(before);
    }
  }

  @Test
  @Tag("T113")
  void a_required_listener_that_throws_fails_the_publisher_after_the_others_were_notified()
      throws Exception {
    var other = bus.subscribe(Delivery.of(BusFilter.all()));
    var audit =
        bus.deliver(
            Delivery.of(BusFilter.all()).required(),
            _ -> {
              throw new IOException("no disk");
            });
    assertThatThrownBy(() -> bus.publish(number(1)))
        .isInstanceOf(ListenerFailed.class)
        .hasMessage(
            "A required listener threw at `test.number`: no disk. See the cause, or do not require"
                + " it.");
    audit.close();
    bus.publish(number(2));
    assertThat(words(other)).containsExactly("1", "2");
  }

  @Test
  @Tag("T127")
  void each_listener_receives_events_after_its_own_redaction() throws Exception {
    var open = bus.subscribe(Delivery.of(BusFilter.all()));
    var closed = bus.subscribe(Delivery.of(BusFilter.all()).redact(Delivery::namesOnly));
    var broken =
        bus.subscribe(
            Delivery.of(BusFilter.all())
                .redact(_ -> {
                  throw new IllegalStateException("redaction");
                }));
    bus.publish(number(1).withRun("r"));
    bus.close();
    assertThat(open.next().orElseThrow().payload()).isEqualTo(new Payload.Custom(Json.parse("1")));
    for (var reader : List.of(closed, broken)) {
      var event = reader.next().orElseThrow();
      assertThat(event.payload()).isEqualTo(new Payload.Withheld());
      assertThat(event.run()).hasValue("r");
    }
  }

  @Test
  @Tag("T113")
  void a_throwing_redaction_of_a_required_listener_fails_the_publisher() {
    var heard = new ArrayList<BusEvent>();
    var delivery =
        Delivery.of(BusFilter.all())
            .redact(_ -> {
              throw new IllegalStateException("redaction");
            })
            .required();
    bus.deliver(delivery, heard::add);
    assertThatThrownBy(() -> bus.publish(number(1))).isInstanceOf(RedactionFailed.class);
    assertThat(heard).isEmpty();
  }

  @Test
  void transforms_change_or_leave_out_events_for_one_listener_in_order() throws Exception {
    var odd =
        bus.subscribe(
            Delivery.of(BusFilter.all())
                .transform(event ->
                    Optional.of(event).filter(each -> Integer.parseInt(word(each)) % 2 == 1))
                .transform(event -> Optional.of(event.withTags("odd"))));
    var broken = bus.subscribe(Delivery.of(BusFilter.all()).transform(EventBusTest::thrown));
    for (int i = 1; i <= 4; i++) bus.publish(number(i));
    bus.close();
    assertThat(rest(odd)).containsExactly(number(1).withTags("odd"), number(3).withTags("odd"));
    assertThatThrownBy(broken::next).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_closed_bus_delivers_nothing_and_its_readers_end() throws Exception {
    var before = bus.subscribe(Delivery.of(BusFilter.all()));
    bus.publish(number(1));
    bus.close();
    bus.publish(number(2));
    assertThat(words(before)).containsExactly("1");
    assertThat(bus.subscribe(Delivery.of(BusFilter.all())).next()).isEmpty();
  }

  private BusReader reader(Backlog backlog) {
    return bus.subscribe(Delivery.of(BusFilter.all()).backlog(backlog.withCapacity(2)));
  }

  private List<String> words(BusReader reader) throws InterruptedException {
    return rest(reader).stream().map(EventBusTest::word).toList();
  }

  private List<BusEvent> rest(BusReader reader) throws InterruptedException {
    bus.close();
    var events = new ArrayList<BusEvent>();
    for (var next = reader.next(); next.isPresent(); next = reader.next()) events.add(next.get());
    return events;
  }

  private static BusEvent number(int number) {
    return BusEvent.of("test.number", Level.INFO, Json.unchecked(String.valueOf(number)));
  }

  private static String word(BusEvent event) {
    return switch (event.payload()) {
      case Payload.Custom(var value) -> value.text();
      case Payload.Lost(var count) -> "lost " + count;
      case Payload.OfRun _, Payload.OfRegistry _, Payload.OfCatalog _, Payload.Withheld _ ->
          event.name();
    };
  }

  private static Optional<BusEvent> thrown(BusEvent event) {
    throw new IllegalStateException(event.name());
  }

  private static Graph graph() {
    return Graph.named("small")
        .node("a", (_, _) -> NodeResult.nothing())
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }
}
