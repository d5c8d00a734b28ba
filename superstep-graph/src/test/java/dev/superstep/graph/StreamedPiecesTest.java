package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.invalid;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.kinds;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.Kind;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.UndeclaredChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Pieces of what a node is going to write, told while it is at work.
@Tag("G16")
@Timeout(60)
class StreamedPiecesTest {
  static final Channel<String, String> REPORT = Channel.latest("report", String.class);
  static final Channel<List<Integer>, Integer> FOUND = Channel.append("found", Integer.class);
  static final Channel<Object, Object> SOCKET = Channel.untracked("socket", Object.class);
  static final Channel<String, String> OTHER = Channel.latest("other", String.class);

  private final List<Event> events = Collections.synchronizedList(new ArrayList<>());

  private static GraphBuilder writing(Node node) {
    return Graph.named("writing")
        .channels(REPORT, FOUND, SOCKET)
        .node("write", node, NodePolicy.defaults().retry(Retry.of(2)))
        .edge(START, "write")
        .edge("write", END);
  }

  private static List<Event.PieceArrived> pieces(List<Event> events) {
    return events.stream()
        .filter(Event.PieceArrived.class::isInstance)
        .map(Event.PieceArrived.class::cast)
        .toList();
  }

  @Test
  void pieces_are_published_immediately_in_order_and_change_no_state() throws Exception {
    var graph =
        writing(
                (state, context) -> {
                  context.emit(REPORT, "once ");
                  context.emit(FOUND, 7);
                  context.emit(REPORT, "upon");
                  assertThat(state.find(REPORT)).isEmpty();
                  return Update.of(FOUND, 8);
                })
            .compile();
    var end = completed(graph.invoke(Input.none(), kept().listener(events::add)));
    assertThat(end.find(REPORT)).isEmpty();
    assertThat(end.get(FOUND)).containsExactly(8);
    assertThat(kinds(events))
        .containsSubsequence(
            "node.started write",
            "piece.arrived report \"once \"",
            "piece.arrived found 7",
            "piece.arrived report \"upon\"",
            "node.finished write");
    var found = pieces(events).get(1);
    assertThat(found.read(FOUND)).contains(7);
    assertThat(found.read(REPORT)).isEmpty();
    assertThat(found.kind()).isEqualTo(Kind.PIECES);
    for (var event : events) {
      assertThat(Codec.of(Event.class).decode(event.json())).isEqualTo(event);
      assertThat(event.isProvisional()).isEqualTo(event instanceof Event.PieceArrived);
    }
  }

  @Test
  void a_reader_can_choose_the_pieces_of_one_channel_and_of_one_node() throws Exception {
    var graph =
        writing(
                (_, context) -> {
                  context.emit(REPORT, "a");
                  context.emit(FOUND, 1);
                  return NodeResult.nothing();
                })
            .compile();
    completed(graph.invoke(Input.none(), kept().listener(events::add)));
    var ofReport = EventFilter.channel("report");
    assertThat(events.stream().filter(ofReport::matches).map(e -> kinds(List.of(e)).getFirst()))
        .containsExactly("piece.arrived report \"a\"");
    var ofNode = EventFilter.kinds(Kind.PIECES).and(EventFilter.node("write"));
    assertThat(events.stream().filter(ofNode::matches)).hasSize(2);
    assertThat(events.stream().filter(ofNode.and(ofReport.not())::matches)).hasSize(1);
  }

  @Test
  void pieces_of_a_failed_attempt_have_its_attempt_number() throws Exception {
    var tries = new AtomicInteger();
    var graph =
        writing(
                (_, context) -> {
                  context.emit(REPORT, "half");
                  if (tries.incrementAndGet() == 1) throw new IllegalStateException("flaky");
                  return Update.of(REPORT, "whole");
                })
            .compile();
    completed(graph.invoke(Input.none(), kept().sleeper(_ -> {}).listener(events::add)));
    assertThat(pieces(events)).extracting(Event.PieceArrived::attempt).containsExactly(1, 2);
  }

  @Test
  void without_a_listener_no_piece_is_encoded() throws Exception {
    var encoded = new AtomicInteger();
    var codec = new Counting(Codec.of(String.class), encoded);
    var counted = Channel.latest("counted", codec);
    var graph =
        Graph.named("counting")
            .channels(counted)
            .node(
                "write",
                (_, context) -> {
                  for (int i = 0; i < 10; i++) context.emit(counted, "piece");
                  return NodeResult.nothing();
                })
            .edge(START, "write")
            .edge("write", END)
            .compile();
    completed(graph.invoke(Input.none(), kept()));
    assertThat(encoded).hasValue(0);
    completed(graph.invoke(Input.none(), kept().listener(events::add)));
    assertThat(encoded).hasValue(10);
  }

  private record Counting(Codec<String> codec, AtomicInteger encoded) implements Codec<String> {
    @Override
    public Json encode(String value) {
      encoded.incrementAndGet();
      return codec.encode(value);
    }

    @Override
    public String decode(Json json) {
      return codec.decode(json);
    }

    @Override
    public String type() {
      return codec.type();
    }
  }

  @Test
  void a_piece_of_a_channel_that_the_node_may_not_write_is_refused() {
    Node node =
        (_, context) -> {
          context.emit(OTHER, "x");
          return NodeResult.nothing();
        };
    var undeclared = thrown(NodeFailed.class, () -> writing(node).compile().invoke(Input.none()));
    assertThat(undeclared).hasCauseInstanceOf(UndeclaredChannel.class);
    var graph =
        writing(
                (_, context) -> {
                  context.emit(REPORT, "x");
                  return NodeResult.nothing();
                })
            .writes("write", FOUND)
            .compile();
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none())))
        .satisfies(invalid(Reason.UNDECLARED_WRITE));
  }

  @Test
  void pieces_of_unstored_channels_and_after_the_return_are_not_published() throws Exception {
    var late = new AtomicReference<NodeContext>();
    var graph =
        writing(
                (_, context) -> {
                  late.set(context);
                  context.emit(SOCKET, new Object());
                  return NodeResult.nothing();
                })
            .compile();
    completed(graph.invoke(Input.none(), kept().listener(events::add)));
    late.get().emit(REPORT, "too late");
    assertThat(kinds(events)).contains("run.completed");
    assertThat(pieces(events)).isEmpty();
  }
}
