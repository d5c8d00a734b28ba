package dev.superstep.matrix;

import dev.superstep.graph.Graph;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.run.MatrixHook;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/// The knowledge of many runs about the edges of a graph: how well a node did after each of them.
/// It chooses the best target of a router once each target was seen often enough. Safe for many
/// threads, and for many runs at once.
///
/// ```java
/// var matrix = Matrix.of(Matrix.Settings.defaults().at("dispatch").exploring(0.1, 42));
/// graph.invoke(input, RunOptions.defaults().matrix(matrix.forRun()));
/// ```
///
/// A router is left alone as long as some target of it was seen less than three times, and always
/// if it may lead to END: END does not converge, and when to stop is the graph's business.
public final class Matrix {
  private static final int SEEN_MIN = 3;
  private static final int FORMAT = 1;
  private static final Codec<Learned> CODEC = Codec.of(Learned.class);

  private final Settings settings;
  private final SplittableRandom random;
  private final Map<Edge, LearnedEdge> edges = new HashMap<>();

  private record Edge(String from, String to) {}

  /// The stored form.
  record Learned(int format, List<LearnedEdge> edges) {
    Learned {
      if (format != FORMAT) {
        throw new IllegalArgumentException("format " + format + " is not " + FORMAT);
      }
      edges = List.copyOf(edges);
      var seen = new HashSet<Edge>();
      for (var edge : edges) {
        if (!seen.add(new Edge(edge.from(), edge.to()))) {
          throw new IllegalArgumentException(
              "edge `" + edge.from() + "` -> `" + edge.to() + "` is there twice");
        }
      }
    }
  }

  /// The settings by which a matrix chooses. Immutable; each method returns a changed copy.
  ///
  /// @param epsilon how likely it tries a target instead of choosing the best, from 0 to 1
  /// @param seed of the generator that decides when to try which
  /// @param at the nodes whose routers it may overrule; all if empty
  public record Settings(double epsilon, long seed, Set<String> at) {
    public Settings {
      if (!(epsilon >= 0 && epsilon <= 1)) {
        throw new IllegalArgumentException("epsilon must be from 0 to 1, was " + epsilon);
      }
      at = Set.copyOf(at);
    }

    /// Tries nothing, and may overrule every router.
    public static Settings defaults() {
      return new Settings(0, 0, Set.of());
    }

    /// With this share of the choices it tries a target at random: one of those that were seen too
    /// seldom, if there are such, else any. Without that it learns only what the graph's own
    /// routers do. A router that decides what is right, and not only who does it, must not be
    /// overruled for a try: name the others by [#at].
    public Settings exploring(double epsilon, long seed) {
      return new Settings(epsilon, seed, at);
    }

    /// Overrules only the routers of these nodes.
    public Settings at(String... nodes) {
      return new Settings(epsilon, seed, Set.of(nodes));
    }
  }

  private Matrix(Settings settings, List<LearnedEdge> known) {
    this.settings = settings;
    this.random = new SplittableRandom(settings.seed());
    for (var edge : known) edges.put(new Edge(edge.from(), edge.to()), edge);
  }

  /// A matrix that knows nothing.
  public static Matrix of(Settings settings) {
    return new Matrix(settings, List.of());
  }

  /// A matrix that knows what another one knew, from its [#json].
  ///
  /// @throws dev.superstep.json.MalformedJson if it is not the JSON of a matrix
  public static Matrix parse(Json json, Settings settings) {
    return new Matrix(settings, CODEC.decode(json).edges());
  }

  /// Returns the hook for one run and its resumptions. The hook measures the progress of that run;
  /// what the run teaches is shared with all.
  public MatrixHook forRun() {
    synchronized (random) {
      // Each run tries by itself, so that runs at the same time do not disturb each other.
      return new MatrixRun(this, random.split());
    }
  }

  /// The known edges, sorted by the names of the nodes.
  public List<LearnedEdge> edges() {
    var all = new ArrayList<LearnedEdge>();
    synchronized (edges) {
      all.addAll(edges.values());
    }
    all.sort(Comparator.comparing(LearnedEdge::from).thenComparing(LearnedEdge::to));
    return all;
  }

  /// The knowledge about an edge, if there is any.
  public Optional<LearnedEdge> edge(String from, String to) {
    synchronized (edges) {
      return Optional.ofNullable(edges.get(new Edge(from, to)));
    }
  }

  /// The knowledge as JSON, as [#parse] reads it. Equal knowledge gives equal text.
  public Json json() {
    return CODEC.encode(new Learned(FORMAT, edges()));
  }

  void learn(String from, String to, double quality) {
    var edge = new Edge(from, to);
    synchronized (edges) {
      var known = edges.get(edge);
      edges.put(edge, known == null ? new LearnedEdge(from, to, 1, quality) : known.and(quality));
    }
  }

  Optional<String> choose(MatrixHook.Junction junction, SplittableRandom tries) {
    var candidates = junction.candidates();
    if (!settings.at().isEmpty() && !settings.at().contains(junction.from()))
      return Optional.empty();
    if (candidates.isEmpty() || candidates.contains(Graph.END)) return Optional.empty();
    boolean explores = settings.epsilon() > 0 && tries.nextDouble() < settings.epsilon();
    var unknown = new ArrayList<String>();
    String best = candidates.getFirst();
    double most = -1;
    synchronized (edges) {
      for (var candidate : candidates) {
        var known = edges.get(new Edge(junction.from(), candidate));
        if (known == null || known.count() < SEEN_MIN) {
          unknown.add(candidate);
        } else if (known.quality() > most) {
          best = candidate;
          most = known.quality();
        }
      }
    }
    if (explores) {
      var open = unknown.isEmpty() ? candidates : unknown;
      return Optional.of(open.get(tries.nextInt(open.size())));
    }
    return unknown.isEmpty() ? Optional.of(best) : Optional.empty();
  }

  @Override
  public String toString() {
    return "Matrix[" + edges.size() + " edges]";
  }
}
