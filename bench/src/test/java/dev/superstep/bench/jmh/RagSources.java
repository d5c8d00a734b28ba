package dev.superstep.bench.jmh;

import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.check.Blueprints;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.check.Compilation;
import dev.superstep.language.check.Names;
import dev.superstep.language.rag.SyntaxLimits;
import dev.superstep.language.rag.SyntaxTree;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Sources of `.rag`, with the bounds on their length lifted: to a tree, and to checked blueprints.
/// A target is 10 MB a second at each length, and 200 ms for a graph of 1,000 nodes.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class RagSources {
  private static final int NODES = 50;
  private static final int KB = 1_000;

  private final Source tenKilobytes = source(10 * KB);
  private final Source hundredKilobytes = source(100 * KB);
  private final Source megabyte = source(1_000 * KB);
  private final Source tenMegabytes = source(10_000 * KB);
  private final Source thousandNodes = Source.of("big.rag", graph("big", 1_000));

  private static Source source(int length) {
    var text = new StringBuilder();
    for (int i = 0; text.length() < length; i++) text.append(graph("g" + i, NODES));
    return Source.of("bench.rag", text.toString());
  }

  private static String graph(String name, int nodes) {
    var text = new StringBuilder("graph " + name + " {\n  channel messages messages\n  start n0\n");
    for (int i = 0; i < nodes; i++) {
      var next = i + 1 < nodes ? "n" + (i + 1) : "END";
      text.append("  // Node ").append(i).append(" answers.\n  node n").append(i).append(" {\n");
      text.append("    kind agent\n    model \"small\"\n");
      text.append("    prompt \"Answer the question about the claim in one sentence.\"\n");
      text.append("    tools [\"notify\", \"policy_lookup\"]\n");
      text.append("    retry { max_attempts: 3  backoff: \"exponential\" }\n");
      text.append("    timeout 20s\n    next ").append(next).append("\n  }\n");
    }
    return text.append("}\n").toString();
  }

  private static SyntaxTree parse(Source source) {
    return SyntaxTree.parse(source, SyntaxLimits.lifted(), new Diagnostics());
  }

  @Benchmark
  public SyntaxTree parse10Kilobytes() {
    return parse(tenKilobytes);
  }

  @Benchmark
  public SyntaxTree parse100Kilobytes() {
    return parse(hundredKilobytes);
  }

  @Benchmark
  public SyntaxTree parse1Megabyte() {
    return parse(megabyte);
  }

  @Benchmark
  public SyntaxTree parse10Megabytes() {
    return parse(tenMegabytes);
  }

  /// Reads, resolves and checks a graph of 1,000 nodes.
  @Benchmark
  public Compilation check1000Nodes() {
    var policy = CheckPolicy.file("big.rag").limits(SyntaxLimits.lifted());
    return Blueprints.compile(thousandNodes, Names.unknown(), policy);
  }
}
