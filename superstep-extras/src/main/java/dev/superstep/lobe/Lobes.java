package dev.superstep.lobe;

import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A mind of several [Lobe]s, added to a graph of one's own. A round begins at [#entry]: the node
/// `attend` asks each lobe whether it wants a turn, and gives turns by priority as long as the
/// budget lasts. Those lobes run side by side in the next superstep, each a node of its own, and
/// what they write is folded like that of any nodes. Lead back to [#entry] for another round.
///
/// ```java
/// var mind = Lobes.named("mind", 5).lobes(PLANNER, CRITIC).inspectable(PLAN).then("act");
/// mind.addTo(builder).edge(START, mind.entry());
/// ```
///
/// A lobe that wants a turn and does not fit is passed over; a cheaper one after it may still fit.
/// It is reported as event [#PASSED_OVER], and in [#round].
///
/// One thread at a time.
public final class Lobes {
  /// The name of the event that tells of a lobe which is not given a turn, with a
  /// [Round.PassedOver].
  public static final String PASSED_OVER = "lobe.passed_over";

  private static final Pattern NAME = Pattern.compile("[a-z][a-zA-Z0-9_-]{0,39}");
  private static final int NOTES = 100;
  private static final String ATTEND = "attend";

  private final String name;
  private final int budget;
  private final List<Lobe> lobes = new ArrayList<>();
  private final Set<Channel<?, ?>> inspectable = new LinkedHashSet<>();
  private InspectionPolicy policy = InspectionPolicy.granting();
  private int notesMax = NOTES;
  // Made when first asked for: they carry the limit, and must be the same constants ever after.
  private @Nullable Records records;
  private String then = Graph.END;

  /// The setup that the nodes of a mind share. Immutable.
  record Setup(
      List<Lobe> lobes,
      Set<Channel<?, ?>> inspectable,
      InspectionPolicy policy,
      Records records,
      int budget) {
    boolean isInspectable(Channel<?, ?> channel) {
      return inspectable.contains(channel);
    }

    boolean hasLobe(String name) {
      return lobes.stream().anyMatch(lobe -> lobe.name().equals(name));
    }
  }

  private Lobes(String name, int budget) {
    this.name = name;
    this.budget = budget;
  }

  /// A mind whose nodes are named `name.attend`, and `name.` with the name of each lobe.
  ///
  /// @param budget what the lobes of a round may cost together
  public static Lobes named(String name, int budget) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "Name `%s` must start with a lower-case letter and hold at most 40 letters, digits, `_` or `-`."
              .formatted(name));
    }
    if (budget < 0) {
      throw new IllegalArgumentException("budget must not be negative, was " + budget);
    }
    return new Lobes(name, budget);
  }

  /// More lobes.
  public Lobes lobes(Lobe... more) {
    for (var lobe : more) {
      boolean isKnown = lobes.stream().anyMatch(l -> l.name().equals(lobe.name()));
      if (isKnown || lobe.name().equals(ATTEND)) {
        throw new IllegalArgumentException(
            "Mind `" + name + "` has a node `" + lobe.name() + "` already. Rename the lobe.");
      }
      lobes.add(lobe);
    }
    return this;
  }

  /// More channels that a lobe which does not read them may ask to see. Others are denied without
  /// asking the policy.
  public Lobes inspectable(Channel<?, ?>... channels) {
    inspectable.addAll(List.of(channels));
    return this;
  }

  /// Who is granted what; everything that is [#inspectable], and all notes, unless set.
  public Lobes policy(InspectionPolicy rules) {
    policy = rules;
    return this;
  }

  /// Sets the number of notes to keep, of all lobes together, and of inspections; 100 unless set.
  /// Set it before the channels of the mind are asked for.
  public Lobes keepNotes(int most) {
    if (most < 1) throw new IllegalArgumentException("keepNotes must be at least 1, was " + most);
    if (records != null) {
      throw new IllegalStateException(
          "Mind `" + name + "` has its channels already. Call keepNotes before them.");
    }
    notesMax = most;
    return this;
  }

  /// Sets the node that follows a round; the end of the graph unless set.
  public Lobes then(String node) {
    then = node;
    return this;
  }

  /// The last round: who was given a turn, and who was passed over. Declared by [#addTo].
  public Channel<Round, Round> round() {
    return records().round();
  }

  /// The notes of all lobes, oldest first. Declared by [#addTo].
  public Channel<List<Note>, Note> notes() {
    return records().notes();
  }

  /// The requests of lobes to see more, with the answers, oldest first. Declared by [#addTo].
  public Channel<List<Inspected>, Inspected> inspections() {
    return records().inspections();
  }

  private Records records() {
    var made = records;
    if (made == null) records = made = Records.named(name, notesMax);
    return made;
  }

  /// The node with which a round begins.
  public String entry() {
    return node(ATTEND);
  }

  /// The name of the node of a lobe.
  public String node(String lobe) {
    return name + "." + lobe;
  }

  /// Adds nodes, edges and the channels [#round], [#notes] and [#inspections] to a graph. What
  /// leads to [#entry], and the channels of the lobes, are up to the graph.
  ///
  /// @throws IllegalStateException if there are no lobes
  public GraphBuilder addTo(GraphBuilder builder) {
    if (lobes.isEmpty()) {
      throw new IllegalStateException("Mind `" + name + "` has no lobes; add some.");
    }
    var records = records();
    var setup = new Setup(List.copyOf(lobes), Set.copyOf(inspectable), policy, records, budget);
    builder.channels(records.round(), records.notes(), records.inspections());
    builder.node(entry(), (state, context) -> attend(setup, state, context));
    builder.writes(entry(), records.round());
    builder.reads(entry(), records.round(), records.notes());
    for (var lobe : setup.lobes()) {
      add(lobe, setup, builder);
      builder.reads(entry(), channels(lobe.reads()));
    }
    var targets = new ArrayList<>(setup.lobes().stream().map(lobe -> node(lobe.name())).toList());
    var after = then;
    targets.add(after);
    return builder.routeMany(
        entry(),
        state -> {
          var chosen = setup.records().roundOf(state).chosen();
          return chosen.isEmpty() ? List.of(after) : chosen.stream().map(this::node).toList();
        },
        targets.toArray(String[]::new));
  }

  private void add(Lobe lobe, Setup setup, GraphBuilder builder) {
    var node = node(lobe.name());
    builder.node(
        node,
        (state, context) -> {
          var turn = new LobeContext(lobe, setup, state, context);
          return turn.with(lobe.body().think(turn));
        },
        lobe.policy());
    builder.edge(node, then);
    var records = setup.records();
    builder.reads(node, records.round(), records.notes());
    builder.reads(node, channels(lobe.reads()));
    builder.reads(node, channels(setup.inspectable()));
    builder.writes(node, records.notes(), records.inspections());
    builder.writes(node, channels(lobe.writes()));
  }

  private static Channel<?, ?>[] channels(Collection<Channel<?, ?>> all) {
    return all.toArray(Channel[]::new);
  }

  /// Gives turns by priority, as far as the budget goes.
  private static Update attend(Setup setup, State state, NodeContext context) {
    var active = new ArrayList<Lobe>();
    for (var lobe : setup.lobes()) {
      if (lobe.isActive(new LobeView(lobe, state, setup.records()))) active.add(lobe);
    }
    active.sort(Comparator.<Lobe>comparingInt(Lobe::priority).reversed());
    var chosen = new ArrayList<String>();
    var passedOver = new ArrayList<Round.PassedOver>();
    int left = setup.budget();
    for (var lobe : active) {
      if (lobe.cost() <= left) {
        left -= lobe.cost();
        chosen.add(lobe.name());
      } else {
        passedOver.add(new Round.PassedOver(lobe.name(), lobe.cost(), left));
      }
    }
    if (context.hasListeners()) for (var one : passedOver) context.emit(PASSED_OVER, one);
    long number = setup.records().roundOf(state).number() + 1;
    int spent = setup.budget() - left;
    return Update.of(
        setup.records().round(), new Round(number, setup.budget(), spent, chosen, passedOver));
  }

  @Override
  public String toString() {
    return "Lobes[" + name + ", " + lobes.stream().map(Lobe::name).toList() + "]";
  }
}
