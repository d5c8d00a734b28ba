package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.Signal;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.matrix.Matrix;
import dev.superstep.node.Converge;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/// A simulation: cases of two kinds, three experts whose skill at each kind nobody knows, and a
/// router that always asks the first. Is a matrix better, and what does it cost to find out?
public final class Experts {
  static final Channel<String, String> KIND = Channel.latest("kind", String.class);
  static final Channel<Long, Long> LUCK = Channel.latest("luck", Long.class);
  static final Channel<String, String> EXPERT = Channel.latest("expert", String.class);

  private static final List<String> KINDS = List.of("billing", "travel");
  private static final List<String> EXPERTS = List.of("ann", "ben", "cat");
  private static final int CASES = 300;
  private static final int SEEDS = 5;

  /// How often each expert is right, by kind.
  record Skills(String name, Map<String, List<Double>> rates) {
    double of(String kind, String expert) {
      return rates.getOrDefault(kind, List.of()).get(EXPERTS.indexOf(expert));
    }

    double best(String kind) {
      return EXPERTS.stream().mapToDouble(expert -> of(kind, expert)).max().orElse(0);
    }
  }

  private Experts() {}

  static Graph graph(Skills skills) {
    var graph = Graph.named("experts").channels(KIND, LUCK, EXPERT);
    for (var expert : EXPERTS) graph.node(expert, expert(expert, skills)).edge(expert, END);
    for (var kind : KINDS) {
      graph.node(kind, (_, _) -> NodeResult.nothing());
      graph.route(kind, _ -> "ann", EXPERTS.toArray(String[]::new));
    }
    return graph.route(START, state -> state.get(KIND), KINDS.toArray(String[]::new)).compile();
  }

  private static Node expert(String name, Skills skills) {
    return (state, _) -> {
      var luck = new SplittableRandom(state.get(LUCK) + EXPERTS.indexOf(name));
      boolean right = luck.nextDouble() < skills.of(state.get(KIND), name);
      var signal = new Signal(1, 0, right ? 1 : 0);
      return new Converge(Update.of(EXPERT, name), signal);
    };
  }

  static Matrix learner(long seed) {
    var settings = Matrix.Settings.defaults().at("billing", "travel").exploring(0.1, seed);
    return Matrix.of(settings);
  }

  /// How good the experts were who got the cases, on average.
  static double quality(Skills skills, long seed, boolean learns) throws InterruptedException {
    var graph = graph(skills);
    var matrix = learner(seed);
    var cases = new SplittableRandom(seed);
    double sum = 0;
    for (int i = 0; i < CASES; i++) {
      var kind = KINDS.get(cases.nextInt(KINDS.size()));
      var input = Input.of(KIND, kind).and(LUCK, cases.nextLong());
      var options = RunOptions.defaults();
      if (learns) options = options.matrix(matrix.forRun());
      if (graph.invoke(input, options) instanceof Completed(var state)) {
        sum += skills.of(kind, state.get(EXPERT));
      }
    }
    return sum / CASES;
  }

  static double best(Skills skills, long seed) {
    var cases = new SplittableRandom(seed);
    double sum = 0;
    for (int i = 0; i < CASES; i++) {
      sum += skills.best(KINDS.get(cases.nextInt(KINDS.size())));
      cases.nextLong();
    }
    return sum / CASES;
  }

  public static void main(String[] args) throws InterruptedException {
    var different = Map.of("billing", List.of(0.5, 0.9, 0.3), "travel", List.of(0.4, 0.2, 0.8));
    var equal = Map.of("billing", List.of(0.6, 0.6, 0.6), "travel", List.of(0.6, 0.6, 0.6));
    // The static route asks the best of them already, so there is nothing to learn.
    var sorted = Map.of("billing", List.of(0.9, 0.5, 0.3), "travel", List.of(0.8, 0.2, 0.4));
    var all =
        List.of(
            new Skills("different", different),
            new Skills("equal", equal),
            new Skills("sorted", sorted));
    System.out.println("experts     static  learned  best possible  worst seed");
    for (var skills : all) {
      double first = 0;
      double learned = 0;
      double best = 0;
      double worst = 1;
      for (long seed = 1; seed <= SEEDS; seed++) {
        double without = quality(skills, seed, false);
        double with = quality(skills, seed, true);
        first += without / SEEDS;
        learned += with / SEEDS;
        best += best(skills, seed) / SEEDS;
        worst = Math.min(worst, with - without);
      }
      System.out.println(
          String.format(
              Locale.ROOT,
              "%-10s %7.2f %8.2f %14.2f %+11.2f",
              skills.name(),
              first,
              learned,
              best,
              worst));
    }
  }
}
