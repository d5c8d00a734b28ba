package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.language.Source;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.rag.Capability;
import dev.superstep.rag.error.BindingFailed;
import dev.superstep.rag.error.ReviewRequired;
import dev.superstep.rag.review.GraphLibrary;
import dev.superstep.rag.review.ReviewGate;
import dev.superstep.rag.review.ReviewKey;
import dev.superstep.rag.review.SignedApproval;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import dev.superstep.testkit.ManualClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Texts that models wrote, before the gate of a host.
@Tag("R34")
class ReviewGateTest {
  private static final String TEXT =
      "graph g { channel trace append of text start a node a { kind function function \"f\" } }";
  private static final String OTHER = TEXT.replace("\"f\"", "\"h\"");
  private static final CheckPolicy RULES = CheckPolicy.generated("planner");
  private static final Namespace APPROVALS = Namespace.of("superstep", "rag", "approvals");

  private final Bench bench = new Bench().steps("f", "h");
  private final InMemoryStore store = InMemoryStore.open();
  private final ManualClock clock = ManualClock.at("2026-11-24T00:00:00Z");
  private final ReviewGate gate = new ReviewGate(store, ReviewKey.of(new byte[32]), clock);
  private final GraphLibrary library = new GraphLibrary(store, gate);

  private RagProgram program(String text, CheckPolicy rules) {
    return Rag.compile(Source.of("g.rag", text), bench.registry, rules);
  }

  private String hash(String text) {
    return ReviewGate.hash(program(text, RULES).blueprints());
  }

  private void register(String text) {
    library.register("g", "planner", program(text, RULES).blueprints());
  }

  @Test
  @Tag("R33")
  @Tag("W9")
  void a_text_runs_only_with_an_approval_of_exactly_it() throws Exception {
    assertThat(program(TEXT, RULES).text()).contains("E-rag-review-required", hash(TEXT));
    assertThatThrownBy(() -> register(TEXT)).isInstanceOf(ReviewRequired.class);
    gate.keep(gate.sign(hash(TEXT), "ann", Duration.ofDays(1)));
    register(TEXT);
    assertThat(library.find("g").orElseThrow().approver()).isEqualTo("ann");
    var graph = library.open("g", bench.registry, RULES);
    Bench.run(graph, Map.of(), dev.superstep.graph.RunOptions.defaults());
    assertThat(bench.ran).containsExactly("f");
    assertThatThrownBy(() -> register(OTHER)).isInstanceOf(ReviewRequired.class);
  }

  @Test
  void an_approval_ends_with_its_time_and_when_it_is_taken_back() {
    var hash = hash(TEXT);
    gate.keep(gate.sign(hash, "ann", Duration.ofDays(1)));
    register(TEXT);
    clock.advance(Duration.ofDays(1));
    assertThat(gate.approval(hash)).isEmpty();
    assertThatThrownBy(() -> library.open("g", bench.registry, RULES))
        .isInstanceOf(ReviewRequired.class);
    gate.keep(gate.sign(hash, "ann", Duration.ofDays(1)));
    assertThat(gate.approval(hash)).isPresent();
    gate.revoke(hash);
    assertThat(gate.approval(hash)).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    gate.keep(gate.sign(hash, "bob", Duration.ofDays(1)));
    assertThat(gate.require(hash).approver()).isEqualTo("bob");
  }

  @Test
  void an_approval_that_the_host_did_not_sign_does_not_count() {
    var hash = hash(TEXT);
    var other = hash(OTHER);
    var signed = gate.sign(hash, "ann", Duration.ofDays(1));
    var forged =
        new SignedApproval(other, "ann", signed.given(), signed.expires(), signed.signature());
    var longer =
        new SignedApproval(
            hash, "ann", signed.given(), signed.expires().plusSeconds(1), signed.signature());
    var renamed =
        new SignedApproval(hash, "eve", signed.given(), signed.expires(), signed.signature());
    var byAnother =
        new ReviewGate(store, ReviewKey.of("another secret of thirty-two bytes".getBytes()), clock)
            .sign(hash, "ann", Duration.ofDays(1));
    for (var bad : java.util.List.of(forged, longer, renamed, byAnother)) {
      assertThatThrownBy(() -> gate.keep(bad))
          .isInstanceOf(ReviewRequired.class)
          .hasMessageContaining("not signed by this host");
      // Not even if it is put where approvals are kept.
      store.put(APPROVALS, bad.hash(), bad);
      assertThat(gate.approval(bad.hash())).isEmpty();
    }
    // One for another text under its key.
    store.put(APPROVALS, other, signed);
    assertThat(gate.approval(other)).isEmpty();
    store.put(APPROVALS, other, "yes");
    assertThat(gate.approval(other)).isEmpty();
  }

  @Test
  @Tag("W9")
  void a_text_that_was_changed_in_the_store_does_not_run() {
    gate.keep(gate.sign(hash(TEXT), "ann", Duration.ofDays(1)));
    register(TEXT);
    var entry = library.find("g").orElseThrow();
    store.put(
        Namespace.of("superstep", "rag", "graphs"),
        "g",
        new GraphLibrary.Entry(
            "g", entry.hash(), "planner", "ann", OTHER, entry.run(), entry.at(), entry.content()));
    assertThatThrownBy(() -> library.open("g", bench.registry, RULES))
        .isInstanceOf(ReviewRequired.class);
  }

  @Test
  void graphs_that_were_approved_apart_are_not_approved_together() {
    var inner = "graph i { start a node a { kind function function \"f\" } }";
    var outer = "graph g { start a node a { kind subgraph graph \"i\" } }";
    var changed = inner.replace("\"f\"", "\"h\"");
    gate.keep(gate.sign(hash(inner + outer), "ann", Duration.ofDays(1)));
    gate.keep(gate.sign(hash(changed), "ann", Duration.ofDays(1)));
    var blueprints = program(changed + outer, RULES).blueprints();
    assertThat(program(changed + outer, gate.policy(RULES, blueprints)).isValid()).isFalse();
    var both = program(inner + outer, RULES).blueprints();
    assertThat(program(inner + outer, gate.policy(RULES, both)).isValid()).isTrue();
    assertThatThrownBy(() -> register(changed + outer)).isInstanceOf(ReviewRequired.class);
  }

  @Test
  @Tag("R27")
  @Tag("T4")
  void a_text_cannot_bring_its_own_approval_or_widen_what_its_host_allows() {
    var bringing =
        "graph g { metadata { approved \"%s\" approver \"ann\" } start a node a { kind function function \"f\" } }"
            .formatted(hash(TEXT));
    assertThat(program(bringing, RULES).text()).contains("E-rag-review-required");
    var narrow = RULES.allowing(Map.of(Capability.FUNCTIONS, Set.of("h")));
    var wide = TEXT.replace("start a", "allow functions [\"f\", \"h\"] start a");
    assertThat(program(wide, narrow.withoutReview()).text())
        .contains("E-rag-disallowed-generated-capability");
    // Approved before the host became stricter.
    gate.keep(gate.sign(hash(TEXT), "ann", Duration.ofDays(1)));
    register(TEXT);
    assertThatThrownBy(() -> library.open("g", bench.registry, narrow))
        .isInstanceOf(BindingFailed.class);
  }

  @Test
  void only_the_owner_can_read_a_key_in_a_file(@TempDir Path folder) throws Exception {
    var file = folder.resolve("review.key");
    var key = ReviewKey.open(file);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    var hash = hash(TEXT);
    var signed = new ReviewGate(store, key, clock).sign(hash, "ann", Duration.ofDays(1));
    var again = new ReviewGate(store, ReviewKey.open(file), clock);
    assertThat(again.refusal(signed, hash)).isEmpty();
    assertThat(key.toString()).isEqualTo("ReviewKey");
  }
}
