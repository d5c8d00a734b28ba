package dev.superstep.example.triage;

import dev.superstep.example.triage.Reading.Classified;
import dev.superstep.example.triage.Reading.Unclear;
import dev.superstep.example.triage.Reading.Unread;
import dev.superstep.state.State;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// All that is known of an inbox so far, in the order of its files.
record Triaged(
    String inbox,
    List<Classified> classified,
    List<Unclear> unclear,
    List<Unread> unread,
    List<Decision> decisions) {
  Triaged {
    classified = List.copyOf(classified);
    unclear = List.copyOf(unclear);
    unread = List.copyOf(unread);
  }

  static Triaged of(State state) {
    var classified = new ArrayList<Classified>();
    var unclear = new ArrayList<Unclear>();
    var unread = new ArrayList<Unread>();
    for (var reading : state.get(TriageProgram.READINGS)) {
      switch (reading) {
        case Classified message -> classified.add(message);
        case Unclear message -> unclear.add(message);
        case Unread file -> unread.add(file);
      }
    }
    var inbox = String.valueOf(Path.of(state.get(TriageProgram.SOURCE)).getFileName());
    return new Triaged(inbox, classified, unclear, unread, state.get(TriageProgram.DECISIONS));
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
