package dev.superstep.terminal.undo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.terminal.risk.RiskAssessor;
import dev.superstep.terminal.risk.RiskContext;
import dev.superstep.terminal.shell.ShellScript;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an undo refuses, what it says beforehand, and what it forgets.
@Tag("C30")
class ChangeTrackerTest {
  @TempDir Path folder;
  private Path work;
  private Path store;

  @BeforeEach
  void make_a_workspace() throws Exception {
    work = Files.createDirectories(folder.resolve("work"));
    store = folder.resolve("store");
    ShellSession.run(work, "echo one > a; echo two > b; mkdir d; echo key=secret1 > .env");
  }

  private ChangeTracker open(UndoLimits limits) {
    return ChangeTracker.open(UndoPlace.of(work, store), limits, InstantSource.system());
  }

  private ChangeTracker open() {
    return open(UndoLimits.standard());
  }

  private Change run(ChangeTracker tracker, String script) throws Exception {
    return tracker.during("a command", List.of(), () -> ShellSession.run(work, script));
  }

  @Test
  void a_change_lists_its_paths() throws Exception {
    try (var tracker = open()) {
      var change = run(tracker, "rm a; echo x >> b; chmod 600 .env; mkdir e; mv d f");
      assertThat(change.paths().stream().map(Object::toString))
          .containsExactly(
              "mode .env", "deleted a", "modified b", "deleted d", "created e", "created f");
    }
  }

  @Test
  void what_was_changed_since_is_named_and_nothing_is_undone() throws Exception {
    try (var tracker = open()) {
      var change = run(tracker, "echo x > a; echo y > b; mkdir e");
      ShellSession.run(work, "echo mine > b; touch e/mine");
      var before = OracleTree.digest(work);
      assertThatThrownBy(() -> tracker.undo(change.id()))
          .isInstanceOfSatisfying(
              UndoFailed.class, e -> assertThat(e.paths()).containsExactly("b", "e/mine"));
      assertThat(OracleTree.digest(work)).isEqualTo(before);

      ShellSession.run(work, "echo y > b; rm e/mine");
      tracker.undo(change.id());
      assertThat(work.resolve("a")).hasContent("one");
      assertThatThrownBy(() -> tracker.undo(change.id())).hasMessageContaining("no change");
    }
  }

  @Test
  void what_is_too_large_is_known_before_and_refused_after() throws Exception {
    ShellSession.run(work, "head -c 5000 /dev/zero > large");
    try (var tracker = open(new UndoLimits(1000, 1 << 20, 1000))) {
      assertThat(tracker.coverage().gaps()).containsExactly("large: it is larger than 1,000 bytes");
      var change = run(tracker, "echo x >> large; echo x > a");
      assertThat(change.paths())
          .extracting(Change.ChangedPath::gap)
          .contains("it is larger than 1,000 bytes");
      assertThatThrownBy(() -> tracker.undo(change.id())).hasMessageContaining("large");
      assertThat(work.resolve("a")).hasContent("x");
    }
    assertThatThrownBy(() -> open(new UndoLimits(1000, 1 << 20, 2)))
        .hasMessageContaining("more than 2 files");
  }

  @Test
  void the_oldest_changes_make_room_for_newer_ones() throws Exception {
    try (var tracker = open(new UndoLimits(100_000, 400_000, 1000))) {
      for (int i = 0; i < 12; i++) run(tracker, "head -c 90000 /dev/urandom > a");
      assertThat(tracker.coverage().keptBytes()).isLessThanOrEqualTo(400_000);
      assertThat(tracker.changes()).hasSizeLessThan(12);
      tracker.undo(tracker.changes().getLast().id());
    }
  }

  @Test
  void a_secret_content_is_forgotten_and_not_kept_again() throws Exception {
    try (var tracker = open()) {
      var change = run(tracker, "echo key=secret2 > .env");
      tracker.forgetContent(".env");
      assertThat(stored()).doesNotContain("secret1", "secret2");
      assertThatThrownBy(() -> tracker.undo(change.id())).hasMessageContaining(".env");
      run(tracker, "echo key=secret3 > .env");
      assertThat(stored()).doesNotContain("secret3");
    }
  }

  private String stored() throws Exception {
    var all = new StringBuilder();
    try (var files = Files.walk(store)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        all.append(Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1));
      }
    }
    return all.toString();
  }

  @Test
  void a_forgotten_change_takes_its_contents_with_it() throws Exception {
    try (var tracker = open()) {
      var change = run(tracker, "echo other > a");
      tracker.forget(change.id());
      assertThat(tracker.changes()).isEmpty();
      assertThat(stored()).doesNotContain("one\n");
    }
  }

  @Test
  void only_its_owner_reads_the_store_and_one_process_has_it() throws Exception {
    try (var tracker = open()) {
      run(tracker, "echo x > a");
      try (var files = Files.walk(store)) {
        assertThat(files)
            .allMatch(file -> {
              try {
                var text = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                return text.endsWith("------");
              } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
      }
      assertThatThrownBy(this::open).hasMessageContaining("another process");
    }
  }

  @Test
  void a_damaged_content_is_refused() throws Exception {
    try (var tracker = open()) {
      var change = run(tracker, "echo x > a");
      try (var files = Files.walk(store.resolve("contents"))) {
        for (var file : files.filter(Files::isRegularFile).toList()) Files.writeString(file, "?");
      }
      assertThatThrownBy(() -> tracker.undo(change.id())).hasMessageContaining("not kept: a");
      assertThat(work.resolve("a")).hasContent("x");
    }
  }

  @Test
  void an_undo_writes_through_no_link_that_leads_out() throws Exception {
    var outside = Files.createDirectories(folder.resolve("outside"));
    try (var tracker = open()) {
      ShellSession.run(work, "echo inner > d/x");
      var change = run(tracker, "rm d/x");
      ShellSession.run(work, "rmdir d; ln -s " + outside + " d");
      assertThatThrownBy(() -> tracker.undo(change.id())).isInstanceOf(UndoFailed.class);
      assertThat(outside).isEmptyDirectory();
    }
  }

  @Test
  void what_lies_elsewhere_is_named_before() {
    var script = ShellScript.parse("rm -rf build /opt/x ~/y && curl https://a.example");
    var context = RiskContext.of(work, work, Path.of("/home/ann"));
    var risk = RiskAssessor.standard().assess(script, context);
    assertThat(String.join("; ", OutsideEffects.of(risk, context)))
        .contains("/opt/x", "y", "a.example")
        .doesNotContain("build");
  }
}
