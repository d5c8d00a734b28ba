package dev.superstep.bench.cells;

import java.util.List;

/// A program that both interpreters run.
///
/// @param source defines functions
/// @param call what is measured
record Program(String name, String source, String call) {
  static final List<Program> ALL =
      List.of(
          new Program(
              "arithmetic",
              """
              def arithmetic(n):
                  t = 0
                  for i in range(n):
                      t += i * 2 - (i & 7)
                      if t % 3 == 0:
                          t = t // 2
                  return t
              """,
              "arithmetic(500000)"),
          new Program(
              "texts",
              """
              def texts(n):
                  s = ''
                  for i in range(n):
                      s += 'item ' + str(i) + ', '
                  parts = s.split(', ')
                  return len('-'.join([p.upper() for p in parts if p.endswith('7')]))
              """,
              "texts(100000)"),
          new Program(
              "lists and dicts",
              """
              def lists(n):
                  d = {}
                  xs = []
                  for i in range(n):
                      k = i % 1000
                      d[k] = d.get(k, 0) + 1
                      xs.append(k)
                  ys = sorted([x * 2 for x in xs if x > 10])
                  t = 0
                  for y in ys:
                      t += y
                  return t + len(d)
              """,
              "lists(200000)"),
          new Program(
              "calls",
              """
              def leaf(a, b):
                  return a + b
              def fib(n):
                  return n if n < 2 else fib(n - 1) + fib(n - 2)
              def calls(n):
                  t = 0
                  for i in range(n):
                      t = leaf(t, i)
                  return t + fib(22)
              """,
              "calls(300000)"));
}
