package dev.superstep.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiCheckTest {
  private static final String MODULE = "module m { exports shown; }";
  private static final String HIDDEN = "package hidden; public class H { public void gone() {} }";

  @TempDir Path temp;

  private Path jar(String name, String shown, String hidden) throws IOException {
    var source = temp.resolve(name);
    write(source.resolve("module-info.java"), MODULE);
    write(source.resolve("shown/S.java"), shown);
    write(source.resolve("hidden/H.java"), hidden);
    var classes = temp.resolve(name + "-classes").toString();
    tool(
        "javac",
        "-d",
        classes,
        source.resolve("module-info.java").toString(),
        source.resolve("shown/S.java").toString(),
        source.resolve("hidden/H.java").toString());
    var jar = temp.resolve(name + ".jar");
    tool("jar", "--create", "--file", jar.toString(), "-C", classes, ".");
    return jar;
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static void tool(String name, String... arguments) {
    int exit = ToolProvider.findFirst(name).orElseThrow().run(System.out, System.err, arguments);
    assertThat(exit).as(name).isZero();
  }

  @Test
  void a_removed_member_and_another_type_are_breaks_and_an_added_one_is_none() throws Exception {
    var before =
        jar(
            "before",
            "package shown; public class S { public int a() { return 1; } public void b(int x) {}"
                + " protected int c; }",
            HIDDEN);
    var after =
        jar(
            "after",
            "package shown; public class S { public long a() { return 1; } protected int c;"
                + " public void d() {} }",
            HIDDEN);

    assertThat(new JarComparison(before, after).breaks())
        .containsExactlyInAnyOrder(
            "shown.S.a(): METHOD_RETURN_TYPE_CHANGED", "shown.S.b(int): METHOD_REMOVED");
  }

  @Test
  void what_only_the_module_itself_can_use_may_change() throws Exception {
    var same = "package shown; public class S {}";
    var before = jar("before", same, HIDDEN);
    var after = jar("after", same, "package hidden; public class H {}");

    assertThat(new JarComparison(before, after).breaks()).isEmpty();
  }
}
