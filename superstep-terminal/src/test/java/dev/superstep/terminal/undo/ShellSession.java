package dev.superstep.terminal.undo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/// A random session in a workspace: edits by the shell, by editors, by builds and by Git.
final class ShellSession {
  private static final List<Function<Random, String>> EDITS =
      List.of(
          r -> "echo " + r.nextInt() + " > " + file(r),
          r ->
              "mkdir -p "
                  + folder(r)
                  + " && echo "
                  + r.nextInt()
                  + " > "
                  + folder(r)
                  + "/n"
                  + r.nextInt(9),
          r -> "echo more >> " + file(r),
          r ->
              "printf "
                  + (char) ('a' + r.nextInt(26))
                  + " | dd of="
                  + file(r)
                  + " conv=notrunc 2>/dev/null",
          r -> "rm -rf " + file(r),
          r -> "rm -rf " + folder(r),
          r -> "mv " + file(r) + " " + file(r),
          r -> "mv " + folder(r) + " " + folder(r),
          r -> "mkdir -p " + folder(r) + "/empty/deep",
          r ->
              "chmod "
                  + List.of("755", "644", "600", "400", "4755").get(r.nextInt(5))
                  + " "
                  + file(r),
          r -> "chmod " + List.of("555", "700", "755").get(r.nextInt(3)) + " " + folder(r),
          r -> "ln -sfn ../" + file(r) + " link" + r.nextInt(3),
          r -> "ln -f " + file(r) + " " + file(r),
          r ->
              "rm -rf "
                  + file(r)
                  + "; mkdir -p "
                  + file(r)
                  + "/inside; echo x > "
                  + file(r)
                  + "/inside/y",
          r -> "rm -rf " + folder(r) + "; echo now a file > " + folder(r),
          r -> "echo edited " + r.nextInt() + " > .edit.swp && mv .edit.swp " + file(r),
          r -> "sed -i s/o/0/ " + file(r),
          r -> "touch -d 2020-01-01 " + file(r),
          r -> "cp -a " + folder(r) + " copy" + r.nextInt(3),
          r ->
              "f="
                  + file(r)
                  + "; [ -f $f ] && { touch -r $f .ref; echo same > $f; touch -r .ref $f; rm .ref;"
                  + " }",
          r -> "truncate -s " + r.nextInt(5000) + " " + file(r),
          r -> "head -c " + (1 + r.nextInt(90_000)) + " /dev/urandom > big" + r.nextInt(3),
          r -> "echo x > 'name with \"quotes\" and ü" + r.nextInt(3) + "'",
          r ->
              "printf 'all: out/o.txt\\nout/o.txt: a1\\n\\tmkdir -p out && cat a1 > $@\\n' >"
                  + " Makefile; echo "
                  + r.nextInt()
                  + " > a1; make -s",
          r ->
              "git init -q . 2>/dev/null; git add -A; git -c user.name=a -c"
                  + " user.email=a@example.org commit -qm c"
                  + r.nextInt(99),
          r -> "git checkout -q -B b" + r.nextInt(3),
          r -> "git gc -q; git stash -q -u",
          r -> "for i in 1 2 3 4 5 6 7 8 9; do echo $i$i > many$i; done");

  private ShellSession() {}

  private static String file(Random random) {
    return "a" + (1 + random.nextInt(5));
  }

  private static String folder(Random random) {
    return "d" + (1 + random.nextInt(3)) + (random.nextInt(3) == 0 ? "/e" : "");
  }

  /// Scripts for a shell in the workspace; some of their commands fail.
  static List<String> steps(long seed, int count) {
    var random = new Random(seed);
    var steps = new ArrayList<String>();
    while (steps.size() < count) {
      var step = new ArrayList<String>();
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        step.add(EDITS.get(random.nextInt(EDITS.size())).apply(random));
      }
      steps.add(String.join("; ", step));
    }
    return steps;
  }

  static void run(Path workspace, String script) throws IOException, InterruptedException {
    var builder = new ProcessBuilder("sh", "-c", script).directory(workspace.toFile());
    builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
    builder.environment().put("GIT_CEILING_DIRECTORIES", workspace.getParent().toString());
    builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.start().waitFor();
  }
}
