package dev.superstep.event;

import dev.superstep.event.Event.RoutesSelected;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;

/// Explains the path of a run for people: which nodes ran in each superstep and why, and for each
/// edge that could have been followed whether it was and why. It must be given the detail for that:
///
/// ```java
/// var explanation = new Explanation();
/// graph.invoke(input, RunOptions.defaults().listener(explanation, Detail.ROUTES));
/// System.out.print(explanation.text());
/// ```
///
/// A superstep that was not folded, since the run failed or waits in it, explains nothing. Keeps
/// the newest [#SUPERSTEPS_MAX] supersteps. Safe for many threads.
public final class Explanation implements EventListener {
  /// The largest number of supersteps that are retained; the oldest is dropped first. Input counts
  /// as one.
  public static final int SUPERSTEPS_MAX = 1_000;

  private final ArrayDeque<RoutesSelected> supersteps = new ArrayDeque<>();
  private long forgotten;

  /// Has heard nothing yet.
  public Explanation() {}

  /// Explains recorded events, such as those of [JsonLines].
  public static Explanation of(Iterable<? extends Event> events) {
    var explanation = new Explanation();
    events.forEach(explanation::on);
    return explanation;
  }

  @Override
  public void on(Event event) {
    if (!(event instanceof RoutesSelected selected)) return;
    synchronized (this) {
      supersteps.add(selected);
      if (supersteps.size() <= SUPERSTEPS_MAX) return;
      supersteps.remove();
      forgotten++;
    }
  }

  /// The recorded supersteps, in order; those of a subgraph come before the superstep of its node.
  public synchronized List<RoutesSelected> supersteps() {
    return List.copyOf(supersteps);
  }

  /// The explanation for people; its words may change.
  public synchronized String text() {
    var text = new StringBuilder();
    if (forgotten > 0) text.append(forgotten).append(" earlier supersteps were forgotten\n");
    if (supersteps.isEmpty()) text.append("no superstep with Detail.ROUTES was heard\n");
    for (var one : supersteps) add(text, one);
    return text.toString();
  }

  private static void add(StringBuilder text, RoutesSelected one) {
    var at = one.origin();
    text.append(one.nodes().isEmpty() ? "input" : "superstep " + at.step()).append(" of ");
    text.append(at.graph());
    if (!at.path().isEmpty()) text.append(" in ").append(String.join("/", at.path()));
    text.append('\n');
    for (var node : one.nodes()) {
      line(text, node.verdict().name().toLowerCase(Locale.ROOT), node.text());
    }
    for (var edge : one.edges()) line(text, edge.taken() ? "taken" : "not taken", edge.text());
  }

  private static void line(StringBuilder text, String verdict, String what) {
    text.append("  ").append(verdict).repeat(' ', 11 - verdict.length()).append(what).append('\n');
  }
}
