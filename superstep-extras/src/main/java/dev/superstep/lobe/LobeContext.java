package dev.superstep.lobe;

import dev.superstep.lobe.InspectionPolicy.Ruling;
import dev.superstep.lobe.InspectionRequest.Subject;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The context of a lobe's turn: its view of the state, a place for notes, and requests to see
/// more. For the thread of the turn.
public final class LobeContext {
  /// The name of the event that tells of a request and its answer, with an [Inspected].
  public static final String INSPECTED = "lobe.inspected";

  private final Lobe lobe;
  private final Lobes.Setup setup;
  private final State state;
  private final NodeContext node;
  private final LobeView view;
  private final List<Note> notes = new ArrayList<>();
  private final List<Inspected> inspections = new ArrayList<>();

  LobeContext(Lobe lobe, Lobes.Setup setup, State state, NodeContext node) {
    this.lobe = lobe;
    this.setup = setup;
    this.state = state;
    this.node = node;
    this.view = new LobeView(lobe, state, setup.records());
  }

  /// The part of the state that the lobe sees.
  public LobeView seen() {
    return view;
  }

  /// The value of a channel that the lobe declares.
  ///
  /// @throws HiddenChannel if it does not
  public <V> V get(Channel<V, ?> channel) {
    return view.get(channel);
  }

  /// The value of a channel that the lobe declares, if it has one.
  ///
  /// @throws HiddenChannel if it does not
  public <V> Optional<V> find(Channel<V, ?> channel) {
    return view.find(channel);
  }

  /// The round that this turn belongs to.
  public Round round() {
    return setup.records().roundOf(state);
  }

  /// The notes of the lobe from turns before, oldest first.
  public List<Note> notes() {
    return view.notes();
  }

  /// Makes a note. It is saved if the turn ends well.
  public void note(String text) {
    notes.add(new Note(round().number(), lobe.name(), text));
  }

  /// Asks to see a channel that is hidden from the lobe. Whatever the answer, it is reported: as
  /// event [#INSPECTED], and in [Lobes#inspections].
  public <V> Inspection<V> inspect(Channel<V, ?> channel) {
    if (lobe.reads().contains(channel)) return new Inspection.Granted<>(state.find(channel));
    var ruling = rule(new Subject.OfChannel(channel.name()), setup.isInspectable(channel));
    return answer(ruling, () -> state.find(channel));
  }

  /// Asks to see the notes of another lobe.
  public Inspection<List<Note>> inspectNotes(String other) {
    if (other.equals(lobe.name())) return new Inspection.Granted<>(Optional.of(notes()));
    var ruling = rule(new Subject.NotesOf(other), setup.hasLobe(other));
    return answer(ruling, () -> Optional.of(setup.records().notesOf(other, state)));
  }

  /// The node that the turn is: for steps that must happen once, questions, the clock.
  public NodeContext node() {
    return node;
  }

  private Ruling rule(Subject subject, boolean isPossible) {
    var request = new InspectionRequest(round().number(), lobe.name(), subject);
    var ruling = isPossible ? setup.policy().rule(request) : Ruling.deny("it is not inspectable");
    var inspected = new Inspected(request, ruling);
    inspections.add(inspected);
    if (node.hasListeners()) node.emit(INSPECTED, inspected);
    return ruling;
  }

  private static <V> Inspection<V> answer(Ruling ruling, Supplier<Optional<V>> value) {
    return ruling.granted()
        ? new Inspection.Granted<>(value.get())
        : new Inspection.Denied<>(ruling.reason());
  }

  /// Adds the records of the turn to what it writes.
  Update with(Update update) {
    var records = setup.records();
    return update
        .and(Update.all(records.notes(), notes))
        .and(Update.all(records.inspections(), inspections));
  }

  @Override
  public String toString() {
    return "LobeContext[" + lobe.name() + "]";
  }
}
