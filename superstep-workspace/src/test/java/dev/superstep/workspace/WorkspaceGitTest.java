package dev.superstep.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.model.Environment;
import dev.superstep.tool.ToolError;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The real git, in a repository that is as hostile as it can be.
@Tag("P35")
@Timeout(120)
class WorkspaceGitTest {
  private static final String SECRET = "secret-of-the-machine";

  @TempDir Path temp;
  private Path root;
  private Path secret;
  private Path ran;
  private Path evil;
  private Workspace workspace;

  @BeforeEach
  void make() throws Exception {
    assumeThat(File.separatorChar).as("programs here are scripts").isEqualTo('/');
    var real = temp.toRealPath();
    root = Files.createDirectories(real.resolve("root"));
    secret = Files.writeString(real.resolve("secret.txt"), SECRET);
    ran = real.resolve("ran");
    evil = Files.writeString(real.resolve("evil"), "#!/bin/sh\necho $0 >>" + ran + "\ncat\n");
    assertThat(evil.toFile().setExecutable(true)).isTrue();
    workspace = Workspace.at(root).commands(AllowedCommand.git("status", "diff", "log", "show"));
    git("init", "-q", ".");
    Files.writeString(root.resolve("a.txt"), "one\n");
    git("add", ".");
    git("commit", "-q", "-m", "first");
    workspace.write("a.txt", "two\n");
  }

  @Test
  void the_documented_commands_show_the_repository() throws InterruptedException {
    assertThat(said("status", "--short")).isEqualTo(" M a.txt\n");
    assertThat(said("diff")).contains("-one", "+two");
    assertThat(said("diff", "--stat", "HEAD", "--", "a.txt")).contains("1 file changed");
    assertThat(said("log", "--max-count=1")).contains("first");
    assertThat(said("show", "HEAD:a.txt")).isEqualTo("one\n");
  }

  @Test
  void no_argument_reads_writes_or_runs_anything_outside() throws Exception {
    var own = Files.writeString(root.resolve("own.sh"), "echo");
    Files.createSymbolicLink(root.resolve("link"), secret);
    var out = temp.toRealPath().resolve("out.txt");
    for (var words :
        List.of(
            List.of("diff", "--no-index", "a.txt", secret.toString()),
            List.of("diff", "--no-ind", "a.txt", secret.toString()),
            List.of("diff", "a.txt", secret.toString()),
            List.of("diff", "a.txt", "../secret.txt"),
            List.of("diff", "--", "a.txt", "../secret.txt"),
            List.of("diff", "a.txt", "link"),
            List.of("diff", "--output=" + out),
            List.of("diff", "--outp=" + out),
            List.of("diff", "--output", out.toString()),
            List.of("diff", "-O" + secret),
            List.of("diff", "-O", secret.toString()),
            List.of("diff", "--ext-diff"),
            List.of("diff", "--textconv"),
            List.of("diff", "--submodule=log"),
            List.of("log", "--output=" + out),
            List.of("log", "--format=%G?"),
            List.of("log", "--show-signature"),
            List.of("log", "--ext-diff", "-p"),
            List.of("log", "-L1,1:../secret.txt"),
            List.of("show", "--textconv", "HEAD:a.txt"),
            List.of("status", "--help"),
            List.of("status", "--ignore-submodules=none"),
            List.of("-c", "core.fsmonitor=" + evil, "status"),
            List.of("-C", "/", "status"),
            List.of("--git-dir=" + out, "status"),
            List.of("--exec-path=" + own.getParent(), "status"),
            List.of("difftool", "-x", evil.toString()),
            List.of("grep", "--open-files-in-pager=" + evil, "one"))) {
      var command = new ArrayList<>(words);
      command.addFirst("git");
      assertThatThrownBy(() -> workspace.run(command))
          .as(command.toString())
          .isInstanceOfAny(ToolError.ForbiddenCommand.class, ToolError.PathEscape.class);
    }
    assertThat(out).doesNotExist();
    assertThat(ran).doesNotExist();
  }

  @Test
  void no_setting_of_the_repository_runs_a_program() throws Exception {
    settings();
    hooks();
    workspace.write(".gitattributes", "*.txt diff=x filter=x\n*.md filter=a=b\n");
    workspace.write("b.md", "new\n");
    assertThat(said("status", "--short")).contains(" M a.txt");
    assertThat(said("diff")).contains("+two");
    assertThat(said("diff", "--cached")).isEmpty();
    assertThat(said("log", "--max-count=3")).contains("first");
    assertThat(said("show", "HEAD")).contains("+one");
    assertThat(said("show", "HEAD:a.txt")).isEqualTo("one\n");
    assertThat(ran).doesNotExist();
    // The same settings do run it where nothing is guarded, or this test would show nothing.
    git("status");
    assertThat(ran).exists();
  }

  private void settings() throws Exception {
    for (var name :
        List.of(
            "core.fsmonitor",
            "core.pager",
            "core.sshCommand",
            "core.editor",
            "diff.external",
            "diff.x.command",
            "diff.x.textconv",
            "filter.x.clean",
            "filter.x.smudge",
            "filter.a=b.clean",
            "filter.a=b.process",
            "gpg.program",
            "gpg.ssh.program",
            "pager.status",
            "pager.diff",
            "pager.log",
            "alias.status",
            "credential.helper",
            "interactive.diffFilter")) {
      git("config", name, evil.toString());
    }
    git("config", "log.showSignature", "true");
    git("config", "status.submoduleSummary", "true");
    git("config", "filter.x.required", "true");
    git("config", "format.pretty", "%G? %s");
  }

  private void hooks() throws IOException {
    var hooks = Files.createDirectories(root.resolve(".git/hooks"));
    for (var name : List.of("post-index-change", "pre-commit", "fsmonitor-watchman")) {
      Files.copy(evil, hooks.resolve(name), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  @Test
  void the_settings_of_the_user_and_the_system_are_not_read() throws Exception {
    var home = Files.createDirectories(temp.toRealPath().resolve("home"));
    Files.writeString(home.resolve(".gitconfig"), "[core]\n\tfsmonitor = " + evil + "\n");
    var surroundings = Environment.of(Map.of("PATH", path(), "HOME", home.toString()));
    var other =
        Workspace.at(root, surroundings).passing("HOME").commands(AllowedCommand.git("status"));
    assertThat(other.run(List.of("git", "status")).isGood()).isTrue();
    assertThat(ran).doesNotExist();
  }

  @Test
  void a_repository_made_of_ordinary_files_is_not_used() throws Exception {
    var plain = Files.createDirectories(temp.toRealPath().resolve("plain"));
    var bare = Workspace.at(plain).commands(AllowedCommand.git("status", "diff"));
    bare.write("HEAD", "ref: refs/heads/main\n");
    bare.write("objects/x", "");
    bare.write("refs/x", "");
    bare.write("config", "[core]\n\tbare = false\n\tfsmonitor = " + evil + "\n");
    assertThat(bare.run(List.of("git", "status")).isGood()).isFalse();
    assertThat(ran).doesNotExist();
  }

  @Test
  void neither_a_repository_above_nor_a_work_tree_elsewhere_is_shown() throws Exception {
    var inner = Files.createDirectories(root.resolve("inner"));
    var below = Workspace.at(inner).commands(AllowedCommand.git("status", "diff"));
    assertThat(below.run(List.of("git", "status")).isGood()).isFalse();
    git("config", "core.worktree", temp.toRealPath().toString());
    assertThat(said("status", "--short")).doesNotContain("secret.txt");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".git/config",
        ".git/hooks/pre-commit",
        ".GIT/config",
        "sub/.git/config",
        "sub/.git",
        ".git./config",
        ".git /config",
        "GIT~1/config",
        ".git::$INDEX_ALLOCATION/config",
        ".g\u200cit/config",
        "x/../.git/config"
      })
  void nothing_is_written_into_a_git_directory(String path) {
    assertThatThrownBy(() -> workspace.write(path, "x")).isInstanceOf(ToolError.PathEscape.class);
  }

  @Test
  void names_that_only_look_like_a_git_directory_are_written() {
    for (var path : List.of(".gitignore", "git/config", ".github/x.yml", "a.git/x")) {
      assertThat(workspace.write(path, "x")).as(path).isTrue();
    }
  }

  @Test
  void only_what_looks_at_a_repository_can_be_guarded() {
    assertThatThrownBy(() -> AllowedCommand.git("push"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[status, diff, log, show]");
  }

  private String said(String... words) throws InterruptedException {
    var command = new ArrayList<>(List.of(words));
    command.addFirst("git");
    var result = workspace.run(command);
    assertThat(result.isGood()).as(result.toString()).isTrue();
    assertThat(result.command()).isEqualTo(command);
    return result.out().text();
  }

  private static String path() {
    return System.getenv("PATH");
  }

  /// Git as a person would call it, with nothing guarded but the settings of this machine.
  private void git(String... words) throws Exception {
    var command = new ArrayList<>(List.of("git", "-c", "user.name=t", "-c", "user.email=t@t.org"));
    command.addAll(List.of(words));
    var builder = new ProcessBuilder(command).directory(root.toFile()).redirectErrorStream(true);
    builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    var process = builder.redirectInput(new File("/dev/null")).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
  }
}
