package dev.superstep.store.crash;

import java.nio.file.Path;

/// Tells a [Story] in each kind of store, so that the JVM sees the classes that takes. Its
/// arguments: a folder, and the address of an empty database of PostgreSQL.
final class Rehearsal {
  private Rehearsal() {}

  public static void main(String[] arguments) throws Exception {
    var folder = Path.of(arguments[0]);
    tell(folder.resolve("threads.db").toString(), folder, "SYNC");
    tell(arguments[1], folder, "ASYNC");
  }

  private static void tell(String address, Path folder, String durability) throws Exception {
    var notes = folder.resolve("notes-" + durability).toString();
    var end = Teller.tell(new String[] {address, notes, "t", durability, "1000000", "AFTER"});
    if (!end.startsWith("completed ")) throw new IllegalStateException(end);
  }
}
