package dev.superstep.repl.kill;

import java.nio.file.Path;

/// Tells a [CellStory] once, so that the JVM sees the classes that takes. Its argument: a folder.
final class CellRehearsal {
  private CellRehearsal() {}

  public static void main(String[] arguments) throws Exception {
    var folder = Path.of(arguments[0]);
    var store = folder.resolve("threads.db").toString();
    var notes = folder.resolve("notes").toString();
    var end = CellTeller.tell(new String[] {store, notes, "t", "-", "1000000", "AFTER"});
    if (!end.startsWith("waiting ")) throw new IllegalStateException(end);
    var question = end.substring("waiting ".length());
    end = CellTeller.tell(new String[] {store, notes, "t", question, "1000000", "AFTER"});
    System.out.println(end);
    if (!end.equals("answered 13 " + CellStory.ANSWER)) throw new IllegalStateException(end);
  }
}
