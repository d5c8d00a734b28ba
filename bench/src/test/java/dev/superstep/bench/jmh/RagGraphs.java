package dev.superstep.bench.jmh;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.language.Source;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.rag.SyntaxLimits;
import dev.superstep.node.Node;
import dev.superstep.node.Router;
import dev.superstep.node.Update;
import dev.superstep.rag.Rag;
import dev.superstep.rag.RagGraph;
import dev.superstep.rag.RagProgram;
import dev.superstep.rag.component.RagKind;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Graphs from `.rag`: a superstep beside that of the same graph from Java, and all of what is done
/// before a graph of 1,000 nodes can run.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class RagGraphs {
  private static final int STEPS = 1_000;
  private static final int NODES = 1_000;
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final String COUNTING =
      """
      graph counting {
        channel n overwrite of int
        start count
        node count { kind function function "count" router "again" routes { count END } }
      }
      """;

  private final RunOptions options = RunOptions.defaults().stepLimit(STEPS + 1);
  private final Node count = (state, _) -> Update.of(N, state.get(N) + 1);
  private final Registry registry = registry();
  private final RagGraph fromText = compile("counting.rag", COUNTING).graph();
  private final Graph fromJava =
      Graph.named("counting")
          .channels(N)
          .node("count", count)
          .edge(START, "count")
          .route("count", state -> state.get(N) < STEPS ? "count" : END, "count", END)
          .compile();
  private final String thousandNodes = chain();

  private Registry registry() {
    var made = Registry.named("bench");
    made.register(Component.of(RagKind.CHANNEL, "n", N));
    made.register(Component.of(RagKind.FUNCTION, "count", count));
    Router<String> again = state -> state.get(N) < STEPS ? "count" : "END";
    made.register(Component.of(Kind.ROUTER, "again", again));
    return made;
  }

  private RagProgram compile(String name, String text) {
    var policy = CheckPolicy.file(name).limits(SyntaxLimits.lifted());
    var program = Rag.compile(Source.of(name, text), registry, policy);
    if (!program.isValid()) throw new IllegalStateException(program.text());
    return program;
  }

  private static String chain() {
    var text = new StringBuilder("graph chain {\n  channel n overwrite of int\n  start n0\n");
    for (int i = 0; i < NODES; i++) {
      var next = i + 1 < NODES ? "n" + (i + 1) : "END";
      text.append("  node n").append(i).append(" { kind function function \"count\" retry {");
      text.append(" max_attempts: 3 } timeout 20s next ").append(next).append(" }\n");
    }
    return text.append("}\n").toString();
  }

  @Benchmark
  @OperationsPerInvocation(STEPS)
  public Outcome superstepFromText() throws InterruptedException {
    return fromText.run(Input.of(N, 0L), options);
  }

  @Benchmark
  @OperationsPerInvocation(STEPS)
  public Outcome superstepFromJava() throws InterruptedException {
    return fromJava.invoke(Input.of(N, 0L), options);
  }

  /// Reads, checks, binds and compiles a graph of 1,000 nodes.
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public RagProgram bind1000Nodes() {
    return compile("chain.rag", thousandNodes);
  }
}
