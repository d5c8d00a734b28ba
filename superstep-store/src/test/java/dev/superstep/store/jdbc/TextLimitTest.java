package dev.superstep.store.jdbc;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.ValueOverLimit;
import dev.superstep.error.NodeFailed;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.json.JsonLimit;
import dev.superstep.node.Command;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What is accepted can be read back, and what could not be is never saved.
final class TextLimitTest {
  private static final Channel<Json, Json> VALUE = Channel.latest("value", Json.class);
  private static final Channel<List<Json>, Json> LIST = Channel.topic("list", Json.class);
  private static final Channel<List<Json>, Json> LOG = Channel.append("log", Json.class);
  private static final Channel<Boolean, Boolean> READY = Channel.latest("ready", Boolean.class);
  private static final Question<String, String> GO = Question.of("go", String.class, String.class);
  private static final Target<Json> EACH = Target.of("each", Json.class);

  @TempDir Path folder;

  /// Where a node can put a value.
  private enum Put {
    CHANNEL,
    ITEM,
    TOPIC,
    OVERWRITE,
    STEP,
    ARGUMENT
  }

  private static NodeResult given(Put where, Json value, NodeContext context) throws Exception {
    return switch (where) {
      case CHANNEL -> Update.of(VALUE, value);
      case ITEM -> Update.of(LOG, value);
      case TOPIC -> Update.of(LIST, value);
      case OVERWRITE -> Update.overwrite(LOG, List.of(value));
      case STEP -> {
        context.step("make", Json.class, () -> value);
        yield NodeResult.nothing();
      }
      case ARGUMENT -> Command.send(List.of(Send.to(EACH, value)));
    };
  }

  /// Puts a value somewhere beside a node that asks, so that it is read back with the question's
  /// answer: from the record of the task, then from the channel.
  private static Graph giving(Put where, Json value) {
    return Graph.named("giving")
        .channels(VALUE, LIST, LOG, READY)
        .questions(GO)
        .node("give", (_, context) -> given(where, value, context))
        .node("ask", (_, context) -> Update.of(READY, context.interrupt(GO, "now?").isEmpty()))
        .node("again", (_, context) -> Update.of(READY, context.interrupt(GO, "now?").isEmpty()))
        .node(EACH, (argument, _, _) -> Update.of(VALUE, argument))
        .additiveDestinations("give", EACH.name())
        .edge(START, "give")
        .edge(START, "ask")
        .edge("give", END)
        .edge("ask", "again")
        .edge("again", END)
        .edge(EACH.name(), END)
        .compile();
  }

  private RunOptions on(Checkpointer store) {
    return RunOptions.thread("t").checkpoints(store).concurrency(1);
  }

  private SqliteCheckpointer open() {
    return SqliteCheckpointer.open(folder.resolve("runs.db"));
  }

  /// Answers both questions, each in a new process as it were, and tells what the value became.
  private Json readBack(Put where, Json value) throws Exception {
    var graph = giving(where, value);
    try (var store = open()) {
      assertThat(graph.invoke(Input.none(), on(store))).isInstanceOf(Outcome.Interrupted.class);
    }
    for (int i = 0; i < 2; i++) {
      try (var store = open()) {
        graph.resume(Answers.to(GO, "yes"), on(store));
      }
    }
    try (var store = open()) {
      var state = graph.state(on(store)).orElseThrow().state();
      return switch (where) {
        case CHANNEL, ARGUMENT -> state.get(VALUE);
        case ITEM, OVERWRITE -> state.get(LOG).getFirst();
        case TOPIC, STEP -> value;
      };
    }
  }

  private static Json nested(int levels) {
    return Json.unchecked("[".repeat(levels) + "1" + "]".repeat(levels));
  }

  private static Json number(int digits) {
    return Json.unchecked("1".repeat(digits));
  }

  private static Json named(int length) {
    return Json.unchecked("{\"" + "n".repeat(length) + "\":1}");
  }

  /// A string in a record is what Jackson reads; one by itself could be any length.
  private static Json string(int length) {
    return Json.unchecked("{\"s\":\"" + "x".repeat(length) + "\"}");
  }

  @ParameterizedTest
  @EnumSource(Put.class)
  void values_at_a_limit_read_back(Put where) throws Exception {
    // A list around it is a level of its own.
    int levels = JsonLimit.NESTING.most() - (where == Put.OVERWRITE ? 1 : 0);
    var name = JsonLimit.NAME.most();
    for (var value : List.of(nested(levels), number(JsonLimit.NUMBER.most()), named(name))) {
      try (var store = open()) {
        var lease = store.acquire("t", "test", Duration.ofMinutes(1));
        store.delete(lease);
      }
      assertThat(readBack(where, value)).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @EnumSource(Put.class)
  void values_beyond_a_limit_are_refused_before_anything_is_saved(Put where) throws Exception {
    refused(where, nested(JsonLimit.NESTING.most() + 1), JsonLimit.NESTING);
    refused(where, number(JsonLimit.NUMBER.most() + 1), JsonLimit.NUMBER);
    refused(where, named(JsonLimit.NAME.most() + 1), JsonLimit.NAME);
  }

  @Test
  void a_string_that_could_never_be_read_is_refused() throws Exception {
    refused(Put.CHANNEL, string(JsonLimit.STRING.most() + 1), JsonLimit.STRING);
  }

  @Test
  @Tag("long")
  void the_longest_string_is_read_back() throws Exception {
    var value = string(JsonLimit.STRING.most());
    assertThat(readBack(Put.CHANNEL, value).equals(value)).isTrue();
  }

  private void refused(Put where, Json value, JsonLimit limit) throws Exception {
    for (var durability : Durability.values()) {
      try (var store = open()) {
        var graph = giving(where, value);
        var run = on(store).durability(durability);
        var refusal = catchThrowableOfType(ValueOverLimit.class, () -> cause(graph, run));
        assertThat(refusal).as(where + " " + limit + " " + durability).isNotNull();
        assertThat(refusal.limit()).isEqualTo(limit);
        assertThat(refusal.where()).contains(named(where));
        store
            .latest(Lineage.of("t"))
            .ifPresent(saved -> assertThat(saved.checkpoint().step()).isZero());
        store.delete(store.acquire("t", "test", Duration.ofMinutes(1)));
      }
    }
  }

  private static void cause(Graph graph, RunOptions run) throws Throwable {
    try {
      graph.invoke(Input.none(), run);
    } catch (NodeFailed e) {
      throw Optional.<Throwable>ofNullable(e.getCause()).orElse(e);
    }
  }

  private static String named(Put where) {
    return switch (where) {
      case CHANNEL -> VALUE.name();
      case ITEM, OVERWRITE -> LOG.name();
      case TOPIC -> LIST.name();
      case STEP -> "give";
      case ARGUMENT -> EACH.name();
    };
  }

  @Tag("long")
  @Test
  void a_value_that_encryption_makes_too_long_is_refused_too() throws Exception {
    // Base64 takes four characters for three.
    var value = string(JsonLimit.STRING.most() / 8 * 7);
    try (var inner = open()) {
      var ring = KeyRing.of("k", new byte[KeyRing.KEY_BYTES]);
      var store = EncryptedCheckpointer.over(inner, ring);
      var graph = giving(Put.CHANNEL, value);
      var refusal = catchThrowableOfType(ValueOverLimit.class, () -> cause(graph, on(store)));
      assertThat(refusal).isNotNull();
      assertThat(refusal.where()).contains(VALUE.name());
    }
  }
}
