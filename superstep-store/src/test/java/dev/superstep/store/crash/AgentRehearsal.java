package dev.superstep.store.crash;

import java.nio.file.Path;

/// Tells an [AgentStory] once, so that the JVM sees the classes that takes. Its argument: a folder.
final class AgentRehearsal {
  private AgentRehearsal() {}

  public static void main(String[] arguments) throws Exception {
    var folder = Path.of(arguments[0]);
    var store = folder.resolve("threads.db").toString();
    var notes = folder.resolve("notes").toString();
    var booked = folder.resolve("booked").toString();
    var end = AgentTeller.tell(new String[] {store, notes, "t", booked, "1000000", "AFTER"});
    if (!end.startsWith("completed ")) throw new IllegalStateException(end);
  }
}
