package dev.superstep.repl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Random cells: noise, tokens in any order, and programs with parts changed. Each ends as a
/// result.
class CellFuzzTest {
  private static final int CELLS = Integer.getInteger("superstep.cases", 300);
  private static final String[] TOKENS = {
    "def f(x):",
    "\n",
    "\n    ",
    "\n        ",
    "if ",
    "else",
    ":",
    "for x in ",
    "while ",
    "try:",
    "except ",
    "finally:",
    "return ",
    "lambda x: ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "=",
    "==",
    "+=",
    ":=",
    "**",
    "*",
    "//",
    "f'{",
    "}'",
    "'",
    "\"\"\"",
    "\\",
    "x",
    "y",
    "print",
    "len",
    "sorted",
    "context",
    "tool",
    ".join",
    ".grep",
    "1",
    "0x",
    "1e400",
    "'a'",
    "in ",
    "not ",
    "is ",
    "and ",
    "or ",
    "None",
    "#",
    "\t",
    "😀",
    "\uD800",
    "\u0000",
    "@",
    "nonlocal x",
    "del ",
    "import re",
    "raise ",
    "assert ",
    "...",
    "->",
    "__x",
    ";",
    "break",
    "\r\n",
    "!r",
    "%"
  };

  private static String noise(Random random) {
    var text = new StringBuilder();
    int length = random.nextInt(200);
    for (int i = 0; i < length; i++)
      text.append((char) random.nextInt(random.nextBoolean() ? 128 : 0x10000));
    return text.toString();
  }

  private static String tokens(Random random) {
    var text = new StringBuilder();
    int length = random.nextInt(60);
    for (int i = 0; i < length; i++)
      text.append(TOKENS[random.nextInt(TOKENS.length)]).append(random.nextBoolean() ? " " : "");
    return text.toString();
  }

  private static String changed(Random random) {
    var text = new StringBuilder(RandomPrograms.of(random.nextLong()));
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(3)) {
        case 0 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(8)));
        case 1 -> text.insert(at, TOKENS[random.nextInt(TOKENS.length)]);
        default ->
            text.replace(
                at, Math.min(text.length(), at + 3), TOKENS[random.nextInt(TOKENS.length)]);
      }
    }
    return text.toString();
  }

  @Test
  void any_text_ends_as_a_result() {
    var random = new Random(11);
    for (int i = 0; i < CELLS; i++) {
      var cell =
          switch (i % 3) {
            case 0 -> noise(random);
            case 1 -> tokens(random);
            default -> changed(random);
          };
      assertThatCode(() -> HostileCells.survives(cell)).as(cell).doesNotThrowAnyException();
    }
    System.out.println("long: " + CELLS + " cells");
  }

  @Test
  void nesting_of_any_kind_ends_as_a_finding() {
    List<String> deep = new ArrayList<>();
    for (var part :
        List.of(
            "(",
            "[",
            "{",
            "-",
            "not ",
            "f(",
            "x[",
            "lambda: ",
            "{1:",
            "f'{",
            "x.",
            "(1 if ",
            "1+",
            "1**",
            "if 1:",
            "for x in ",
            "*",
            "a<")) {
      deep.add(part.repeat(5_000));
      deep.add("x = " + part.repeat(3_000) + "1");
    }
    var blocks = new StringBuilder();
    for (int i = 0; i < 200; i++) blocks.append(" ".repeat(i)).append("if 1:\n");
    deep.add(blocks.toString());
    deep.add("x = 0" + " + 1".repeat(10_000));
    deep.add("x = 0" + " if 1 else 0".repeat(4_000));
    assertThat(deep)
        .allSatisfy(cell -> assertThat(HostileCells.survives(cell).error()).isNotNull());
  }

  @Test
  void the_bombs_and_escapes_end_under_small_limits_too() throws IOException {
    assertThat(BombsMain.bombs())
        .allSatisfy(bomb -> assertThat(HostileCells.survives(bomb).error()).isNotNull());
  }
}
