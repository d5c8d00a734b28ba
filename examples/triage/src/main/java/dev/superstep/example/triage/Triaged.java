package dev.superstep.example.triage;

import dev.superstep.example.triage.Reading.Classified;
import dev.superstep.example.triage.Reading.Unclear;
import dev.superstep.example.triage.Reading.Unread;
import dev.superstep.state.State;
import java.nio.file.Path;
import java.util.List;

/// All that is known of an inbox so far, in the order of its files.
record Triaged(
    String inbox,
    List<Classified> classified,
    List<Unclear> unclear,
    List<Unread> unread,
    List<Decision> decisions) {

  static Triaged of(State state) {
    var readings = state.get(TriageProgram.READINGS);
    return new Triaged(
        String.valueOf(Path.of(state.get(TriageProgram.SOURCE)).getFileName()),
        only(readings, Classified.class),
        only(readings, Unclear.class),
        only(readings, Unread.class),
        state.get(TriageProgram.DECISIONS));
  }

  private static <R extends Reading> List<R> only(List<Reading> readings, Class<R> kind) {
    return readings.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /// What a person has to decide.
  List<Classified> risky() {
    return classified.stream().filter(message -> !message.risks().isEmpty()).toList();
  }

  long approved() {
    return decisions.stream().filter(Decision::approved).count();
  }

  long declined() {
    return decisions.size() - approved();
  }
}
