package dev.superstep.terminal.undo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Looks at a workspace see what they must, though most of them are left out or read nothing.
@Tag("C32")
class LooksTest {
  @TempDir Path folder;
  private Path work;

  @BeforeEach
  void make_a_workspace() throws Exception {
    work = Files.createDirectories(folder.resolve("work")).toRealPath();
    ShellSession.run(
        work, "echo one > a; echo two > b; mkdir -p d/e; echo x > d/e/x; ln -s a l; mkfifo p");
  }

  private ChangeTracker open() {
    return ChangeTracker.open(
        UndoPlace.of(work, folder.resolve("store")), UndoLimits.standard(), InstantSource.system());
  }

  private List<String> change(ChangeTracker tracker, String script) throws Exception {
    return tracker
        .during("a command", List.of(), () -> ShellSession.run(work, script))
        .paths()
        .stream()
        .map(Object::toString)
        .toList();
  }

  @Test
  void both_ways_to_read_a_folder_tell_the_same() throws Exception {
    assumeTrue(LinuxFolderReader.isUsable(), "system calls cannot be made here");
    var bytes =
        "for i in $(seq 900); do echo $i > f$i; done; chmod 4711 f1; touch -d 1960-01-01 f2";
    ShellSession.run(work, bytes + "; echo > \"$(printf 'not-utf8-\\377')\"; echo > 'ü ä'");
    var portable = new PortableFolderReader();
    for (var each : List.of(work, work.resolve("d"), work.resolve("none"), work.resolve("l"))) {
      var fast = facts(new LinuxFolderReader(portable).read(each));
      if (!each.endsWith("l")) assertThat(fast).isEqualTo(facts(portable.read(each)));
    }
    assertThat(facts(new LinuxFolderReader(portable).read(work))).hasSizeGreaterThan(900);
  }

  private static Map<String, FileFacts> facts(List<FolderReader.Entry> entries) {
    var facts = new TreeMap<String, FileFacts>();
    for (var entry : entries) facts.put(entry.name(), entry.facts());
    return facts;
  }

  @Test
  void a_content_with_the_size_and_the_time_of_before_is_seen() throws Exception {
    try (var tracker = open()) {
      assertThat(change(tracker, "touch -r a .ref; echo ONE > a; touch -r .ref a; rm .ref"))
          .containsExactly("modified a");
      assertThat(change(tracker, "echo y > d/e/x")).containsExactly("modified d/e/x");
      assertThat(change(tracker, "cat a")).isEmpty();
      assertThat(change(tracker, "mv d q; echo z > q/e/x"))
          .containsExactly(
              "deleted d",
              "deleted d/e",
              "deleted d/e/x",
              "created q",
              "created q/e",
              "created q/e/x");
      assertThat(change(tracker, "echo w > q/e/x")).containsExactly("modified q/e/x");
    }
  }

  @Test
  void another_s_change_between_two_commands_belongs_to_neither() throws Exception {
    try (var tracker = open()) {
      assertThat(change(tracker, "echo 1 > a")).containsExactly("modified a");
      ShellSession.run(work, "echo mine > b; mkdir -p new/deep");
      assertThat(change(tracker, "echo 2 > a; echo 3 > new/deep/f"))
          .containsExactly("modified a", "created new/deep/f");
      ShellSession.run(work, "echo later > new/deep/f");
      assertThat(change(tracker, "true")).isEmpty();
    }
  }

  @Test
  void two_who_take_turns_know_of_each_other() throws Exception {
    try (var one = open()) {
      one.pause();
      try (var other = open()) {
        assertThat(change(other, "echo 1 > a")).containsExactly("modified a");
        var change = other.changes().getFirst().id();
        other.pause();
        one.resume();
        assertThat(one.changes()).extracting(Change::id).containsExactly(change);
        one.undo(change);
        assertThat(work.resolve("a")).hasContent("one");
        one.pause();
        other.resume();
        assertThat(other.changes()).allMatch(Change::isUndone);
        assertThat(change(other, "echo 2 > b")).containsExactly("modified b");
      }
    }
  }

  @Test
  void a_record_of_a_state_that_was_cut_short_is_left_out() throws Exception {
    var store = folder.resolve("store");
    try (var tracker = open()) {
      change(tracker, "echo 1 > a");
      change(tracker, "echo 2 > a");
    }
    var log = store.resolve("tree-changes");
    var bytes = Files.readAllBytes(log);
    for (int length = 0; length < bytes.length; length += 7) {
      Files.write(log, java.util.Arrays.copyOf(bytes, length));
      try (var tracker = open()) {
        assertThat(change(tracker, "echo 3 > b; rm b; echo two > b")).hasSizeLessThanOrEqualTo(1);
        assertThat(tracker.coverage().files()).isEqualTo(7);
      }
    }
  }
}
