package dev.superstep.lobe;

import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;

/// The channels in which lobes keep what they need among themselves. Immutable.
record Records(
    Channel<Round, Round> round,
    Channel<List<Note>, Note> notes,
    Channel<List<Inspected>, Inspected> inspections) {

  static Records named(String name, int notes) {
    return new Records(
        Channel.latest(name + "-round", Round.class),
        Channel.append(name + "-notes", Note.class).keepLast(notes),
        Channel.append(name + "-inspections", Inspected.class).keepLast(notes));
  }

  Round roundOf(State state) {
    return state.find(round).orElse(Round.NONE);
  }

  List<Note> notesOf(String lobe, State state) {
    return state.get(notes).stream().filter(note -> note.lobe().equals(lobe)).toList();
  }
}
