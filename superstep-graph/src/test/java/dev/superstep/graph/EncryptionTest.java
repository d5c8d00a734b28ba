package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.CannotDecrypt;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Redaction;
import dev.superstep.json.Json;
import dev.superstep.node.Ask;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Threads whose store cannot read them.
final class EncryptionTest {
  private static final String SAID = "swordfish";
  private static final Channel<String, String> TOPIC = Channel.latest("topic", String.class);
  private static final Channel<List<String>, String> LINES = Channel.append("lines", String.class);
  private static final Channel<List<String>, String> NAMES =
      Channel.byId("names", String.class, name -> name);
  private static final Target<String> EACH = Target.of("each", String.class);
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);
  private static final KeyRing RING = KeyRing.of("one", key(1));

  private final InMemoryCheckpointer inner = new InMemoryCheckpointer();

  private static byte[] key(int fill) {
    var key = new byte[KeyRing.KEY_BYTES];
    Arrays.fill(key, (byte) fill);
    return key;
  }

  private static Graph helper(boolean[] fails) {
    return Graph.named("helper")
        .channels(TOPIC, LINES)
        .questions(WHAT)
        .node(
            "ask",
            (state, context) -> {
              var answer = context.interrupt(WHAT, SAID + " payload");
              if (fails[0]) throw new IllegalStateException(SAID + " error");
              return Update.of(LINES, answer + " " + state.get(TOPIC));
            })
        .edge(START, "ask")
        .edge("ask", END)
        .compile();
  }

  /// Says the word in every way in which something can be said.
  private static Graph talkative(boolean[] fails) {
    return Graph.named("talkative")
        .channels(TOPIC, LINES, NAMES)
        .questions(WHAT)
        .node(
            "plan",
            (_, context) -> {
              context.emit("progress", SAID + " event");
              var step = context.step("look up", String.class, () -> SAID + " step");
              return Update.of(LINES, step).and(NAMES, SAID + " name");
            })
        .node(EACH, (argument, _, _) -> Update.of(LINES, SAID + " each " + argument))
        .node("return", (_, context) -> returned(context))
        .node("forget", (_, _) -> Update.remove(NAMES, SAID + " name"))
        .node(
            "help",
            Subgraph.of(
                helper(fails),
                state -> Input.of(TOPIC, state.get(TOPIC)),
                end -> Update.of(LINES, end.get(LINES).getFirst())))
        .edge(START, "plan")
        .fanOut("plan", _ -> List.of(Send.to(EACH, SAID + " a"), Send.to(EACH, "b")), EACH)
        .edge("plan", "return")
        .edge("return", "help")
        .edge("return", "forget")
        .edge("each", END)
        .edge("forget", END)
        .edge("help", END)
        .compile();
  }

  private static NodeResult returned(NodeContext context) {
    if (context.resumePoint().isEmpty()) return Ask.of(WHAT, SAID + " returned");
    return Update.of(LINES, context.answer(WHAT));
  }

  private static RunOptions on(Checkpointer store, String thread) {
    return RunOptions.thread(thread)
        .checkpoints(store)
        .metadata("case", SAID + " metadata")
        .label("by", SAID + " label")
        .journal(Redaction.none());
  }

  /// A run with two questions, a failure, a graph inside, a fork, a copy and an edit.
  private static List<String> whole(Checkpointer store) throws Exception {
    boolean[] fails = {true};
    var graph = talkative(fails);
    var options = on(store, "t");
    var one = asked(graph.invoke(Input.of(TOPIC, SAID + " topic"), options)).getFirst();
    assertThat(WHAT.read(one)).isEqualTo(SAID + " returned");
    var two = asked(graph.resume(Answers.of(one.id(), SAID + " first"), options)).getFirst();
    var answer = Answers.of(two.id(), SAID + " second");
    thrown(NodeFailed.class, () -> graph.resume(answer, options));
    fails[0] = false;
    Threads.in(store).copy("t", "copy");
    completed(graph.resume(Answers.none(), on(store, "copy")));
    var end = completed(graph.resume(Answers.none(), options)).get(LINES);
    var first = Threads.in(store).history("t", Optional.empty(), 100).getLast();
    Threads.in(store).fork("t", first.id(), "fork");
    assertThat(asked(graph.resume(Answers.none(), on(store, "fork")))).hasSize(1);
    graph.update(options, StateUpdate.as("forget", Update.of(LINES, SAID + " edit")));
    return end;
  }

  @Test
  void no_plain_text_of_a_run_reaches_the_store() throws Exception {
    var open = new RecordingStore(new InMemoryCheckpointer());
    var expected = whole(open.store());
    assertThat(open.given(SAID))
        .contains("acquireWith", "commit", "saveTask", "saveStep", "append", "fork");
    var sealed = new RecordingStore(inner);
    assertThat(whole(EncryptedCheckpointer.over(sealed.store(), RING)))
        .isEqualTo(expected)
        .contains(SAID + " step", SAID + " each b", SAID + " first");
    // How often a lease is renewed depends on the machine; the others find the family of a thread.
    var besides = Set.of("renew", "bind", "binding", "find");
    assertThat(sealed.methods().stream().filter(m -> !besides.contains(m)))
        .containsExactlyElementsOf(
            open.methods().stream().filter(m -> !besides.contains(m)).toList());
    assertThat(sealed.given(SAID)).isEmpty();
  }

  @Test
  void listings_and_events_are_decrypted() throws Exception {
    var store = EncryptedCheckpointer.over(inner, RING);
    whole(store);
    assertThat(store.threads(ThreadQuery.newest(9)))
        .allMatch(head -> head.checkpoint().metadata().containsValue(SAID + " metadata"))
        .hasSize(3);
    var entries = store.entries("t", 0, 100, EntryFilter.all().kinds("node.emitted"));
    assertThat(entries).hasSize(1);
    assertThat(entries.getFirst().event().text()).contains(SAID + " event");
    assertThat(store.entries("t", 0, 100, EntryFilter.all().nodes("nobody"))).isEmpty();
  }

  @Test
  void a_thread_continues_under_a_new_key_and_old_values_stay_readable() throws Exception {
    var graph = talkative(new boolean[] {false});
    var before = EncryptedCheckpointer.over(inner, RING);
    var one = asked(graph.invoke(Input.of(TOPIC, "x"), on(before, "t"))).getFirst();
    var after = EncryptedCheckpointer.over(inner, RING.rotated("two", key(2)));
    var two = asked(graph.resume(Answers.of(one.id(), "a"), on(after, "t"))).getFirst();
    completed(graph.resume(Answers.of(two.id(), "b"), on(after, "t")));
    assertThat(thrown(CannotDecrypt.class, () -> graph.state(on(before, "t"))))
        .extracting(CannotDecrypt::reason, CannotDecrypt::key)
        .containsExactly(CannotDecrypt.Reason.UNKNOWN_KEY, "two");
    var onlyNew = EncryptedCheckpointer.over(inner, KeyRing.of("two", key(2)));
    assertThat(thrown(CannotDecrypt.class, () -> graph.state(on(onlyNew, "t"))).key())
        .isEqualTo("one");
  }

  @Test
  void another_key_of_the_same_id_is_refused() {
    write(EncryptedCheckpointer.over(inner, RING));
    var other = EncryptedCheckpointer.over(inner, KeyRing.of("one", key(9)));
    assertThat(thrown(CannotDecrypt.class, () -> other.latest(Lineage.of("t"))).reason())
        .isEqualTo(CannotDecrypt.Reason.REFUSED);
  }

  @Test
  void plain_data_is_refused() {
    write(inner);
    var store = EncryptedCheckpointer.over(inner, RING);
    assertThat(thrown(CannotDecrypt.class, () -> store.latest(Lineage.of("t"))).reason())
        .isEqualTo(CannotDecrypt.Reason.NOT_SEALED);
  }

  /// `a` whole and `list` of two items.
  private static void write(Checkpointer store) {
    var lease = store.acquire("t", "test", Duration.ofMinutes(1));
    var changes =
        List.of(whole("a", Json.string("x")), items("list", 0, Json.string("x"), Json.string("y")));
    assertThat(store.commit(lease, new Commit(Lineage.of("t"), checkpoint("c0", null), changes)))
        .isTrue();
    store.release(lease);
  }

  private static ChannelChange whole(String name, Json value) {
    return new ChannelChange(name, 1, new ChannelChange.Change.Whole(value));
  }

  private static ChannelChange items(String name, int kept, Json... added) {
    return new ChannelChange(name, 1, new ChannelChange.Change.Items(kept, List.of(added)));
  }

  private static Checkpoint checkpoint(String id, @Nullable String parent) {
    return new Checkpoint(
        Checkpoint.FORMAT,
        id,
        Optional.ofNullable(parent),
        id,
        parent == null ? 0 : 1,
        Checkpoint.Source.LOOP,
        Instant.EPOCH,
        "r",
        "g",
        "h",
        Progress.of(List.of()),
        Map.of());
  }

  private SavedChannel.Content sealed(String channel) {
    return inner.latest(Lineage.of("t")).orElseThrow().channels().stream()
        .filter(c -> c.name().equals(channel))
        .findFirst()
        .orElseThrow()
        .content();
  }

  /// Puts something into the inner store behind the back of the encryption.
  private void tamper(ChannelChange change) {
    var lease = inner.acquire("t", "mallory", Duration.ofMinutes(1));
    var commit = new Commit(Lineage.of("t"), checkpoint("c1", "c0"), List.of(change));
    assertThat(inner.commit(lease, commit)).isTrue();
  }

  private void refused() {
    var store = EncryptedCheckpointer.over(inner, RING);
    assertThat(thrown(CannotDecrypt.class, () -> store.latest(Lineage.of("t"))).reason())
        .isEqualTo(CannotDecrypt.Reason.REFUSED);
    assertThat(store.byId(Lineage.of("t"), "c0")).isPresent();
  }

  @Test
  void a_value_that_was_moved_to_another_channel_is_refused() {
    write(EncryptedCheckpointer.over(inner, RING));
    tamper(whole("b", ((SavedChannel.Content.Whole) sealed("a")).value()));
    refused();
  }

  @Test
  void a_value_of_another_thread_is_refused_and_one_of_a_copy_is_not() {
    var store = EncryptedCheckpointer.over(inner, RING);
    write(store);
    var alice = ((SavedChannel.Content.Whole) sealed("a")).value();
    var copy = store.acquire("copy", "test", Duration.ofMinutes(1));
    assertThat(store.copy(copy, "t")).isTrue();
    assertThat(store.latest(Lineage.of("copy"))).isEqualTo(store.latest(Lineage.of("t")));
    for (var thread : List.of("copy", "bob")) {
      var lease = thread.equals("copy") ? copy : store.acquire("bob", "b", Duration.ofMinutes(1));
      var at = Lineage.of(thread);
      var parent = thread.equals("copy") ? "c0" : null;
      var made = checkpoint("c1", parent);
      store.commit(lease, new Commit(at, made, List.of(whole("a", Json.string("his own")))));
      var moved = new Commit(at, checkpoint("c2", "c1"), List.of(whole("a", alice)));
      assertThat(inner.commit(lease, moved)).isTrue();
    }
    var content = store.latest(Lineage.of("copy")).orElseThrow().channels().getFirst().content();
    assertThat(content).isEqualTo(new SavedChannel.Content.Whole(Json.string("x")));
    assertThat(thrown(CannotDecrypt.class, () -> store.latest(Lineage.of("bob"))).reason())
        .isEqualTo(CannotDecrypt.Reason.REFUSED);
    assertThat(store.byId(Lineage.of("bob"), "c1")).isPresent();
  }

  @Test
  void a_thread_that_another_process_recreated_is_readable() {
    var here = EncryptedCheckpointer.over(inner, RING);
    var there = EncryptedCheckpointer.over(inner, RING);
    write(here);
    assertThat(there.latest(Lineage.of("t"))).isPresent();
    here.delete(here.acquire("t", "test", Duration.ofMinutes(1)));
    write(here);
    assertThat(there.latest(Lineage.of("t"))).isEqualTo(here.latest(Lineage.of("t"))).isPresent();
    there.delete(there.acquire("t", "test", Duration.ofMinutes(1)));
    write(there);
    var lease = here.acquire("t", "test", Duration.ofMinutes(1));
    var more = new Commit(Lineage.of("t"), checkpoint("c1", "c0"), List.of());
    assertThat(here.commit(lease, more)).isTrue();
    assertThat(there.latest(Lineage.of("t"))).isEqualTo(here.latest(Lineage.of("t"))).isPresent();
  }

  @Test
  void a_thread_that_was_given_nothing_stays_in_its_own_family() {
    var store = EncryptedCheckpointer.over(inner, RING);
    write(store);
    var lease = store.acquire("bob", "test", Duration.ofMinutes(1));
    var inside = new Lineage("bob", "~/help");
    assertThat(
            store.commit(
                lease,
                new Commit(inside, checkpoint("c0", null), List.of(whole("a", Json.string("y"))))))
        .isTrue();
    assertThat(store.copy(lease, "nobody")).isFalse();
    assertThat(store.latest(inside)).isPresent();
  }

  @Test
  void swapped_items_are_refused() {
    write(EncryptedCheckpointer.over(inner, RING));
    var items = ((SavedChannel.Content.Items) sealed("list")).items();
    tamper(items("list", 0, items.get(1), items.get(0)));
    refused();
  }

  @Test
  void a_value_of_which_one_bit_was_changed_is_refused() {
    write(EncryptedCheckpointer.over(inner, RING));
    var seal = ((SavedChannel.Content.Whole) sealed("a")).value().as(String.class);
    int at = seal.length() - 8;
    var other = seal.charAt(at) == 'A' ? 'B' : 'A';
    var changed = seal.substring(0, at) + other + seal.substring(at + 1);
    tamper(whole("a", Json.string(changed)));
    refused();
  }

  @Test
  void the_result_of_a_step_cannot_be_moved_to_another_step() {
    var store = EncryptedCheckpointer.over(inner, RING);
    write(store);
    var lease = store.acquire("t", "test", Duration.ofMinutes(1));
    var at = Lineage.of("t");
    store.saveStep(lease, at, "c0", new StepRecord("task", "pay", Json.of(true)));
    var seal = inner.steps(at, "c0").getFirst().result();
    inner.saveStep(lease, at, "c0", new StepRecord("task", "refund", seal));
    assertThatThrownBy(() -> store.steps(at, "c0"))
        .isInstanceOf(CannotDecrypt.class)
        .hasMessageContaining("step of task `task / refund`");
  }

  @Test
  void equal_values_have_different_ciphertexts_and_decrypt_unchanged() {
    var store = EncryptedCheckpointer.over(inner, RING);
    var lease = store.acquire("t", "test", Duration.ofMinutes(1));
    var at = Lineage.of("t");
    var texts = List.of("", "naïve", "😀", "a\u0000b", "cut \ud83d", "1.0");
    for (var text : texts) {
      store.saveStep(lease, at, text + "-1", new StepRecord("t", "k", Json.string(text)));
      store.saveStep(lease, at, text + "-2", new StepRecord("t", "k", Json.string(text)));
      assertThat(store.steps(at, text + "-1").getFirst().result()).isEqualTo(Json.string(text));
      assertThat(inner.steps(at, text + "-1")).isNotEqualTo(inner.steps(at, text + "-2"));
    }
  }

  @Test
  void a_key_ring_prints_its_ids_and_never_its_keys() {
    var bytes = key(65);
    var ring = KeyRing.of("one", bytes).reading("zero", key(66));
    assertThat(ring).hasToString("keys [one, zero], writing with one");
    assertThat(ring.ids()).containsExactly("one", "zero");
    assertThatThrownBy(() -> KeyRing.of("one", new byte[16])).hasMessageContaining("32 bytes");
    assertThatThrownBy(() -> KeyRing.of("a:b", bytes)).hasMessageContaining("letters");
    assertThatThrownBy(() -> ring.reading("one", bytes)).hasMessageContaining("new");
  }
}
