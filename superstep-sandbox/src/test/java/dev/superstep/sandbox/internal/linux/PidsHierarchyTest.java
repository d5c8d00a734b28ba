package dev.superstep.sandbox.internal.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class PidsHierarchyTest {
  private static final List<String> GROUPS = List.of("8:pids:/user/a", "1:cpu:/", "0::/own scope");

  @TempDir Path temp;

  private String mount(String root, String point, String kind, String options) {
    return "36 31 0:36 %s %s rw,relatime shared:9 - %s none rw%s"
        .formatted(root, temp.resolve(point), kind, options);
  }

  private List<PidsHierarchy> mounted(String... mounts) {
    return PidsHierarchy.mounted(List.of(mounts), GROUPS);
  }

  @Test
  void the_first_version_is_taken_where_it_has_the_controller() throws IOException {
    var own = Files.createDirectories(temp.resolve("pids/user/a"));
    Files.createDirectories(temp.resolve("unified/own scope"));
    var unified = mount("/", "unified", "cgroup2", "");
    var other = mount("/", "cpu", "cgroup", ",cpu,cpuacct");
    assertThat(mounted(unified, other, mount("/", "pids", "cgroup", ",pids")))
        .containsExactly(
            new PidsHierarchy(1, own, "pids.max"),
            new PidsHierarchy(2, temp.resolve("unified/own scope"), "pids.max"));
    assertThat(mounted(other, unified)).extracting(PidsHierarchy::version).containsExactly(2);
    assertThat(mounted(other, "nonsense", "")).isEmpty();
  }

  @Test
  void a_group_is_where_it_is_mounted_and_else_the_first_that_can_be_seen() throws IOException {
    Files.createDirectories(temp.resolve("pids/a"));
    assertThat(mounted(mount("/user", "pids", "cgroup", ",pids")).getFirst().own())
        .isEqualTo(temp.resolve("pids/a"));
    for (var root : List.of("/elsewhere", "/../..", "/user/a/deeper")) {
      assertThat(mounted(mount(root, "pids", "cgroup", ",pids")).getFirst().own())
          .as(root)
          .isEqualTo(temp.resolve("pids"));
    }
  }

  @Test
  void a_folder_that_looks_like_one_is_not_taken() throws IOException {
    var own = Files.createDirectories(temp.resolve("pids"));
    Files.createFile(own.resolve("tasks"));
    var calls = SystemCalls.ofThisMachine().filter(_ -> Libc.isAllowed());
    assumeTrue(calls.isPresent(), "needs native calls");
    assertThat(new PidsHierarchy(1, own, "pids.max").canHoldThreads(calls.orElseThrow())).isFalse();
  }

  /// The limit itself needs a machine where version 2 has the controller. Another setting of that
  /// version stands in for it where version 1 has it.
  @Test
  void a_group_of_the_second_version_takes_a_thread_knows_its_processes_and_ends_them()
      throws Exception {
    var calls = SystemCalls.ofThisMachine().filter(_ -> Libc.isAllowed());
    assumeTrue(calls.isPresent(), "needs native calls");
    var second = second();
    var hasLimit = second.canHoldThreads(calls.orElseThrow());
    var used = hasLimit ? second : new PidsHierarchy(2, second.own(), "cgroup.max.descendants");
    if (!hasLimit) System.out.println("version 2 has no limit on processes here; tried without");
    assumeTrue(Files.isWritable(second.own().resolve("cgroup.threads")), "may make no groups");
    var group = PidsGroup.make(used, 32);
    var mark = String.valueOf(8_000_000L + ProcessHandle.current().pid());
    var script = "sleep M & setsid sleep M & env -i setsid sh -c 'sleep M & sleep M' & sleep 0.3";
    var words = List.of("sh", "-c", script.replace("M", mark));
    var order =
        new NativeProcess.Order(
            Path.of("/bin/sh"), words, List.of("PATH=/usr/bin:/bin"), temp, null, null, group);
    var process = NativeProcess.start(calls.orElseThrow(), order);
    assertThat(process.await(60_000_000_000L)).isTrue();
    assertThat(group.end()).isGreaterThanOrEqualTo(4);
    var alive =
        ProcessHandle.allProcesses()
            .filter(one -> List.of(one.info().arguments().orElse(new String[0])).contains(mark));
    assertThat(alive).isEmpty();
    assertThat(group.end()).isZero();
    assertThat(Files.readString(Path.of("/proc/self/cgroup"))).doesNotContain("superstep-");
  }

  private static PidsHierarchy second() throws IOException {
    var mounts = Files.readAllLines(Path.of("/proc/self/mountinfo"));
    var groups = Files.readAllLines(Path.of("/proc/self/cgroup"));
    var second =
        PidsHierarchy.mounted(mounts, groups).stream()
            .filter(one -> one.version() == 2)
            .findFirst();
    assumeTrue(second.isPresent(), "version 2 is not mounted");
    return second.orElseThrow();
  }
}
