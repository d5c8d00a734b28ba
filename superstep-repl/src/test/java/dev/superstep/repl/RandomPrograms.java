package dev.superstep.repl;

import java.util.List;
import java.util.Random;

/// Makes programs of the part of the language that is Python's too. The same seed makes the same
/// program. Each prints what it finds; errors are caught and printed by their kind.
final class RandomPrograms {
  private static final int DEPTH_MAX = 3;

  private static final String PRELUDE =
      """
      def kind(e):
          for name, t in KINDS:
              if isinstance(e, t):
                  return name
          return "Exception"
      KINDS = [("ZeroDivisionError", ZeroDivisionError), ("OverflowError", (OverflowError, MemoryError)), ("KeyError", KeyError), ("IndexError", IndexError), ("AttributeError", AttributeError), ("UnboundLocalError", UnboundLocalError), ("NameError", NameError), ("AssertionError", AssertionError), ("StopIteration", StopIteration), ("ValueError", ValueError), ("TypeError", TypeError), ("RuntimeError", RuntimeError)]
      def show(v):
          if isinstance(v, set):
              return "set " + repr(sorted(v, key=repr))
          return repr(v)
      i1, i2, i3 = 7, -3, 12345678901
      f1, f2 = 2.5, -0.75
      s1, s2, s3 = "hello world", "añb\\tc", ""
      l1, l2 = [3, 1, 2], ["b", "a", "c", "a"]
      d1, d2 = {"a": 1, "b": 2}, {1: "x", (1, 2): [1]}
      e1, e2 = {1, 2, 3}, {3, 4}
      t1 = (1, "z", 2.0)
      b1, n1 = True, None
      """;

  private final Random random;
  private final StringBuilder out = new StringBuilder();
  private int names;

  private RandomPrograms(long seed) {
    this.random = new Random(seed);
  }

  static String of(long seed) {
    var made = new RandomPrograms(seed);
    made.out.append(PRELUDE);
    int count = 6 + made.random.nextInt(10);
    for (int i = 0; i < count; i++) made.statement();
    return made.out.toString();
  }

  private String pick(String... of) {
    return of[random.nextInt(of.length)];
  }

  private String pick(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  // --- statements ---

  private void line(int indent, String text) {
    out.append("    ".repeat(indent)).append(text).append('\n');
  }

  private void guarded(Runnable body) {
    line(0, "try:");
    body.run();
    line(0, "except Exception as e:");
    line(1, "print('!', kind(e))");
  }

  private void statement() {
    switch (random.nextInt(12)) {
      case 0 -> function();
      case 1 -> loop();
      case 2 -> whileLoop();
      case 3 -> guarded(() -> line(1, mutation()));
      case 4 -> slices();
      case 5 -> unpack();
      case 6 -> nested();
      case 7 -> closure();
      default -> guarded(() -> line(1, "print(show(" + any(0) + "))"));
    }
    if (chance(30))
      guarded(() -> line(1, "print(" + pick("l1", "l2", "d1", "i1", "s1", "t1") + ")"));
  }

  private void function() {
    var name = "g" + names++;
    line(0, "def " + name + "(a, b=" + number(2) + ", *rest, k=" + any(2) + "):");
    line(1, "if " + any(1).replace("i1", "a") + ":");
    line(2, "return " + any(1).replace("l1", "rest"));
    line(
        1,
        pick(
            "return a, b, rest, k",
            "for q in range(3):\n        a = [a, q]\n    return a",
            "pass",
            "a = b = a\n    return (a, b)"));
    guarded(() ->
        line(
            1,
            "print(show("
                + name
                + "("
                + pick(
                    any(1),
                    any(1) + ", " + any(1),
                    any(1) + ", k=" + any(2),
                    "*" + list(1),
                    any(1) + ", 2, 3, 4",
                    "b=1, a=2",
                    "x=1",
                    "")
                + ")))"));
  }

  private void loop() {
    var name = "v" + names++;
    guarded(() -> {
      line(1, "for " + name + " in " + iterable(1) + ":");
      line(2, "if " + pick(name + " == 2", any(2)) + ": " + pick("continue", "break", "pass"));
      line(2, "print(show(" + name + "), end=';')");
      if (chance(50)) {
        line(1, "else:");
        line(2, "print('done')");
      }
    });
  }

  private void whileLoop() {
    var name = "w" + names++;
    line(0, name + " = 0");
    guarded(() -> {
      line(1, "while " + name + " < " + (1 + random.nextInt(5)) + ":");
      line(2, name + " += 1");
      line(2, "if " + name + " % 2: continue");
      line(2, "print(" + name + ", show(" + any(1) + "))");
      line(1, "else: print('end', " + name + ")");
    });
  }

  private String mutation() {
    return pick(
        "l1.append(" + any(1) + "); print(l1[-1] == l1[-1])",
        "l1.extend(" + iterable(1) + "); print(len(l1))",
        "l1.insert(" + whole(1) + ", " + whole(1) + "); print(l1[:3])",
        "print(l1.pop(" + pick("", "0", "-1", "99") + "))",
        "l2.sort(" + pick("", "reverse=True", "key=len", "key=lambda x: x[::-1]") + "); print(l2)",
        "l1[:] = sorted(l1); print(l1)",
        "d1[" + key() + "] = " + any(1) + "; print(len(d1))",
        "d1.update(" + pick("{'q': 1}", "[('a', 5)]", "z=3", "d2") + "); print(list(d1))",
        "print(d1.setdefault(" + key() + ", " + whole(1) + "))",
        "print(d1.pop(" + key() + pick("", ", None") + "))",
        "del d1[" + key() + "]; print(d1)",
        "del l1[" + pick("0", "-1", "1:2", "::2", "50") + "]; print(l1)",
        "l1[" + pick("0:1", "1:", ":", "::2", "5:9") + "] = " + iterable(1) + "; print(l1)",
        "l1 += " + list(1) + "; print(l1)",
        "l1 *= 2; print(len(l1))",
        "e1.add(" + whole(1) + "); print(show(e1))",
        "e1 |= e2; print(show(e1))",
        "e1.discard(2); print(show(e1))",
        "i1 += " + number(1) + "; print(i1)",
        "s1 += " + text(1) + "; print(s1)",
        "i1 //= " + number(1) + "; print(i1)",
        "l1.remove(" + whole(2) + "); print(l1)",
        "l1.reverse(); print(l1)",
        "x, y = l1[0], l1[1]; l1[0], l1[1] = y, x; print(l1)",
        "print(l1.index(" + whole(1) + "))");
  }

  private void slices() {
    guarded(() -> {
      var of = pick("s1", "l1", "t1", "s2", "'abcdefgh'", "list(range(9))", "range(9)");
      line(1, "print(" + of + "[" + bound() + ":" + bound() + pick("", ":" + bound()) + "])");
      line(1, "print(" + of + "[" + whole(2) + "])");
    });
  }

  private String bound() {
    return chance(30) ? "" : String.valueOf(random.nextInt(15) - 7);
  }

  private void unpack() {
    guarded(() -> {
      line(
          1,
          pick("a, b", "a, *b", "*a, b", "(a, b), c", "a, b, c", "a, *b, c", "[a, [b, c]]")
              + " = "
              + pick(iterable(1), "1, 2", "(1, 2), 3", "'xyz'", "[1, [2, 3]]"));
      line(1, "print(show(a), show(b))");
    });
  }

  private void nested() {
    line(0, "try:");
    line(1, "try:");
    line(2, "print(show(" + any(0) + "))");
    line(
        2,
        pick(
            "raise ValueError('v')",
            "assert " + any(1) + ", 'm'",
            "pass",
            "1 / 0",
            "d1['missing']"));
    line(
        1,
        "except "
            + pick("ValueError", "(KeyError, TypeError)", "ZeroDivisionError", "Exception")
            + " as e:");
    line(
        2,
        "print('in', kind(e), "
            + pick("str(e)", "e.args", "repr(e)")
            + " if isinstance(e, (ValueError, AssertionError, KeyError)) and len(e.args) == 1 and"
            + " e.args[0] in ('v', 'm', 'missing') else '')");
    line(2, pick("raise", "pass", "raise TypeError('t') from e"));
    line(1, "else:");
    line(2, "print('else')");
    line(1, "finally:");
    line(2, "print('fin')");
    line(0, "except Exception as e:");
    line(1, "print('out', kind(e))");
  }

  private void closure() {
    var name = "h" + names++;
    line(0, "def " + name + "(n):");
    line(1, "total = n");
    line(1, "def add(k):");
    line(2, "nonlocal total");
    line(2, "total = total + k");
    line(2, "return total");
    line(
        1,
        "return add, [lambda: total for _ in range(2)], [(lambda j=j: j * n) for j in range(3)]");
    guarded(() -> {
      line(1, "p, q, r = " + name + "(" + number(1) + ")");
      line(1, "print(p(1), p(" + number(2) + "), [c() for c in q], [c() for c in r])");
    });
  }

  // --- expressions ---

  private String any(int depth) {
    return switch (random.nextInt(10)) {
      case 0, 1 -> number(depth);
      case 2, 3 -> text(depth);
      case 4 -> list(depth);
      case 5 -> map(depth);
      case 6 -> "sorted(" + set(depth) + ", key=repr)";
      case 7 -> truth(depth);
      case 8 -> pick("t1", "n1", "b1", "(" + any(deeper(depth)) + ",)");
      default -> depth > DEPTH_MAX ? number(depth) : mixed(depth);
    };
  }

  private static int deeper(int depth) {
    return depth + 1;
  }

  private String mixed(int depth) {
    int d = deeper(depth);
    return pick(
        "(" + any(d) + " if " + any(d) + " else " + any(d) + ")",
        "(" + any(d) + " or " + any(d) + ")",
        "(" + any(d) + " and " + any(d) + ")",
        "("
            + any(d)
            + pick(" + ", " - ", " * ", " / ", " // ", " % ", " & ", " | ", " ^ ")
            + any(d)
            + ")",
        iterable(d) + "[" + whole(d) + "]",
        "max(" + iterable(d) + ")",
        "min(" + iterable(d) + pick("", ", key=str", ", default=0") + ")",
        "sum(" + iterable(d) + ")",
        "json.loads(json.dumps(" + any(d) + "))",
        "json.dumps(" + any(d) + pick("", ", indent=2", ", sort_keys=True") + ")",
        "(lambda x, y=2: (x, y))(" + any(d) + ")",
        "sorted(" + iterable(d) + pick("", ", reverse=True", ", key=repr") + ")",
        "dict(zip(" + iterable(d) + ", " + iterable(d) + "))",
        "next(iter(" + iterable(d) + "), None)",
        "divmod(" + number(d) + ", " + number(d) + ")",
        "(y1 := " + any(d) + ")",
        "[*" + iterable(d) + ", *" + iterable(d) + "]",
        "{**d1, 'k': " + any(d) + "}");
  }

  private String whole(int depth) {
    if (depth > DEPTH_MAX || chance(50)) {
      return pick("0", "1", "2", "-1", "3", "10", "i1", "i2", "255", "True");
    }
    int d = deeper(depth);
    return pick(
        "len(" + iterable(d) + ")",
        "int(" + number(d) + ")",
        "("
            + whole(d)
            + pick(" + ", " - ", " * ", " // ", " % ", " & ", " | ", " ^ ", " << ", " >> ")
            + whole(d)
            + ")",
        "abs(" + whole(d) + ")",
        "ord(" + text(d) + "[0])",
        text(d) + ".count(" + text(d) + ")",
        text(d) + ".find(" + text(d) + ")",
        "~" + whole(d),
        "hash(1)".replace("hash(1)", "1"),
        "math.gcd(" + whole(d) + ", " + whole(d) + ")",
        "math.floor(" + number(d) + ")",
        "(" + whole(d) + ").bit_length()",
        "pow(" + whole(d) + ", 3, 7)");
  }

  private String number(int depth) {
    if (depth > DEPTH_MAX || chance(30)) {
      return pick(
          "0",
          "1",
          "2",
          "-5",
          "0.5",
          "1e10",
          "f1",
          "f2",
          "i1",
          "i2",
          "i3",
          "3.0",
          "1.25",
          "-2.5",
          "0.1",
          "1e-7",
          "123456.789");
    }
    int d = deeper(depth);
    return pick(
        whole(d),
        "(" + number(d) + pick(" + ", " - ", " * ", " / ", " // ", " % ") + number(d) + ")",
        "-" + number(d),
        "abs(" + number(d) + ")",
        "round(" + number(d) + pick("", ", 1", ", 2", ", -1") + ")",
        "float(" + number(d) + ")",
        "(" + whole(d) + " ** " + pick("2", "3", "0", "-1", "10") + ")",
        "math.sqrt(" + number(d) + ")",
        "min(" + number(d) + ", " + number(d) + ")",
        "max(" + number(d) + ", " + number(d) + ")",
        "sum([" + number(d) + ", " + number(d) + "])",
        "math.ceil(" + number(d) + ")",
        "float(" + pick("'1.5'", "' 2 '", "'x'", "'1e3'", "'nan'", "'-inf'") + ")",
        "int(" + pick("'12'", "' -7 '", "'x'", "'1_000'", "'ff', 16", "'0b11', 0", "'1.5'") + ")");
  }

  private String truth(int depth) {
    int d = deeper(depth);
    if (depth > DEPTH_MAX) return pick("True", "False");
    return pick(
        "(" + number(d) + pick(" < ", " <= ", " == ", " != ", " > ", " >= ") + number(d) + ")",
        "(" + any(d) + pick(" == ", " != ") + any(d) + ")",
        "(" + any(d) + pick(" in ", " not in ") + iterable(d) + ")",
        "(" + number(d) + " < " + number(d) + " <= " + number(d) + ")",
        "not " + any(d),
        "any(" + iterable(d) + ")",
        "all(" + iterable(d) + ")",
        "isinstance("
            + any(d)
            + ", "
            + pick("int", "str", "(int, float)", "list", "dict", "bool")
            + ")",
        text(d)
            + pick(
                ".isdigit()",
                ".isalpha()",
                ".islower()",
                ".isupper()",
                ".isspace()",
                ".startswith('h')",
                ".endswith(('d', 'x'))",
                ".istitle()",
                ".isalnum()"),
        "(" + list(d) + pick(" < ", " >= ") + list(d) + ")",
        "bool(" + any(d) + ")",
        set(d) + pick(".issubset(", ".isdisjoint(") + iterable(d) + ")",
        "(" + any(d) + " is None)");
  }

  private String word() {
    return pick(
        "s1",
        "s2",
        "s3",
        "'abc'",
        "'Hello, World'",
        "\"it's\"",
        "'42'",
        "' pad '",
        "'a,b,,c'",
        "'ünïcode'",
        "'x\\ny'",
        "'\\U0001F600 ok'",
        "'MiXeD cAsE'");
  }

  private String text(int depth) {
    if (depth > DEPTH_MAX || chance(35)) return word();
    int d = deeper(depth);
    return pick(
        "(" + text(d) + " + " + text(d) + ")",
        "(" + text(d) + " * " + pick("0", "2", "3", "-1") + ")",
        "str(" + any(d) + ")",
        "repr(" + any(d) + ")",
        text(d)
            + pick(
                ".upper()",
                ".lower()",
                ".title()",
                ".strip()",
                ".swapcase()",
                ".capitalize()",
                ".lstrip()",
                ".rstrip('d')",
                ".casefold()",
                ".expandtabs(4)"),
        text(d) + ".replace(" + text(d) + ", " + text(d) + pick("", ", 1") + ")",
        text(d) + ".join(" + texts(d) + ")",
        text(d)
            + pick(".center(20, '*')", ".ljust(12)", ".rjust(12, '.')", ".zfill(8)", ".center(9)"),
        text(d) + "[" + bound() + ":" + bound() + "]",
        text(d) + "[::-1]",
        "f'{"
            + pick("i1", "i2", "i3", "f1", "f2", "f1 * i2", "i3 / 7", "f2 ** 3", "i1 % 4", "-f1")
            + pick("", ":.2f", ":>10", ":08.3f", ":,", ":e", ":g", ":+", ":.3", ":^12", ":%")
            + "}'",
        "f'{"
            + pick("i1", "i2", "i3", "len(s1)", "i1 * i2", "i3 // 7", "b1", "l1[0]")
            + pick("", ":d", ":x", ":b", ":#x", ":5", ":<5", ":05", ":,", ":o", "!r")
            + "}'",
        "f'{"
            + pick("s1", "s2", "s1.upper()", "s3", "l2[0]", "s1[2:5]")
            + pick("", "!r", ":>12", ":.3", ":*^15", ":<8")
            + "}'",
        "format("
            + number(d)
            + ", "
            + pick("'.1f'", "'10.2e'", "'G'", "'_'", "'>+9.1f'", "''")
            + ")",
        "'%s|%d|%5.2f|%r' % (" + any(d) + ", " + whole(d) + ", " + number(d) + ", " + text(d) + ")",
        "'{} {:>5} {!r}'.format(" + any(d) + ", " + whole(d) + ", " + text(d) + ")",
        "chr(" + pick("65", "97 + i1", "8364", "128512") + ")",
        pick("hex", "bin", "oct") + "(" + whole(d) + ")",
        "re.sub("
            + pick("r'\\w'", "'l+'", "'[aeiou]'", "r'(\\w)(\\w)'")
            + ", "
            + pick("'-'", "r'<\\g<0>>'", "''", "lambda m: m.group().upper()")
            + ", "
            + text(d)
            + ")",
        text(d)
            + pick(
                ".removeprefix('he')",
                ".removesuffix('d')",
                ".partition(' ')[0]",
                ".rpartition('o')[2]"));
  }

  private String texts(int depth) {
    int d = deeper(depth);
    return pick(
        "l2",
        text(d) + ".split()",
        text(d) + ".split(',')",
        "map(str, " + iterable(d) + ")",
        "[" + text(d) + ", " + text(d) + "]",
        "sorted(" + text(d) + ")",
        text(d));
  }

  private String list(int depth) {
    if (depth > DEPTH_MAX || chance(25)) return pick("l1", "l2", "[]", "[1, 2]", "[[1], [2, 3]]");
    int d = deeper(depth);
    return pick(
        "[" + any(d) + ", " + any(d) + "]",
        "list(" + iterable(d) + ")",
        "sorted(" + iterable(d) + ")",
        "["
            + pick("x", "x * 2", "(x, str(x))", any(d))
            + " for x in "
            + iterable(d)
            + pick("", " if x", " if x != 2")
            + "]",
        "[x + y for x in "
            + pick("range(3)", "l1")
            + " for y in "
            + pick("range(2)", "l1", "'ab'")
            + "]",
        "(" + list(d) + " + " + list(d) + ")",
        "(" + list(d) + " * 2)",
        text(d) + ".split(" + pick("", "' '", "','", "None, 1", "'l', 2") + ")",
        text(d) + ".splitlines()",
        list(d) + "[" + bound() + ":" + bound() + "]",
        "list(map("
            + pick("str", "len", "lambda x: x * 2", "abs", "int")
            + ", "
            + iterable(d)
            + "))",
        "list(filter(" + pick("None", "lambda x: x", "str") + ", " + iterable(d) + "))",
        "list(zip(" + iterable(d) + ", " + iterable(d) + "))",
        "list(enumerate(" + iterable(d) + pick("", ", 1") + "))",
        "list(reversed(" + pick(list(d), text(d), "range(4)") + "))",
        "re.findall("
            + pick("r'\\w+'", "'[a-e]'", "r'(\\w)(\\w)'", "r'\\d'")
            + ", "
            + text(d)
            + ")",
        "re.split(r'\\W+', " + text(d) + ")");
  }

  private String iterable(int depth) {
    int d = deeper(depth);
    if (depth > DEPTH_MAX) return pick("l1", "s1", "range(4)", "t1");
    return pick(
        list(d),
        list(d),
        text(d),
        "range(" + pick("5", "2, 8", "9, 0, -2", "i1") + ")",
        "t1",
        "d1",
        "d2.items()",
        "d1.values()",
        "sorted(" + set(d) + ")",
        "(x for x in " + list(d) + ")",
        "tuple(" + list(d) + ")",
        "enumerate(l2)");
  }

  private String key() {
    return pick("'a'", "'b'", "'c'", "1", "(1, 2)", "True", "1.0", "None", "[1]");
  }

  private String map(int depth) {
    if (depth > DEPTH_MAX || chance(30)) return pick("d1", "d2", "{}");
    int d = deeper(depth);
    return pick(
        "{" + key() + ": " + any(d) + ", " + key() + ": " + any(d) + "}",
        "{k: v for k, v in " + pick("d1.items()", "enumerate(l2)", "zip(l2, l1)") + "}",
        "{x: " + any(d) + " for x in " + iterable(d) + "}",
        "dict(" + pick("a=1, b=2", "[('x', 1)]", "d1, z=3") + ")",
        "dict.fromkeys(" + iterable(d) + ", 0)",
        "(" + map(d) + " | " + map(d) + ")",
        "d1.copy()");
  }

  private String set(int depth) {
    if (depth > DEPTH_MAX || chance(30)) return pick("e1", "e2", "set()", "{1}");
    int d = deeper(depth);
    return pick(
        "{" + whole(d) + ", " + whole(d) + "}",
        "set(" + iterable(d) + ")",
        "(" + set(d) + pick(" | ", " & ", " - ", " ^ ") + set(d) + ")",
        "{x % 3 for x in " + pick("range(7)", "l1") + "}",
        set(d) + pick(".union(", ".intersection(", ".difference(") + iterable(d) + ")");
  }
}
